"""The run: mistakes per epoch, the theorem at every update, the margins before and after, and the weights."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import plural
from ..html import Listing, label
from ..html_tables import laws_table, weights_table
from ..plain import spread
from ..text import number, percent
from ..training import against
from .elements import Report, Section, capital, paragraphs, table
from .top import count

_EPOCHS = 12  # of the history, in its table
_POINTS = 8  # of the curves
_WEIGHTS = 30

_LAWS = {
    "1": "k ≤ (R′/γ′)²",
    "2": "k ≤ (2R/γ)²",
    "3": "cos(w′, u) ≥ √k·γ′/R′",
    "4": "k ≤ (R′/γ′)² and what the start or batches add",
    "5": "the rule's own",
    "6": "k ≤ ((R′ + D)/γ)² in one pass",
    "9": "γ′ ≤ ‖w′ − w′₀‖/Στ",
}


def training(report: Report) -> Section | None:
    """How the run went, epoch after epoch, and what can be made of its weights."""
    run = report["training"]
    if run is None:
        return None
    seed = "" if run["seed"] is None else f", seed {run['seed']}"
    said = f"The {run['rule']}, in {run['order']} order{seed}: {plural(run['epochs'], 'epoch')},"
    said = f"{said} {count(run['updates'])} updates. {capital(run['status'] + ': ' + run['reason'])}"
    bound = "" if report["theorem"] else " ".join(against(run["bound"]))
    lead = paragraphs(said, capital(run["advice"]), bound, _cycle(run))
    rest = table(_readouts(run, report["data"]["rows"])) + table(_history(run["history"]))
    return Section("training", "The run, and its mistakes per epoch", lead, rest)


def _cycle(run: Report) -> str:
    cycle = run["cycle"]
    if not cycle:
        return ""
    long = plural(cycle["epochs"], "epoch") if "epochs" in cycle else plural(cycle["length"], "update")
    if cycle["reason"] == run["reason"]:
        return f"It is a cycle of {long}: the same rows are met with the same weights again and again."
    return f"In {cycle.get('order', 'a fixed')} order there is a cycle of {long}: {cycle['reason']}."


def _readouts(run: Report, n: int) -> Listing:
    rows: list[list[Any]] = [[one["readout"], one["wrong"], percent(one["share"])] for one in run["readouts"]]
    if run["most_common"] is not None:
        rows.append(["a guess: the most common class", run["most_common"], percent(run["most_common"] / (n or 1))])
    return Listing("What each readout gets wrong on the rows it learnt from", ["readout", "rows wrong", "share"], rows)


def _history(history: Mapping[str, Sequence[Any]]) -> Listing:
    names = {
        "epoch": "epoch", "mistakes": "mistakes", "updates": "updates", "perceptron_loss": "perceptron loss",
        "margin_upper": "no margin γ′ above",
    }  # fmt: skip
    kept = [name for name in names if name in history]
    shown = spread(len(history["epoch"]), _EPOCHS)
    rows = [[_cell(history[name][at]) for name in kept] for at in shown]
    caption = "The epochs" if len(shown) == len(history["epoch"]) else "Some of the epochs"
    return Listing(caption, [names[name] for name in kept], rows)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(number(one, 4) for one in value[:6])
    return str(value) if isinstance(value, int) else number(value)


def theorem(report: Report) -> Section | None:
    """Both sides of the convergence theorem, along the run."""
    known = report["theorem"]
    if known is None:
        return None
    where = "at every update" if known["curves"] else "at the end of the run"
    held = f"every law that applies holds {where}"
    unit = f"the unit vector u of the hyperplane with {known['against']}"
    lead = paragraphs(
        f"The run beside {unit}, whose margin γ′ is {number(known['margin'])}, with the radius R′ ="
        f" {number(known['radius'])}: {held}."
    )
    if known["margin"] is not None and known["margin"] <= 0:
        lead += paragraphs("That hyperplane does not separate the rows, so the laws that need a margin say nothing.")
    else:
        lead += paragraphs(
            "Each update adds at least γ′ times its step to w′·u, and never more to ‖w′‖² than the squared length of"
            " its row: so w′ turns towards u, and mistakes cannot go on for ever."
        )
    laws = laws_table(known["laws"])
    rows = [[law, *rest[:1], _LAWS.get(str(law), ""), *rest[1:]] for law, *rest in laws.rows]
    shown = Listing(laws.caption, ["law", "quantity", "what it says", "value", "bound"], rows)
    return Section("theorem", "The theorem, live", lead, table(shown) + table(_curves(known["curves"])))


def _curves(curves: Mapping[str, Sequence[Any]] | None) -> Listing | None:
    if not curves:
        return None
    names = {
        "updates": "k", "progress": "w′·u", "progress_floor": "at least γ′·Στ", "norm2": "‖w′‖²",
        "norm2_ceiling": "at most", "cosine": "cosine", "cosine_floor": "at least √k·γ′/R′",
    }  # fmt: skip
    kept = [name for name in names if name in curves]
    rows = [[_cell(curves[name][at]) for name in kept] for at in spread(len(curves["updates"]), _POINTS)]
    return Listing("Both sides of the laws, after k updates", [names[name] for name in kept], rows)


def margins(report: Report) -> Section | None:
    """How far the rows are from the hyperplane, after the first epoch and at the end."""
    known = report["margins"]
    if known is None:
        return None
    both = [(when, known[when]) for when in ("before", "after") if known[when] is not None]
    lead = paragraphs(
        " ".join(
            f"{'Of' if at == 0 else 'of'} {one['of']}, {plural(one['wrong'], 'row')}"
            f" {'is' if one['wrong'] == 1 else 'are'} on the wrong side{'.' if at == len(both) - 1 else ';'}"
            for at, (_, one) in enumerate(both)
        ),
        "The distance of a row to the hyperplane is negative on the wrong side.",
    )
    names = {"0": "least", "0.05": "5%", "0.25": "25%", "0.5": "half", "0.75": "75%", "0.95": "95%", "1": "largest"}
    keys = list(both[-1][1]["quantiles"]) if both else []
    rows = [[names.get(key, key), *(number(one["quantiles"].get(key)) for _, one in both)] for key in keys]
    rows.append(["rows on the wrong side", *(str(one["wrong"]) for _, one in both)])
    head = ["so many rows are at most this far", *(one["of"] for _, one in both)]
    title = "The margins, before and after" if len(both) > 1 else "The margins"
    return Section("margins", title, lead, table(Listing("Distances", head, rows)))


def weights(report: Report) -> Section | None:
    """The weights by name, the largest first."""
    known = report["weights"]
    if not known:
        return None
    outputs = known if isinstance(known, list) else known.get("outputs") or [known]
    body = "".join(_weights(one, len(outputs)) for one in outputs[:20])
    if len(outputs) > 20:
        body += paragraphs(f"and {len(outputs) - 20} more classes.")
    lead = paragraphs(
        "What the hyperplane predicts by: a row whose weighted sum, with the offset, is above 0 is taken for the"
        " positive class. Weights can be compared where columns have the same unit."
    )
    return Section("weights", "The weights", lead, body)


def _weights(plane: Report, outputs: int) -> str:
    named = f" of class {label(plane['class'])}" if outputs > 1 and "class" in plane else ""
    shown = weights_table(plane, _WEIGHTS if outputs == 1 else 8, f"Weights{named}, the largest first")
    sizes = [entry["weight"] for entry in plane["largest"] if entry["weight"]][: len(shown.rows) - 1]
    largest = max((abs(size) for size in sizes), default=0.0) or 1.0
    zeros = plane["columns"] - plane["nonzero"]
    rest = paragraphs(f"{zeros} more {'is' if zeros == 1 else 'are'} 0.") if zeros > 0 else ""
    return table(shown, [*(size / largest for size in sizes), 0.0]) + rest
