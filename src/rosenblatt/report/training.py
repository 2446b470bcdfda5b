"""A finished training: how it ended, how good it is, its mistakes against the theorem's bound."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import plural
from .data import labels_listed, size
from .text import advice, number, paragraph, word
from .verdict import finite

if TYPE_CHECKING:
    from ..files.sheet import Sheet
    from ..models.model import Model
    from ..runs.run import Run


def training_report(
    run: "Run", model: "Model", sheet: "Sheet", path: str, seconds: float, start: str, first_wrong: int | None
) -> dict[str, Any]:
    """What became of a run. The model is at `path`; `first_wrong` rows were predicted wrong in the first epoch."""
    history, plan, bound = run.history, run.plan, _bound(run)
    end = model.status.facing("command")
    if bound is not None and bound["margin_upper"]:
        end = end.without("margin-upper")  # the bound says it
    return {
        "data": sheet.to_dict(),
        "model": path,
        "status": end.name,
        "reason": end.reason,
        "advice": end.advice,
        "rule": run.rule.name,
        "readout": plan.readout,
        "order": plan.order,
        "start": start,
        "seed": plan.seed if plan.order == "shuffled" or start == "random" else None,
        "outputs": run.examples.n_outputs,
        "epochs": run.epochs,
        "updates": run.updates,
        "mistakes": {
            "first_epoch": int(history.mistakes[0]) if len(history) and history.epoch[0] == 1 else None,
            "last_epoch": int(history.mistakes[-1]) if len(history) else None,
        },
        "predicted_wrong": {"first_epoch": first_wrong, **_wrong(run, model)},
        "margin": _plain(model.facts.get("margin")),
        "margin_upper_bound": _plain(model.facts.get("margin_upper_bound")),
        "bound": bound,
        "seconds": seconds,
    }


def _plain(value: Any) -> Any:
    if value is None:
        return None
    return finite(float(value)) if getattr(value, "ndim", 0) == 0 else [finite(float(one)) for one in value]


def _wrong(run: "Run", model: "Model") -> dict[str, int | None]:
    """Of the rows learnt from, those that the model gets wrong (None of a vote), and the most common class would."""
    import numpy as np

    from .. import _core

    examples, wrong = run.examples, None
    if model.vote is None:
        joint, threads = run.state.decision == "direct", run.plan.threads
        wrong = _core.survey(examples.rows, examples.labels, model.weights, model.offsets, joint, threads)[1]
    most = int(np.unique(examples.labels, return_counts=True)[1].max())
    return {"training": wrong, "most_common": examples.n_rows - most}


def is_worth_predicting_with(report: Mapping[str, Any]) -> bool:
    """Whether the model gets fewer of its own rows wrong than the most common class alone would."""
    wrong = report["predicted_wrong"]
    return wrong["training"] is None or bool(wrong["training"] < wrong["most_common"])


def _bound(run: "Run") -> dict[str, Any] | None:
    """Novikoff's bound for the perceptron from w = 0: at most (R'/γ')² updates, γ' any margin that is reached.

    None for another rule, more than two classes or rows with weights, and if numbers leave float64.
    """
    state = run.state
    perceptron = run.rule.name == "perceptron" and run.plan.batch_size == 1 and run.plan.schedule == "constant"
    if not perceptron or state.n_outputs > 1 or state.start is not None:
        return None
    from .. import _core

    W, b = state.read("last")
    examples, rho2 = run.examples, state.rho2
    (least,), _, R2 = _core.survey(examples.rows, examples.labels, W, b, False, run.plan.threads)
    length2 = float((W * W).sum()) + (float(b[0]) ** 2 / rho2 if rho2 else 0.0)
    radius2 = R2 + rho2
    upper = state.margin_upper
    if not 0 < length2 < math.inf or not 0 < radius2 < math.inf:
        return None
    margin = float(least) / math.sqrt(length2)
    return {
        "updates": run.updates,
        "radius": math.sqrt(radius2),
        "margin": finite(margin) if margin > 0 else None,
        "most_updates": math.floor(radius2 / margin**2 * (1 + 1e-12)) if margin > 1e-150 else None,
        "margin_upper": finite(upper),
    }


def training_text(report: Mapping[str, Any]) -> list[str]:
    """How it ended first; then what it learnt from, how well it does, and what to do next."""
    classes = report["data"]["classes"]
    lines = paragraph(f"{report['status'].capitalize()}: {report['reason']}.")
    lines += paragraph(f"{report['data']['name']}: {size(report['data'])}; classes {labels_listed(classes, 6)}.")
    lines += [""]
    seed = "" if report["seed"] is None else f", seed {report['seed']}"
    start = "" if report["start"] == "zero" else f", start {word(report['start'])}"
    what = f"{report['rule']}, {report['readout']} readout, {report['order']} order{start}{seed}"
    done = f"{plural(report['epochs'], 'epoch')}, {plural(report['updates'], 'update')}, {report['seconds']:.2f} s"
    lines += paragraph(f"Learnt by {what}: {done}.")
    first, rows = report["predicted_wrong"]["first_epoch"], report["data"]["rows"]
    if first is not None:
        lines += paragraph(
            f"In the first epoch, {first} of {plural(rows, 'row')} {'was' if first == 1 else 'were'} predicted wrong"
            f" before {'it was' if first == 1 else 'they were'} learnt ({first / rows:.2%})"
            f"{_to_expect(first, rows, report['order'])}."
        )
    if not is_worth_predicting_with(report):
        wrong = report["predicted_wrong"]
        lines += paragraph(
            f"No better than a guess: {wrong['training']} of {plural(rows, 'training row')} are predicted wrong, and"
            f" {wrong['most_common']} would be if all were taken for the most common class."
        )
    lines += _margins(report)
    if report["advice"]:
        lines += paragraph(f"{report['advice'][:1].upper()}{report['advice'][1:]}.")
    lines += ["", f"Written: {report['model']}"]
    return lines + advice(report["next"])


_NARROW = 0.05


def _to_expect(wrong: int, rows: int, order: str) -> str:
    """What the share predicted wrong says of new rows, where there are enough: ±5 points at 95% (Wilson 1927).

    Rows that come in no particular order are each new to the weights they meet, so the share estimates the mean error
    of the weights on the way.

    >>> _to_expect(50, 100, "shuffled"), _to_expect(193, 385, "shuffled")
    ('', ': about what to expect of new rows after one pass, or better')
    """
    z2 = 1.96**2
    width = math.sqrt(z2 * (wrong * (rows - wrong) / rows + z2 / 4)) / (rows + z2)
    if width > _NARROW:
        return ""
    sorted_perhaps = ", if those of the file come in no particular order" if order != "shuffled" else ""
    return f": about what to expect of new rows after one pass, or better{sorted_perhaps}"


def _margins(report: Mapping[str, Any]) -> list[str]:
    bound = report["bound"]
    if bound is None:
        return []
    count = plural(bound["updates"], "update")
    if bound["most_updates"] is not None:
        return paragraph(
            f"Against the theorem: {count}; at most (R'/margin)^2 = {bound['most_updates']} were possible, with R' ="
            f" {number(bound['radius'], 4)} and the margin {number(bound['margin'], 4)} that the last weights reach."
        )
    if bound["margin_upper"]:
        need = (bound["radius"] / bound["margin_upper"]) ** 2
        return paragraph(
            f"Against the theorem: {count}. If the rows are separable, their margin (with the offset's column) is at"
            f" most {number(bound['margin_upper'], 3)}, and the bound on all updates no less than {number(need, 3)}."
        )
    return []
