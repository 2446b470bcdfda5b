"""Does a time limit hold? Each function on shapes that would take it longer; and the seconds that it took."""

import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.verdicts import made
from benchmarks.verdicts.measuring import apart

LIMITS = (1.0, 5.0, 10.0)
SHARE, SLACK = 1.2, 0.5
Row = tuple[str, str, float, float | None, str]  # function, data, limit, seconds, what it said

HARD: dict[str, tuple[int, int, Callable[[int, int], made.Made]]] = {
    "dense, 40,000 × 500": (40_000, 500, partial(made.dense, kind="overlapping")),
    "as madelon, 2,600 × 500": (2_600, 500, made.madelon),
    "600 × 300, random labels": (600, 300, made.gaussian),
    "words, 20,000 × 50,000": (20_000, 50_000, partial(made.words, each=80, labels="noise")),
    "gap 1e-9, 100,000 × 30": (100_000, 30, partial(made.dense, kind="separable", gap=1e-9)),
    "dense, 1,000,000 × 20": (1_000_000, 20, partial(made.dense, kind="overlapping")),
}
ASKED = ("separability", "max_margin", "least_mistakes", "logistic_clinic")


def held(limit: float, seconds: float) -> bool:
    """Within 20 % or half a second."""
    return seconds <= max(SHARE * limit, limit + SLACK)


def ask(function: str, X: Any, y: Any, limit: float) -> dict[str, Any]:
    """The seconds until it answers, or says in one line why it cannot."""
    library = import_module("rosenblatt")
    getattr(library, function)([[0.0], [1.0]], [-1, 1], time_limit=1.0, threads=1)  # imports are not timed
    begin = time.perf_counter()
    try:
        found = getattr(library, function)(X, y, time_limit=limit, threads=1)
        said = getattr(found, "kind", None) or getattr(getattr(found, "status", None), "name", type(found).__name__)
    except library.InputError as error:
        said = f"refused: {str(error).splitlines()[0]}"
    return {"seconds": time.perf_counter() - begin, "said": str(said)}


def table(quick: bool, wanted: Callable[[str], bool] = bool) -> list[Row]:
    """Every function on every data set with every limit; small ones with small limits."""
    rows: list[Row] = []
    for name, (n, d, make) in HARD.items():
        if not wanted(name):
            continue
        X, y = make(*((min(n, max(20, n // 100)), min(d, 20)) if quick else (n, d)))
        for function in ASKED:
            for limit in (0.2,) if quick else LIMITS:
                found = apart(partial(ask, function, X, y, limit), 20 * limit + 60)
                rows.append((function, name, limit, found.get("seconds"), found.get("said") or found["why"]))
    return rows


def share(rows: list[Row], function: str) -> tuple[int, int]:
    """Of the answers of this function, how many came in time, and how many there are."""
    some = [(limit, seconds) for name, _, limit, seconds, _ in rows if name == function]
    return sum(seconds is not None and held(limit, seconds) for limit, seconds in some), len(some)
