"""Separability: can a hyperplane separate two classes? The door, and the verdict made of what the search found."""

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, overload

from ..choices import number, thread_count
from ..data.examples import Examples
from ..data.labels import column_of
from ..data.rows import rows_of
from ..data.source import Source
from ..data.two_classes import aligned, each_against_rest, each_pair, two_class_source
from ..errors import InputError
from ..files.door import framed
from .search import search
from .signed_rows import Ints, Vector
from .streamed.search import search_source
from .subject import digest_of
from .verdict import Verdict
from .watch import SearchProgress, Watch, watch_for


@overload
def separability(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = ...,
    multiclass: None = ...,
    time_limit: float | None = ...,
    threads: int | None = ...,
    reference: Mapping[str, str] | None = ...,
    progress: Callable[[SearchProgress], object] | None = ...,
) -> Verdict: ...


@overload
def separability(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = ...,
    multiclass: str,
    time_limit: float | None = ...,
    threads: int | None = ...,
    reference: Mapping[str, str] | None = ...,
    progress: Callable[[SearchProgress], object] | None = ...,
) -> dict[Any, Verdict]: ...


def separability(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = False,
    multiclass: str | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    reference: Mapping[str, str] | None = None,
    progress: Callable[[SearchProgress], object] | None = None,
) -> Verdict | dict[Any, Verdict]:
    """Can a hyperplane separate the two classes? With an exact proof, whichever way it goes.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y; or any other
        `Source` of two classes, whose rows need not fit into memory (streamed/search.py). Of more classes
        say `multiclass="rest"` for a verdict of each against the others, or "pairs" for each two: a dictionary by
        label, or by pair of labels.
    through_origin
        Whether to ask for hyperplanes through the origin only.
    time_limit
        Seconds after which to give up with "undecided", of each question. None: never. Two equal calls give equal
        answers, except where a clock ends them.
    threads
        None: as many as there are CPUs. Never changes the kind of the verdict.
    reference
        Of a frame's text columns, the level that has no feature, {column: level}; of the others the most frequent.
    progress
        Called with a `SearchProgress` (rosenblatt.separation.watch), which says what the search is at and what is known
        so far: when that changes, and about ten times a second. If it returns True, the search ends as at a time limit.

    >>> verdict = separability([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> verdict.kind, verdict.margin2 > 0
    ('separable', True)
    >>> separability([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]).kind
    'overlapping'
    """
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    threads, through_origin = thread_count(threads), bool(through_origin)
    if multiclass not in (None, "rest", "pairs"):
        raise InputError(f"unknown multiclass {multiclass!r}; expected None, 'rest' or 'pairs'")
    X = framed(X, y, "reference", through_origin, reference)
    if multiclass is None:
        return decide(two_class_source(X, y, "separability"), through_origin, Watch(seconds, progress), threads)
    if isinstance(X, Source) or y is None:
        raise InputError("of several classes give X and y: separability(X, y, multiclass=...)")
    aligned(X, y)
    examples = Examples.of(X, column_of(y, rows_of(X).n))
    watch, classes = Watch(progress=progress), examples.classes.size
    verdicts: dict[Any, Verdict] = {}

    def ask(key: Any, name: str, one: Examples, of: int, which: Ints | None = None) -> None:
        watch.forget()
        watch.tell(f"{name} ({len(verdicts)} of {of} done)")
        part = watch.part(seconds, watch.last.doing)
        verdicts[key] = decide(one, through_origin, part, threads, which)

    if multiclass == "rest":
        for label, one in each_against_rest(examples):
            ask(label, f"{label} against the rest", one, classes)
    else:
        for pair, which, two in each_pair(examples):
            ask(pair, f"{pair[0]} against {pair[1]}", two, classes * (classes - 1) // 2, which)
    return verdicts


def decide(
    source: Source,
    through_origin: bool,
    seconds: float | Watch,
    threads: int,
    numbers: Ints | None = None,
    witness: tuple[Ints, Vector] | None = None,
) -> Verdict:
    """The verdict on a source of two classes; `numbers` are what their rows are called, a `witness` may be known."""
    begin = time.monotonic()
    watch = watch_for(seconds)
    watch.tell("looking at the rows")
    limit, digest = watch.deadline - begin, digest_of(source)
    if isinstance(source, Examples):
        found = search(source, through_origin, watch, threads, witness=witness)
    else:
        found = search_source(source, through_origin, watch, threads, witness)
    if found.strict:
        kind = "separable"
    elif found.witness is not None and found.v is not None:
        kind = "quasi-separable"
    elif found.balance is not None:
        kind = "overlapping"
    else:
        kind = "undecided"
    took = time.monotonic() - begin
    return Verdict(kind, through_origin, took, source, threads, limit, digest, found, numbers)
