"""The search: is there a hyperplane with every row strictly on its side, and if not, how do the rows lie?

With z_i = y_i·(x_i, 1) (or y_i·x_i through the origin) the question is whether some v has z_i·v > 0 for all i. Few rows
decide it, so the search keeps a small working set: a linear program over it, a scan of all rows for those that are
wrong, the worst of them added, and again (cutting planes, Kelley 1960). Floats only propose; whatever ends the search
is exact:

- a v with every z_i·v > 0. Scores are computed in floats with a bound on their rounding, and rows too close to tell
  are computed exactly;
- multipliers α ≥ 0 with Σ α_i·z_i = 0, solved in rationals on the few rows the linear program points at (Gordan 1873).

Before all that, single columns may decide many rows or all for the price of a few passes (peeling.py): linear programs
are for the rest. Of data that are not separable it is then asked which rows lie on the boundary (partition.py).
"""

import math
import time
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..data.examples import Examples
from ..errors import plural
from ..learning.learn import learn
from .cancelling import first_cancelling
from .cutting_planes import cutting_planes
from .few_columns import in_few_columns
from .narrow import narrowed
from .partition import SearchResult, join, partition_rows
from .peeling import peel
from .rest import rest_of
from .signed_rows import Ints, SignedRows, Vector
from .watch import OutOfTimeError, Watch, watch_for

_MANY = 200  # columns from which on a perceptron is likely to be quicker than a linear program
_FEW = 512  # columns up to which rows that live in them are tried before a perceptron
_SHORT = 1000  # epochs of a perceptron that may better a hyperplane
_DENSE_VISITS = 100_000_000  # numbers of dense rows that a perceptron looks at before linear programs, at most
_VISITS = 1_000_000_000  # numbers that it looks at, at most


def search(
    examples: Examples,
    through_origin: bool,
    seconds: float | Watch,
    threads: int,
    all_rows: bool = True,
    witness: tuple[Ints, Vector] | None = None,
    programs_only: bool = False,
) -> SearchResult:
    """Settle the question; what is known so far, if time runs out. A `witness`, if one is known, is the first step.

    `all_rows` asks who lies on the boundary, too; `programs_only` leaves out what may be quicker than linear programs.
    """
    seconds = watch_for(seconds)
    if (narrow := narrowed(examples)) is not None:
        # Columns that are zero in every row change nothing.
        found = search(narrow.examples, through_origin, seconds, threads, all_rows, witness, programs_only)
        if found.v is not None:
            found.v, found.columns = narrow.widened(found.v), narrow.columns
        return found
    s, found = SignedRows(examples, through_origin, seconds, threads), SearchResult(witness=witness)
    try:
        if witness is None:
            _try_cancelling_rows(s, found)
        peeled = peel(s)
        found.v = peeled.v
        if peeled.v is None:
            _settle(s, found, all_rows, programs_only)
            return found
        freed = s.n - int(peeled.left.sum())
        found.steps.append(f"{plural(peeled.columns, 'column')} alone put {freed} of {s.n} rows strictly on their side")
        if freed < s.n:
            _settle_rest(s, found, peeled.left, all_rows, programs_only)
        else:
            found.strict = True
        if found.strict:
            _widen_margin(s, found)
    except OutOfTimeError:
        found.steps.append(seconds.why)
    return found


def _settle(s: SignedRows, found: SearchResult, all_rows: bool, programs_only: bool) -> None:
    """Rows of which no column alone frees any: a perceptron, linear programs, and who lies on the boundary."""
    if not programs_only and found.witness is None and s.d >= _MANY:
        few = in_few_columns(s)
        # Of dense rows those on the margin are found about as quickly as an epoch of many visits all: a few will do.
        epochs = 2000 if s.rows.is_sparse else min(2000, max(3, _DENSE_VISITS // s.rows.arrays[0].size))
        _try_few_columns(s, found, few, _FEW) or _try_perceptron(s, found, epochs) or _try_few_columns(s, found, few)
    if found.witness is None and not found.strict:
        cutting_planes(s, found)
    if found.strict and found.v is not None:
        found.v = s.tilted(found.v)
    if found.witness is not None and all_rows:
        partition_rows(s, found)


def _settle_rest(
    s: SignedRows, found: SearchResult, left: NDArray[np.bool_], all_rows: bool, programs_only: bool
) -> None:
    """The same of the rows left by a direction `found.v` that is 0 on them; and the two hyperplanes joined."""
    rest, inner = rest_of(s, left), SearchResult()
    if found.witness is not None:  # its rows are all here: no direction frees one
        inner.witness = np.searchsorted(rest.rows, found.witness[0]), found.witness[1]
    try:
        _settle(rest.s, inner, all_rows, programs_only)
    finally:
        found.steps += inner.steps
        if inner.witness is not None:
            found.witness = rest.rows[inner.witness[0]], inner.witness[1]
    if inner.v is not None and found.v is not None:
        found.v, found.strict = join(s, found.v, rest.widened(inner.v), ~left), inner.strict
    if inner.balance is not None:
        found.balance = rest.rows[inner.balance[0]], inner.balance[1]
    if inner.boundary is not None:
        found.boundary = np.zeros(s.n, dtype=bool)
        found.boundary[rest.rows[inner.boundary]] = True


def _widen_margin(s: SignedRows, found: SearchResult) -> None:
    """Joined directions may separate by a hair: a hyperplane in the midst of the rows instead, if it is soon found."""
    better = SearchResult()
    if found.v is not None:
        found.v = s.tilted(found.v)
    with suppress(OutOfTimeError):
        if s.d < _MANY:
            cutting_planes(s, better)
        else:
            _try_perceptron(s, better, max(3, min(_SHORT, _VISITS // (1 + s.rows.arrays[0].size))))
    if better.strict and better.v is not None:
        found.v = s.tilted(better.v)
        found.steps += better.steps


def _try_cancelling_rows(s: SignedRows, found: SearchResult) -> bool:
    """One point with both labels, or a zero row: a witness for the price of one pass."""
    rows = first_cancelling(s)
    if rows is None:
        return False
    found.witness = np.array(rows), [Fraction(1)] * len(rows)
    said = f"row {rows[0]} is zero" if len(rows) == 1 else f"rows {rows[0]} and {rows[1]} cancel each other"
    found.steps.append(said)
    return True


def _try_few_columns(
    s: SignedRows, found: SearchResult, few: Iterator[tuple[int, Ints]], most: float = math.inf
) -> bool:
    """A witness among rows that are 0 in most columns, if there are so many that they can hardly be separated."""
    for columns, rows in few:
        s.tell("looking for rows of few columns that no hyperplane separates", rows=int(rows.size), columns=columns)
        part = s.examples.subset(rows)
        inner = search(part, s.origin, s.watch.part(s.seconds_left() / 4), s.threads, False, programs_only=True)
        if inner.witness is not None:
            found.witness = rows[inner.witness[0]], inner.witness[1]
            found.steps.append(f"a witness among {rows.size} rows that live in {columns} columns")
            return True
        if columns >= most:
            break
    return False


def _try_perceptron(s: SignedRows, found: SearchResult, epochs: int = 2000) -> bool:
    """A run of the perceptron: with many columns it often separates what can be separated."""
    if not np.isfinite(s.radius):
        return False
    s.tell("learning a perceptron, which may separate the rows")
    end = time.monotonic() + min(20.0, s.seconds_left() / 3)
    offset = 0.0 if s.origin else _typical_entry(s)
    run = learn(
        s.examples, order="shuffled", offset=offset, max_epochs=epochs, threads=s.threads,
        callback=lambda _: s.watch.over() or time.monotonic() > end,
    )  # fmt: skip
    s.seconds_left()
    w, b = run.state.read("last")
    v = [Fraction(x) for x in w[:, 0].tolist()] + ([] if s.origin else [Fraction(float(b[0]))])
    if run.status.name == "clean" and (s.signs(v) > 0).all():
        found.v, found.strict = v, True
        found.steps.append(f"a perceptron separated them in {run.epochs} epochs")
        return True
    return False


def _typical_entry(s: SignedRows) -> float:
    """A typical entry: an offset of this scale is learnt neither before nor after the weights."""
    some = abs(s.matrix[s.random.choice(s.n, min(s.n, 1000), False)])
    entries = some.data if hasattr(some, "data") and hasattr(some, "indptr") else np.asarray(some)[np.asarray(some) > 0]
    middle = float(np.median(entries)) if entries.size else 1.0
    return middle if 1e-100 < middle < 1e100 else 1.0
