"""The course of a run, as a report has it: the epochs, the laws, and the margins before and after.

Of many epochs some are left out, evenly, never the first or the last; how many is said.
"""

from typing import Any

import numpy as np

from ..data.classes import class_counts
from ..data.hyperplane import Hyperplane
from ..data.rows import matrix_of
from ..report.plain import finite, plain_values, spread
from ..runs.audit import Audit
from ..runs.bounds import BoundComparison
from ..runs.run import Run

MOST_EPOCHS = 500
BINS = 40
_QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_MOST_VOTES = 10_000_000  # rows times weight vectors that a vote is counted for


def training_of(run: Run, cycle: Run | None, seconds: float) -> dict[str, Any]:
    """How the run went, its epochs, and what each readout gets wrong on the rows."""
    history, n = run.history, run.source.n_rows
    kept = spread(len(history), MOST_EPOCHS)
    columns = ("epoch", "mistakes", "updates", "perceptron_loss", "squared_loss", "norm", "margin_upper")
    return {
        **run.to_dict(),
        "offset": plain_values(run.plan.offset),
        "max_epochs": run.plan.max_epochs,
        "history": {name: plain_values(getattr(history, name)[kept]) for name in columns},
        "history_hidden": len(history) - len(kept),
        "mistakes_in_all": int(history.mistakes.sum()),
        "readouts": [
            {"readout": readout, "wrong": wrong, "share": wrong / n} for readout, wrong in _readouts(run).items()
        ],
        "most_common": n - max((class_counts(run.examples.labels) or {0: n}).values()),
        "cycle": None if cycle is None else _cycle(cycle),
        "seconds": seconds,
    }


def _readouts(run: Run) -> dict[str, int]:
    """Rows that each readout predicts wrong."""
    wrong = {readout: run.survey(readout)[1] for readout in run.plan.kept if readout != "voted"}
    if run.rule.additive and run.log is not None and run.source.n_rows * max(1, run.updates) <= _MOST_VOTES:
        examples = run.examples
        predicted = run.read("voted").predict(matrix_of(examples.rows))
        positive = predicted == examples.classes[1]
        wrong["voted"] = int((positive != (examples.labels > 0)).sum())
    return wrong


def _cycle(run: Run) -> dict[str, Any]:
    values = run.status.values
    return {
        "order": run.plan.order,
        "epoch": int(values["epoch"]),
        "since": int(values["since"]),
        "epochs": int(values["epoch"]) - int(values["since"]),
        "reason": run.status.reason,
    }


def theorem_of(found: Audit | BoundComparison | None, against: str) -> dict[str, Any] | None:
    """Both sides of every law at the end of the run, and along it if it was followed."""
    if found is None:
        return None
    known = found.to_dict()
    parts = {name: known[name] for name in ("margin", "radius", "updates", "laws")}
    return {"against": against, **parts, "curves": known.get("curves")}


def margins_of(run: Run, before: Hyperplane | None) -> dict[str, Any] | None:
    """The geometric margins of all rows, after the first epoch and at the end; None while w = 0."""
    plane = run.hyperplane
    if not plane.w.any():
        return None
    after = _distribution(run, plane, f"the {run.plan.readout} weights at the end")
    if after is None:
        return None
    earlier = None if before is None else _distribution(run, before, "the weights after the first epoch")
    return {"before": earlier, "after": after}


def _distribution(run: Run, plane: Hyperplane, of: str) -> dict[str, Any] | None:
    """The distances in plain values; None if some leave float64."""
    examples = run.examples
    margins = Hyperplane(plane.w, plane.b).geometric_margins(examples.rows, examples.labels)
    if not np.isfinite(margins).all() or not np.isfinite(float(margins.max()) - float(margins.min())):
        return None
    counts, edges = np.histogram(margins, bins=BINS)
    quantiles = np.quantile(margins, _QUANTILES).tolist()
    return {
        "of": of,
        "wrong": int((margins <= 0).sum()),
        "mean": finite(float(margins.mean())),
        "quantiles": {f"{q:g}": finite(value) for q, value in zip(_QUANTILES, quantiles, strict=True)},
        "histogram": {"edges": plain_values(edges), "counts": plain_values(counts)},
    }
