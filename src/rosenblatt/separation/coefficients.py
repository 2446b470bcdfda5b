"""Which coefficients of a logistic regression are finite?

Its likelihood grows for ever along every v of the cone C = {v : z_i·v ≥ 0 for all rows} that is not orthogonal to all
z_i (Albert and Anderson 1984). So coefficient j is finite if v_j = 0 on all of C, runs to +∞ or −∞ if v_j has one
sign on C, and is indeterminate if it has both.

The rows T that lie on the boundary of every v of C span a space; C lies in its orthogonal complement L, and a v₀ of the
search is strictly inside on all other rows. A relation between the columns on T, column j = Σ c_k·column k, is a vector
of L, and all of them are a basis: a column that is in no relation is finite, and any other is not. On L it remains to
ask of each of those for its sign (cone_questions.py).

It is told as far as it comes: a few passes say much of very many columns (first_look.py), and what is not settled when
time runs out is called so.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .cone_questions import ConeQuestions
from .dependent import DROPPED, Dependences, without_dropped
from .evidence import BOTH, DOWN, INFINITE, UP, Evidence
from .first_look import first_look, single_columns
from .in_use import in_use
from .partition import SearchResult
from .relations import ColumnSum, Relations
from .signed_rows import SignedRows, Vector
from .watch import OutOfTimeError


def coefficients(
    s: SignedRows, found: SearchResult, dropped: Dependences, open_: Mapping[int, ColumnSum] | None = None
) -> list[str]:
    """A word for each coefficient, the offset last (if there is one): what is known when time runs out.

    `open_` are the relations between the columns on T, if they are known (see `open_directions`).
    """
    if (part := in_use(s)) is not None:
        inner = replace(dropped, sums=part.of(dropped.sums))
        some = coefficients(part.rows, part.result(found), inner, None if open_ is None else part.of(open_))
        words = [DROPPED] * s.d
        for j, word in zip(part.names, some, strict=True):
            words[j] = word
        return words
    known = Evidence(s.d)
    try:
        _gather(s, found, dropped, open_, known)
    except OutOfTimeError:
        s.watch.tell("time ran out")
    words = known.words()
    if not dropped.settled:
        # Any column may yet turn out to be dropped: of those kept it is true that they are not finite.
        words = [INFINITE if word in (UP, DOWN, BOTH) else word for word in words]
    return [DROPPED if j in dropped.sums else word for j, word in enumerate(words)]


def open_directions(s: SignedRows, found: SearchResult, dropped: Dependences) -> Mapping[int, ColumnSum]:
    """The relations between the columns that are kept, on the rows T: column j = Σ c_k·column k, by j."""
    assert found.boundary is not None or found.strict
    if (part := in_use(s)) is not None:
        inner = replace(dropped, sums=part.of(dropped.sums))
        return part.wide(open_directions(part.rows, part.result(found), inner))
    order = [j for j in column_order(s) if j not in dropped.sums]
    T = np.empty(0, dtype=np.int64) if found.boundary is None else np.flatnonzero(found.boundary)
    return Relations(s, T, order).find().sums


def column_order(s: SignedRows) -> list[int]:
    """The columns in the order in which R's glm takes them: the offset first."""
    return [*range(s.d)] if s.origin else [s.d - 1, *range(s.d - 1)]


def _gather(
    s: SignedRows, found: SearchResult, dropped: Dependences, open_: Mapping[int, ColumnSum] | None, known: Evidence
) -> None:
    if found.v is None:
        if dropped.settled and found.boundary is not None and found.boundary.all():
            known.never_up[:] = known.never_down[:] = True
        return
    s.tell("which coefficients are infinite")
    if found.strict and not dropped.settled:
        known.moves[:] = True  # C has all directions near v, so that no coefficient stays where it is
        return
    single_columns(s, known)
    if not dropped.settled:
        first_look(s, found.v, known, None)
        return
    v = without_dropped(found.v, dropped.sums)
    first_look(s, v, known, dropped.sums)
    if found.boundary is None and not found.strict:
        return  # C may be larger than any space that is known to hold it
    if open_ is None:
        open_ = open_directions(s, found, dropped)
    moving = {*open_, *(k for combination in open_.values() for k in combination)}
    for j in range(s.d):
        known.never_up[j] = known.never_down[j] = j not in moving
        known.moves[j] = j in moving
        if j in moving and v[j] == 0:
            known.up[j] = known.down[j] = True  # v₀ can be moved to either side
    _ask(s, found, open_, v, known)


def _ask(s: SignedRows, found: SearchResult, open_: Mapping[int, ColumnSum], v: Vector, known: Evidence) -> None:
    T = np.zeros(s.n, dtype=bool) if found.boundary is None else found.boundary
    waiting = [j for j in range(s.d) if not known.settled(j)]
    if not waiting:
        return
    questions = ConeQuestions(s, T, open_, v, known)
    for at, j in enumerate(waiting):
        s.tell(f"which coefficients are infinite: {at} of {len(waiting)}")
        s.seconds_left()
        if not known.settled(j):
            questions.ask(j)
