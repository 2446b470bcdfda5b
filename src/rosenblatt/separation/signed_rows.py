"""The rows z_i = y_i·(x_i, 1), or y_i·x_i through the origin, and what the search asks of them.

z_i·v has the sign of the row's margin. Scores are computed in floats with a bound on their rounding; rows too close to
tell are computed exactly, by the core's long accumulator.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.examples import Examples
from ..data.float64 import UNIT_ROUNDOFF
from ..data.rows import matrix_of, not_finite
from ..data.scans import largest_square
from .exact import rounded
from .watch import Watch, watch_for
from .whole_table import WholeTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Vector = list[Fraction]

LIMB_BITS = 1500  # of the numbers that the core takes
_ROOM = 100  # powers of two between the largest number and a sum of products that cannot overflow
_LONG = 200_000  # numbers of rows that are multiplied by long ones at a time
_MANY = 600  # rows added to a working set at once, at most


class SignedRows:
    """The rows z, a watch (its deadline, and who looks on) and a random generator."""

    def __init__(
        self, examples: Examples, through_origin: bool, seconds: float | Watch, threads: int, seed: int = 0
    ) -> None:
        self.rows, self.y, self.origin, self.threads = examples.rows, examples.labels, through_origin, threads
        self.examples, self.n = examples, examples.n_rows
        self.d = examples.n_columns + (not through_origin)
        self.watch = watch_for(seconds)
        self.tell, self.seconds_left = self.watch.tell, self.watch.seconds_left
        self.random = np.random.default_rng(seed)
        self.matrix = matrix_of(self.rows)
        most, bad, column = largest_square(examples, threads)
        if column >= 0:
            raise not_finite(bad, column, examples.feature_names)
        self.radius = math.sqrt(most) if bad < 0 else math.inf

    def __reduce__(self) -> tuple[Any, ...]:
        # The clock and the random generator begin anew.
        return SignedRows, (self.examples, self.origin, math.inf, self.threads)

    @property
    def deadline(self) -> float:
        """The moment when time runs out."""
        return self.watch.deadline

    def z(self, which: Any) -> Floats:
        """The rows z of these numbers, as floats: exactly what is stored."""
        X = self.matrix[which]
        table = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        if not self.origin:
            table = np.hstack([table, np.ones((table.shape[0], 1))])
        return table * self.y[which, None]

    def split(self, v: Sequence[Any] | Floats) -> tuple[Floats, float]:
        """(w, b) of v."""
        values = np.asarray(v, dtype=np.float64)
        return (values, 0.0) if self.origin else (values[:-1], float(values[-1]))

    def margins(self, v: Floats) -> Floats:
        """z_i·v of all rows, in floats; infinite where it overflows."""
        w, b = self.split(v)
        found, overflowed, _ = _core.scores(self.rows, np.ascontiguousarray(w[:, None]), np.array([b]), self.threads)
        if not np.isfinite(v).all():
            return np.full(self.n, np.nan)
        if overflowed >= 0:  # perhaps in both directions, ∞ − ∞: once more, with weights for which nothing overflows
            power = int(np.frexp(np.abs(v).max())[1]) + _ROOM
            w, b = self.split(np.ldexp(v, -power))
            found, *_ = _core.scores(self.rows, np.ascontiguousarray(w[:, None]), np.array([b]), self.threads)
            with np.errstate(over="ignore"):  # the margins that overflow, and no others
                found = np.ldexp(found, power)
        return np.asarray(found[:, 0] * self.y)

    def random_scores(self) -> Floats:
        """w·x_i of all rows under random weights: rows that are equal have equal ones, others hardly ever."""
        weights = self.random.standard_normal(self.examples.n_columns)
        if not math.isfinite(self.radius):
            weights = np.ldexp(weights, -_ROOM)  # so that none overflows
        found, *_ = _core.scores(self.rows, weights[:, None], np.zeros(1), self.threads)
        return np.asarray(found[:, 0])

    def signs(
        self, v: Vector, m: Floats | None = None, among: Ints | None = None, near: Floats | None = None
    ) -> NDArray[np.int8]:
        """The sign of z_i·v for all rows (or those of `among`), exactly. `near` is the rounded v, if it is known."""
        near = rounded(v) if near is None else near
        if m is None:
            m = self.margins(near)
        slack = self.slack(near)
        which = np.arange(self.n) if among is None else among
        m = np.nan_to_num(m[which], nan=0.0)
        found = np.sign(m).astype(np.int8)
        doubtful = ~((np.abs(m) > slack) & (np.abs(m) < 1e300))  # what overflowed is doubtful, too
        if doubtful.any():
            found[doubtful] = self.signs_at(v, which[doubtful])
        return found

    def level_signs(self, v: Vector, m: Floats, near: Floats, level: Fraction, shift: float) -> NDArray[np.int8]:
        """The sign of z_i·v − level for all rows, exactly; for `near`, a multiple of v, the level is about `shift`."""
        with np.errstate(invalid="ignore"):
            m = np.nan_to_num(m - shift, nan=0.0, posinf=np.inf, neginf=-np.inf)
        found = np.sign(m).astype(np.int8)
        doubtful = np.flatnonzero(~((np.abs(m) > self.slack(near) + 1e-9 * abs(shift)) & (np.abs(m) < 1e300)))
        if doubtful.size:
            found[doubtful] = self.signs_at(v, doubtful, level)
        return found

    def mistakes(self, v: Vector) -> Ints:
        """The rows with z_i·v ≤ 0, exactly."""
        return np.flatnonzero(self.signs(v) <= 0)

    def tilted(self, v: Vector) -> Vector:
        """The same v, but if w = 0 with a little of the first weight: so little that no row changes sides.

        An offset alone decides for one class, which may be the best there is; but a hyperplane has w ≠ 0.
        """
        if any(v[: self.examples.n_columns]):
            return v
        if self.origin or not v[-1]:
            return [Fraction(1), *v[1:]]
        largest = Fraction(float(abs(self.matrix[:, [0]]).max()))
        return [abs(v[-1]) / (2 * largest) if largest else Fraction(1), *v[1:]]

    def slack(self, near: Floats) -> float:
        """How far a margin may be off: the rounding of v itself, of d products and of their sum, and underflow."""
        w, b = self.split(near)
        with np.errstate(over="ignore"):
            size = float(np.abs(w).sum()) * self.radius * (1 + 1e-9) + abs(b)
        return 4 * (self.d + 8) * UNIT_ROUNDOFF * size + 1e-290 * (1 + self.radius)

    def enclosed(self, v: Floats, which: Ints, spread: Floats | None = None) -> tuple[Floats, Floats]:
        """z_i·v of these rows, and how far each may be off: by its own terms, not those of the longest row.

        `spread` says how far each entry of v may be off itself.
        """
        w, b = self.split(v)
        X = self.matrix[which]
        X = X.astype(np.float64)
        width = np.diff(X.indptr) if hasattr(X, "indptr") else X.shape[1]
        size = abs(X)
        slack = (width + 4) * UNIT_ROUNDOFF * 1.01 * (np.asarray(size @ np.abs(w)) + abs(b)) + 1e-290
        if spread is not None:
            off, off_b = self.split(spread)
            slack = slack + (np.asarray(size @ off) + off_b) * 1.01
        return (np.asarray(X @ w) + b) * self.y[which], slack

    def least(self, v: Vector) -> Fraction:
        """The least z_i·v, exactly: of a row that may have it, and then of any that is below."""
        near = rounded(v)
        m, slack = self.margins(near), self.slack(near)
        low = np.flatnonzero(~(m > np.nanmin(m) + 2 * slack))
        at = int(low[np.nan_to_num(m[low]).argmin()])
        while True:
            least = exact_dot(self.z([at])[0], v)
            below = self.signs_at(v, low, least) < 0
            if not below.any():
                return least
            at = int(low[below.argmax()])

    def margin2(self, v: Vector) -> Fraction:
        """(min z·v)²/‖w‖², exactly, of a v that separates."""
        least = self.least(v)
        if least <= 0:
            raise AssertionError("a separator that does not separate")
        scale, w = whole(v if self.origin else v[:-1])
        return least * least * scale**2 / sum(x * x for x in w)

    def signs_at(self, v: Vector, which: Ints, level: Fraction = Fraction(0)) -> NDArray[np.int8]:
        """The signs of z_i·v − level for these rows: exactly, and quick if v has no long numbers."""
        w, b = (v, Fraction(0)) if self.origin else (v[:-1], v[-1])
        limbs = _limbs([*w, b + level, b - level])
        if limbs is None:
            return np.array(self._long_signs(v, which, level), dtype=np.int8)
        found, weights = np.empty(which.size, dtype=np.int8), np.ascontiguousarray(limbs[:, :-2])
        for label, offsets in ((-1, limbs[:, -2]), (1, limbs[:, -1])):
            # y·(w·x + b) − level has the sign of y·(w·x + b − y·level).
            rows = np.flatnonzero(self.y[which] == label)
            signs = _core.exact_signs(self.rows, which[rows], weights, np.ascontiguousarray(offsets), self.threads)
            found[rows] = signs * label
        return found

    def _long_signs(self, v: Vector, which: Ints, level: Fraction) -> list[int]:
        """The same, for numbers of any length: some rows at a time, in whole numbers."""
        found: list[int] = []
        step = max(1, _LONG // self.d)
        for first in range(0, which.size, step):
            self.seconds_left()
            table = WholeTable(self.z(which[first : first + step]))
            columns = np.flatnonzero(table.odd.any(axis=0))
            powers = table.column_powers.tolist()
            own = [v[j] * Fraction(2) ** powers[j] for j in columns.tolist()]
            scale = math.lcm(*(x.denominator for x in own))
            products = table.products([int(x * scale) for x in own], columns, self.seconds_left) if columns.size else []
            levels = [level * scale / Fraction(2) ** e for e in table.row_powers.tolist()]
            found += [_sign(a - b) for a, b in zip(products or [0] * len(levels), levels, strict=True)]
        return found

    def starting_rows(self) -> Ints:
        """Some rows of each class to begin with."""
        size = min(2 * self.d + 2, _MANY)
        sides = (np.flatnonzero(self.y > 0), np.flatnonzero(self.y < 0))
        some = [side if side.size <= size else self.random.choice(side, size, False) for side in sides]
        return np.unique(np.concatenate(some))

    def violating(self, m: Floats, wrong: NDArray[np.bool_], working: Ints) -> Ints:
        """Some of the rows that are wrong: the worst, and others at random."""
        wrong = wrong.copy()
        wrong[working] = False
        rows = np.flatnonzero(wrong)
        size = min(2 * self.d + 2, _MANY)
        if rows.size <= size:
            return rows
        worst = rows[np.argpartition(m[rows], size // 2)[: size // 2]]
        return np.unique(np.concatenate([worst, self.random.choice(rows, size - size // 2, False)]))


def _limbs(v: Vector) -> Floats | None:
    """Doubles (L, d) whose columns sum to a positive multiple of v, exactly; None if that takes too many."""
    _, numbers = whole(v)
    common = math.gcd(*numbers) or 1
    numbers = [x // common for x in numbers] if common > 1 else numbers
    bits = max(x.bit_length() for x in numbers)
    if bits > LIMB_BITS:
        return None
    signs = np.array([-1.0 if x < 0 else 1.0 for x in numbers])
    numbers, mask = [abs(x) for x in numbers], (1 << 53) - 1
    limbs = np.zeros((bits // 53 + 1, len(v)))
    for k in range(len(limbs)):
        limbs[k] = np.ldexp(np.array([x & mask for x in numbers], dtype=np.float64) * signs, 53 * k - 500)
        numbers = [x >> 53 for x in numbers]
    return limbs


def whole(v: Sequence[Fraction]) -> tuple[int, list[int]]:
    """The common denominator of some numbers, and the numbers times it.

    >>> whole([Fraction(1, 2), Fraction(-2, 3)])
    (6, [3, -4])
    """
    ratios = [x.as_integer_ratio() for x in v]
    denominators = {q for _, q in ratios}
    scale = math.lcm(*denominators)
    factors = {q: scale // q for q in denominators}
    return scale, [p * factors[q] for p, q in ratios]


def exact_dot(z: Floats, v: Vector) -> Fraction:
    """z·v, exactly."""
    return sum((Fraction(a) * x for a, x in zip(z.tolist(), v, strict=True) if a), Fraction(0))


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
