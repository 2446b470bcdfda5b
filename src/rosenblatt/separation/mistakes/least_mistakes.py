"""The fewest mistakes any hyperplane makes, as a certified bracket.

A mistake is a row with m = y·(w·x + b) ≤ 0. To find the fewest is NP-hard when the number of columns is not fixed
(Johnson and Preparata 1978), so the answer is a bracket: `upper`, the mistakes of a hyperplane, counted exactly; and
`lower`, which none can go below. Witnesses show it: few rows each that no hyperplane gets all right, with weights by
which no row counts twice (packing.py). Leaving out the rows on the wrong side makes the rest separable; and rows that
sit in many witnesses are the ones to look at first for wrong labels.
"""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...choices import count, number, thread_count
from ...data.examples import Examples
from ...data.two_classes import two_class_source
from ...files.door import framed
from ..streamed.mistakes import bracket_source
from ..watch import SearchProgress, Watch
from .of_examples import bracket_examples
from .result import LeastMistakes


def least_mistakes(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = False,
    time_limit: float | None = 10.0,
    threads: int | None = None,
    seed: int = 0,
    progress: Callable[[SearchProgress], object] | None = None,
) -> LeastMistakes:
    """How few mistakes can a hyperplane make? A certified bracket, and the rows to suspect of wrong labels.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y; or any other
        `Source` of two classes, whose rows need not fit into memory (streamed/mistakes.py).
    through_origin
        Whether to ask for hyperplanes through the origin only.
    time_limit
        Seconds after which the bracket is given as it is; it ends earlier if the bounds meet. None: it goes on until
        they do, or until nothing more is found; that may take very long.
    threads
        None: as many as there are CPUs.
    seed
        Where the search begins. Two equal calls give equal answers, except where a clock ends them.
    progress
        Called with a `SearchProgress` (rosenblatt.separation.watch), which says what the search is at and what is known
        so far: when that changes, and about ten times a second. If it returns True, the search ends as at a time limit.

    >>> result = least_mistakes([[1], [2], [3], [4], [5], [6]], [-1, -1, 1, -1, 1, 1])
    >>> result.lower, result.upper, result.by, result.check().holds
    (1, 1, 'sweep', True)
    >>> result.suspects[0].row in (2, 3)
    True
    """
    begin = time.monotonic()
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    threads = thread_count(threads)
    seed = count("seed", seed, least=0)
    source = two_class_source(framed(X, y), y, "least_mistakes")
    watch = Watch(seconds, progress)
    watch.tell("looking at the rows")
    if isinstance(source, Examples):
        found = bracket_examples(source, bool(through_origin), watch, threads, seed, seconds)
    else:
        found = bracket_source(source, bool(through_origin), watch, threads, seed, seconds)
    return replace(found, seconds=time.monotonic() - begin)
