"""An account of a run: what `rosenblatt train` says of it, in words and for a notebook, without any file."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.source import Source
from ..report.data import data_report
from ..report.html_cards import run_card
from ..report.plain import plain
from ..report.training import training_text
from .advice import with_wrong
from .theorem import against_theorem, survey_if_there

if TYPE_CHECKING:
    from .run import Run

_QUICK = 20_000_000  # values that a notebook may look through


def data_of(source: Source) -> dict[str, Any]:
    """What the rows are, in plain values; of rows that are not in memory, how many each class has is not counted."""
    counts: dict[Any, int] | None = None
    if source.in_memory:
        codes = np.concatenate([*source.scan(lambda taken: taken.labels)])
        codes = codes > 0 if source.classes.size == 2 else codes
        counted = np.bincount(codes.astype(np.int64), minlength=source.classes.size).tolist()
        counts = dict(zip(map(plain, source.classes), counted, strict=True))
    positive = source.classes[1] if source.classes.size == 2 else None
    return data_report(source.n_rows, source.n_columns, bool(source.is_sparse), counts, positive)


def run_summary(run: "Run") -> str:
    """How it ended, how well it does, its updates against the theorem's bound: at most 80 characters wide."""
    source, end, known = run.source, run.status, run.to_dict()
    data = data_of(source)
    wrong = most_common = None
    if run.plan.readout != "voted":
        found = survey_if_there(run, run.plan.readout)
        wrong = None if found is None else found[1]
    end = with_wrong(end, wrong, run)
    if data["classes"] is not None:
        most_common = source.n_rows - max(entry["rows"] for entry in data["classes"]["listed"])
    beats = None if wrong is None or most_common is None else wrong < most_common
    if known["bound"] is not None and known["bound"]["margin_upper"]:
        end = end.without("margin-upper")  # the bound says it
    report = {
        "data": data,
        "model": None,
        **known,
        "advice": (end if beats is None else end.without("predicted-wrong")).advice,
        "start": "zero" if run.state.start is None else "given",
        "seconds": None,
        "predicted_wrong": {
            "first_epoch": None,  # a run counts mistakes, m ≤ 0, and not every mistake is predicted wrong
            "tells_of_new_rows": False,
            "training": wrong,
            "most_common": most_common,
            "beats_most_common": beats,
        },
        "next": [],
    }
    return "\n".join(training_text(report, verbose=True))


def run_html(run: "Run", to_dict: Any) -> str:
    """The same for a notebook; the bound, which takes a pass over the rows, only where that is quick."""
    small = run.source.in_memory and run.source.n_rows * _width(run.source) <= _QUICK
    return run_card(data_of(run.source), to_dict(against_theorem(run) if small else None))


def _width(source: Source) -> int:
    """About how many values a row has."""
    if not source.is_sparse:
        return source.n_columns
    rows = source.gather(np.arange(min(source.n_rows, 100))).rows
    return int(-(-rows.arrays[0].size // max(1, rows.n)))
