"""Dichotomies: which labelings of some points can a hyperplane make?

Of n points in general position in R^d exactly 2·Σ_{i≤d} C(n−1, i) labelings are separable with an offset, 2·Σ_{i<d}
through the origin (Cover 1965); of others, fewer. A set is shattered if all its labelings are separable: the largest
number of points that can be is the VC dimension, d + 1 (d through the origin).

A labeling of some of the points that no hyperplane makes stays so whatever the other labels are, so the points are
labelled one after the other and only what is separable so far is asked again.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.examples import Examples
from ..data.rows import matrix_of, rows_of
from ..errors import InputError
from ..proof.fingerprint import fingerprint
from ..proof.parts import ExactHyperplane, Witness
from ..proof.proof import Proof
from .search import search
from .signed_rows import SignedRows

MOST_POINTS = 16

Labels = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Dichotomies:
    """The separable labelings of some points, and why the others are not.

    n_points, n_columns
        The points' number and dimension.
    labelings
        The separable ones, each a tuple of ±1, with its hyperplane (w, b) in exact numbers.
    conflicts
        Rows with their signs that no hyperplane gives them, and multipliers that prove it: every labeling that is not
        separable has one of these in it.
    """

    n_points: int
    n_columns: int
    through_origin: bool
    points: Any
    labelings: dict[Labels, tuple[Fraction, ...]]
    conflicts: tuple[tuple[tuple[int, ...], Labels, tuple[Fraction, ...]], ...]

    def __repr__(self) -> str:
        counts = f"{len(self)} of {2**self.n_points} separable, Cover's count {self.cover}"
        return f"<Dichotomies of {self.n_points} points: {counts}>"

    def __len__(self) -> int:
        return len(self.labelings)

    @property
    def cover(self) -> int:
        """Cover's count: how many there would be if the points were in general position."""
        return cover(self.n_points, self.n_columns, self.through_origin)

    @property
    def shattered(self) -> tuple[int, ...]:
        """The largest set of points all of whose labelings are separable; the first of equals."""
        table = np.array(sorted(self.labelings), dtype=np.int8).reshape(len(self.labelings), self.n_points)
        best: tuple[int, ...] = ()
        for size in range(1, self.n_points + 1):
            sets = combinations(range(self.n_points), size)
            found = next((s for s in sets if len(np.unique(table[:, s], axis=0)) == 2**size), None)
            if found is None:
                break
            best = found
        return best

    def proof(self, labels: Any) -> Proof:
        """Of one labeling: that it is separable, or that it is not."""
        chosen = tuple(int(label) for label in labels)
        if len(chosen) != self.n_points or not set(chosen) <= {-1, 1}:
            raise InputError(f"a labeling is {self.n_points} labels, each -1 or 1")
        common: dict[str, Any] = {
            "rows": self.n_points,
            "columns": self.n_columns,
            "through_origin": self.through_origin,
            "sha256": fingerprint(self.points, np.array(chosen)),
        }
        if (v := self.labelings.get(chosen)) is not None:
            w, b = (v, Fraction(0)) if self.through_origin else (v[:-1], v[-1])
            examples = Examples(rows_of(self.points), np.array(chosen, dtype=np.int8), np.array([-1, 1]))
            margin2 = SignedRows(examples, self.through_origin, np.inf, 1).margin2(list(v))
            return Proof("separable", hyperplane=ExactHyperplane.of(w, b), margin2=margin2, **common)
        for rows, signs, alpha in self.conflicts:
            if all(chosen[i] == s for i, s in zip(rows, signs, strict=True)):
                return Proof("inseparable", witness=Witness(rows, alpha), **common)
        raise AssertionError("a labeling is separable or in conflict")


def cover(n: int, d: int, through_origin: bool = False) -> int:
    """2·Σ C(n−1, i) over i ≤ d, or i < d through the origin.

    >>> cover(4, 2), cover(3, 2)
    (14, 8)
    """
    return 2 * sum(comb(n - 1, i) for i in range(d + (not through_origin)))


def dichotomies(X: Any, *, through_origin: bool = False) -> Dichotomies:
    """Every labeling of up to 16 points: separable, with a hyperplane, or not, with the rows that are in conflict.

    >>> found = dichotomies([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> found, found.shattered
    (<Dichotomies of 4 points: 14 of 16 separable, Cover's count 14>, (0, 1, 2))
    """
    rows = rows_of(X)
    if rows.n > MOST_POINTS:
        raise InputError(f"{rows.n} points have 2^{rows.n} labelings: up to {MOST_POINTS} points are asked")
    points: NDArray[Any] = matrix_of(rows)
    points = np.ascontiguousarray(points.toarray() if hasattr(points, "toarray") else points)
    known: dict[Labels, tuple[Fraction, ...]] = {(): ()}
    conflicts: list[tuple[tuple[int, ...], Labels, tuple[Fraction, ...]]] = []
    for k in range(1, rows.n + 1):
        part = rows_of(points[:k])
        extended: dict[Labels, tuple[Fraction, ...]] = {}
        for labels in [(*begun, sign) for begun in known for sign in (1, -1)]:
            negated = tuple(-label for label in labels)
            if negated in extended:
                extended[labels] = tuple(-x for x in extended[negated])
                continue
            if any(_holds(conflict, labels) for conflict in conflicts):
                continue
            examples = Examples(part, np.array(labels, dtype=np.int8), np.array([-1, 1]))
            found = search(examples, through_origin, np.inf, 1, all_rows=False)
            if found.strict and found.v is not None:
                extended[labels] = tuple(found.v)
            elif found.witness is not None:
                which, alpha = tuple(found.witness[0].tolist()), tuple(found.witness[1])
                signs = tuple(labels[i] for i in which)
                conflicts += [(which, signs, alpha), (which, tuple(-s for s in signs), alpha)]
        known = extended
    return Dichotomies(rows.n, rows.d, through_origin, points, known, tuple(conflicts))


def _holds(conflict: tuple[tuple[int, ...], Labels, tuple[Fraction, ...]], labels: Labels) -> bool:
    rows, signs, _ = conflict
    return all(labels[i] == s for i, s in zip(rows, signs, strict=True))
