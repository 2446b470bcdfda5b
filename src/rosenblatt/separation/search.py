"""The search: is there a hyperplane with every row strictly on its side, and if not, how do the rows lie?

With z_i = y_i·(x_i, 1) (or y_i·x_i through the origin) the question is whether some v has z_i·v > 0 for all i. Few rows
decide it, so the search keeps a small working set: a linear program over it, a scan of all rows for those that object,
the worst of them added, and again (cutting planes, Kelley 1960). Floats only propose; whatever ends the search is
exact:

- a v that no row objects to. Scores are computed in floats with a bound on their rounding, and rows too close to tell
  are computed exactly;
- multipliers α ≥ 0 with Σ α_i·z_i = 0, solved in rationals on the few rows the linear program points at (Gordan 1873).

Data that are not separable are then sorted out row by row (Goldman and Tucker 1956): with T all rows at first and
g = Σ_T z_i, either −g = Σ δ_i·z_i with δ ≥ 0, and then α = 1 + δ > 0 shows that every row of T lies on the boundary
of any hyperplane with no row on the wrong side; or some v has z_i·v ≥ 0 on T and g·v > 0, and the rows with z_i·v > 0
leave T.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..examples import Examples, matrix_of, not_finite, rows_of
from ..learning import learn
from .exact import Cone, dependency, independent, integers, null_vector, rounded
from .lp import Program, column_scale

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Vector = list[Fraction]

_UNIT = 2.0**-53
_ZERO = 1e-12  # an objective of a linear program that is not worth trying
_WIDE = 20_000  # columns beyond which no linear program is set up
MOST_COLUMNS = 5_000  # beyond which rows are not sorted out, nor coefficients, in exact numbers
_MANY = 600  # rows added to a working set at once, at most
_SPRINT = 200  # columns from which on a perceptron is likely to be quicker than a linear program


class OutOfTimeError(Exception):
    """The time limit ran out."""


@dataclass
class Found:
    """What is known: each part exact, or None."""

    v: Vector | None = None
    """A hyperplane: strict on all rows, or weak on all and strict on some."""
    strict: bool = False
    witness: tuple[Ints, Vector] | None = None
    """Rows and α > 0 with Σ α·z = 0."""
    balance: tuple[Ints, Vector] | None = None
    """Rows and δ > 0 with Σ_T z + Σ δ·z = 0."""
    boundary: NDArray[np.bool_] | None = None
    """T: the rows that lie on every weakly separating hyperplane."""
    steps: list[str] = field(default_factory=list)


class Search:
    """The rows z, and the questions the search asks of them."""

    def __init__(self, examples: Examples, through_origin: bool, seconds: float, threads: int, seed: int = 0) -> None:
        self.rows, self.y, self.origin, self.threads = examples.rows, examples.labels, through_origin, threads
        self.examples, self.n = examples, examples.n_rows
        self.d = examples.n_columns + (not through_origin)
        self.deadline = time.monotonic() + seconds
        self.random = np.random.default_rng(seed)
        self.matrix = matrix_of(self.rows)
        most, bad, column = _core.radius2(self.rows, threads)
        if column >= 0:
            raise not_finite(bad, column, examples.feature_names)
        self.radius = math.sqrt(most) if bad < 0 else math.inf

    def left(self) -> float:
        """Seconds until the deadline."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise OutOfTimeError
        return seconds

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
        """z_i·v of all rows, in floats."""
        w, b = self.split(v)
        found, *_ = _core.scores(self.rows, np.ascontiguousarray(w[:, None]), np.array([b]), self.threads)
        return np.asarray(found[:, 0] * self.y)

    def signs(self, v: Vector, m: Floats | None = None, among: Ints | None = None) -> NDArray[np.int8]:
        """The sign of z_i·v for all rows (or those of `among`), exactly."""
        near = rounded(v)
        if m is None:
            m = self.margins(near)
        slack = self.slack(near)
        which = np.arange(self.n) if among is None else among
        m = m[which]
        found = np.sign(m).astype(np.int8)
        doubtful = ~(np.abs(m) > slack)  # nan and infinity are doubtful
        if doubtful.any():
            found[doubtful] = self._exact(v, which[doubtful])
        return found

    def slack(self, near: Floats) -> float:
        """How far a margin may be off: the rounding of v itself, of d products and of their sum, and underflow."""
        w, b = self.split(near)
        with np.errstate(over="ignore"):
            size = float(np.abs(w).sum()) * self.radius * (1 + 1e-9) + abs(b)
        return 4 * (self.d + 8) * _UNIT * size + 1e-290 * (1 + self.radius)

    def least(self, v: Vector) -> Fraction:
        """The least z_i·v, exactly: of a row that may have it, and then of any that is below."""
        m = self.margins(rounded(v))
        slack = self.slack(rounded(v))
        low = np.flatnonzero(~(m > np.nanmin(m) + 2 * slack))
        at = int(low[np.nan_to_num(m[low]).argmin()])
        while True:
            least = _dot(self.z([at])[0], v)
            # y·(w·x + b) − least has the sign of y·(w·x + b − y·least).
            below = np.zeros(low.size, dtype=bool)
            for label in (1, -1):
                rows = np.flatnonzero(self.y[low] == label)
                if self.origin:
                    below[rows] = [_dot(z, v) < least for z in self.z(low[rows])] if rows.size else False
                else:
                    below[rows] = self._exact([*v[:-1], v[-1] - label * least], low[rows]) < 0
            if not below.any():
                return least
            at = int(low[below.argmax()])

    def _exact(self, v: Vector, which: Ints) -> NDArray[np.int8]:
        limbs = _limbs(v)
        if limbs is None:
            return np.array([_sign(_dot(z, v)) for z in self.z(which)], dtype=np.int8)
        w, b = (limbs, np.zeros(len(limbs))) if self.origin else (limbs[:, :-1], limbs[:, -1])
        found = _core.exact_signs(self.rows, which, np.ascontiguousarray(w), np.ascontiguousarray(b), self.threads)
        return np.asarray(found * self.y[which], dtype=np.int8)


def search(examples: Examples, through_origin: bool, seconds: float, threads: int, sort_out: bool = True) -> Found:
    """Settle the question; what is known so far, if time runs out."""
    if (used := _used(examples)) is not None:
        # Columns that are zero in every row have no say.
        narrow = Examples(rows_of(matrix_of(examples.rows)[:, used]), examples.labels, examples.classes)
        found = search(narrow, through_origin, seconds, threads, sort_out)
        if found.v is not None:
            full = [Fraction(0)] * examples.n_columns + ([] if through_origin else [found.v[-1]])
            for j, x in zip(used.tolist(), found.v, strict=False):
                full[j] = x
            found.v = full
        return found
    s, found = Search(examples, through_origin, seconds, threads), Found()
    try:
        if not (_opposites(s, found) or _sprint(s, found)):
            _separate(s, found)
        if found.strict and found.v is not None:
            found.v = _with_direction(s, found.v)
        if found.witness is not None and sort_out:
            _sort_out(s, found)
    except OutOfTimeError:
        found.steps.append("the time limit ran out")
    return found


def _used(examples: Examples) -> Ints | None:
    """The columns of sparse rows that occur at all, if that leaves out most of them; else None."""
    if not examples.rows.is_sparse or examples.n_columns < _SPRINT:
        return None
    values, columns, _ = examples.rows.arrays
    used = np.unique(columns[values != 0])
    return used.astype(np.int64) if 0 < used.size < examples.n_columns / 2 else None


def _opposites(s: Search, found: Found) -> bool:
    """Two rows with z_i = −z_j (one point with both labels), or z_i = 0: a witness for the price of one pass.

    Equal rows have equal scores under random weights, so only neighbours in the sorted scores are compared.
    """
    weights = s.random.standard_normal(s.examples.n_columns)
    q, *_ = _core.scores(s.rows, weights[:, None], np.zeros(1), s.threads)
    keys = np.abs(q[:, 0]) if s.origin else q[:, 0]
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero((keys[order[1:]] == keys[order[:-1]]) | ~np.isfinite(keys[order[1:]]))
    if s.origin and (zeros := np.flatnonzero(keys == 0)).size:
        for i in zeros[:1000]:
            if not s.z([i]).any():
                found.witness = np.array([i]), [Fraction(1)]
                found.steps.append(f"row {i} is zero")
                return True
    signs = s.y if not s.origin else np.sign(q[:, 0]) * s.y
    same = same[signs[order[same]] != signs[order[same + 1]]]
    for at in same[:1000]:
        i, j = sorted((int(order[at]), int(order[at + 1])))
        if not (s.z([i]) + s.z([j])).any():
            found.witness = np.array([i, j]), [Fraction(1), Fraction(1)]
            found.steps.append(f"rows {i} and {j} are one point with both labels")
            return True
    return False


def _sprint(s: Search, found: Found) -> bool:
    """A short run of the perceptron: with many columns it often separates what can be separated."""
    if s.d < _SPRINT or not np.isfinite(s.radius):
        return False
    end = time.monotonic() + min(20.0, s.left() / 3)
    offset = 0.0 if s.origin else _typical(s)
    run = learn(
        s.examples, order="shuffled", offset=offset, max_epochs=2000, threads=s.threads,
        callback=lambda _: time.monotonic() > end,
    )  # fmt: skip
    w, b = run.state.read("last")
    v = [Fraction(x) for x in w[:, 0].tolist()] + ([] if s.origin else [Fraction(float(b[0]))])
    if run.status.name == "clean" and (s.signs(v) > 0).all():
        found.v, found.strict = v, True
        found.steps.append(f"a perceptron separated them in {run.epochs} epochs")
        return True
    return False


def _typical(s: Search) -> float:
    """A typical entry: an offset of this scale is learnt neither before nor after the weights."""
    some = abs(s.matrix[s.random.choice(s.n, min(s.n, 1000), False)])
    entries = some.data if hasattr(some, "data") and hasattr(some, "indptr") else np.asarray(some)[np.asarray(some) > 0]
    middle = float(np.median(entries)) if entries.size else 1.0
    return middle if 1e-100 < middle < 1e100 else 1.0


def _first_rows(s: Search) -> Ints:
    """Some rows of each class to begin with."""
    size = min(2 * s.d + 2, _MANY)
    sides = (np.flatnonzero(s.y > 0), np.flatnonzero(s.y < 0))
    some = [side if side.size <= size else s.random.choice(side, size, False) for side in sides]
    return np.unique(np.concatenate(some))


def _separate(s: Search, found: Found) -> None:
    """Cutting planes for strict separation, until a hyperplane or a witness is exact."""
    if s.d > _WIDE:
        found.steps.append(f"{s.d} columns are too many for linear programs")
        return
    working = _first_rows(s)
    table = s.z(working)
    program = Program(s.d, None, column_scale(table))
    program.add(table)
    rounds, trusted = 0, True
    while True:
        rounds += 1
        hint = program.solve(s.left())
        if trusted and hint is not None and hint.value > _ZERO:
            v: Vector = hint.v
        else:
            support = hint.support if hint is not None else np.empty(0, np.int64)
            alpha = dependency(s.z(working[support])) if 0 < support.size <= s.d + 1 else None
            if alpha is not None:
                found.witness = working[support], alpha
                break
            columns, shifts = integers(s.z(working))
            cone = Cone([[*c, 1] for c in columns], [0] * s.d + [1], support.tolist(), s.left)
            if cone.normal is None:
                rows = sorted(cone.multipliers)
                found.witness = working[rows], [cone.multipliers[r] / Fraction(2) ** shifts[r] for r in rows]
                break
            v = cone.normal[:-1]
        m = s.margins(rounded(v))
        wrong = s.signs(v, m) <= 0
        if not wrong.any():
            found.v, found.strict = v, True
            break
        new = _objecting(s, m, wrong, working)
        # If only rows of the working set object, floats have come to their end: from then on it is solved exactly.
        trusted = new.size > 0
        working = np.concatenate([working, new])
        program.add(s.z(new))
    order = np.argsort(found.witness[0]) if found.witness is not None else None
    if found.witness is not None and order is not None:
        found.witness = found.witness[0][order], [found.witness[1][i] for i in order]
    found.steps.append(f"cutting planes: {rounds} linear programs, {working.size} of {s.n} rows")


def _with_direction(s: Search, v: Vector) -> Vector:
    """The same, but if w = 0 (of one class alone, an offset is enough) tilted so little that no row changes sides."""
    if s.origin or any(v[:-1]):
        return v
    column = abs(s.matrix[:, [0]])
    largest = Fraction(float(column.max()))
    return [abs(v[-1]) / (2 * largest) if largest else Fraction(1), *v[1:]]


def _objecting(s: Search, m: Floats, wrong: NDArray[np.bool_], working: Ints) -> Ints:
    """Some of the rows that are wrong: the worst, and others at random."""
    wrong = wrong.copy()
    wrong[working] = False
    rows = np.flatnonzero(wrong)
    size = min(2 * s.d + 2, _MANY)
    if rows.size <= size:
        return rows
    worst = rows[np.argpartition(m[rows], size // 2)[: size // 2]]
    return np.unique(np.concatenate([worst, s.random.choice(rows, size - size // 2, False)]))


def _sort_out(s: Search, found: Found) -> None:
    """Each row strictly on its side of some weak separator, or provably on the boundary of all."""
    assert found.witness is not None
    if s.d > MOST_COLUMNS:
        found.steps.append(f"{s.d} columns are too many to sort out the rows exactly")
        return
    T = np.ones(s.n, dtype=bool)
    working = np.unique(np.concatenate([found.witness[0], _first_rows(s)]))
    while True:
        working = working[T[working]]
        if working.size == 0:
            working = np.flatnonzero(T)[: 2 * s.d]
        outcome, signs, working = _balance(s, T, working)
        if isinstance(outcome, dict):
            rows = sorted(outcome)
            found.balance = np.array(rows, dtype=np.int64), [outcome[r] for r in rows]
            found.boundary = T
            found.steps.append(f"{int(T.sum())} rows lie on every weak separator; {len(rows)} multipliers prove it")
            return
        found.v = outcome if found.v is None else _join(s, found.v, outcome, ~T)
        T[T] = signs == 0


def _total(s: Search, T: NDArray[np.bool_]) -> Vector:
    """G = Σ_T z_i, exactly."""
    signs = np.where(T, s.y, 0).astype(np.int8)
    cells, exponent = _core.exact_sums(s.rows, signs, s.threads)
    weights = [1 << (32 * c) for c in range(cells.shape[1])]
    unit = Fraction(2) ** exponent
    g = [sum(c * w for c, w in zip(row, weights, strict=True) if c) * unit for row in cells.tolist()]
    return g if s.origin else [*g, Fraction(int(signs.sum()))]


def _balance(
    s: Search, T: NDArray[np.bool_], working: Ints
) -> tuple[dict[int, Fraction] | Vector, NDArray[np.int8], Ints]:
    """δ ≥ 0 with Σ_T z + Σ δ·z = 0, or v with z·v ≥ 0 on T and > 0 somewhere, and these signs; and the working set."""
    g, none = _total(s, T), np.empty(0, dtype=np.int8)
    if not any(g):
        return {}, none, working
    size = max(abs(x) for x in g)
    program = Program(s.d, np.array([float(x / size) for x in g]), column_scale(s.z(working)))
    program.add(s.z(working))
    attempts = 0
    while True:
        hint = program.solve(s.left())
        if hint is not None and hint.value > _ZERO and attempts < 4:
            near = rounded(hint.v)
            m = s.margins(near)
            m[~T] = np.inf
            slack = 1e-7 * float(np.abs(m[T]).max())
            new = _objecting(s, m, m < -slack, working)
            if new.size:
                working = np.concatenate([working, new])
                program.add(s.z(new))
                continue
            attempts += 1
            if (weak := _weak(s, T, near, np.abs(m) <= slack, 12 * attempts)) is not None:
                return *weak, working
        # Floats have come to their end: exactly, on the working set.
        columns, shifts = integers(s.z(working))
        scale = math.lcm(*(x.denominator for x in g))
        cone = Cone(columns, [int(-x * scale) for x in g], hint.support.tolist() if hint is not None else [], s.left)
        if cone.normal is None:
            # −g·scale = Σ x·N and z = N·2^shift, so δ = x/(scale·2^shift).
            delta = {int(working[r]): x / scale / Fraction(2) ** shifts[r] for r, x in cone.multipliers.items()}
            return delta, none, working
        m = s.margins(rounded(cone.normal))
        m[~T] = np.inf
        wrong, signs = np.zeros(s.n, dtype=bool), s.signs(cone.normal, m, np.flatnonzero(T))
        wrong[T] = signs < 0
        if not wrong.any():
            return cone.normal, signs, working
        new = _objecting(s, m, wrong, working)
        working = np.concatenate([working, new])
        program.add(s.z(new))


def _weak(
    s: Search, T: NDArray[np.bool_], near: Floats, zero: NDArray[np.bool_], bits: int
) -> tuple[Vector, NDArray[np.int8]] | None:
    """A vector close to `near`, exactly orthogonal to the rows of T it nearly is, and the signs of all rows of T.

    None if there is none, or if some row objects.
    """
    among = np.flatnonzero(T)
    off, basis = np.flatnonzero(T & zero), np.empty((0, s.d))
    while True:
        # As many rows as are independent of the others; of many, some will do.
        some = off if off.size <= 4 * s.d else s.random.choice(off, 4 * s.d, False)
        table = np.vstack([basis, s.z(some)])
        kept = independent(integers(table)[0])
        if off.size and len(kept) == len(basis):
            return None
        basis = table[kept]
        v = null_vector(basis, near, bits)
        if not any(v):
            return None
        signs = s.signs(v, None, among)
        off = among[(signs != 0) & zero[among]]
        if off.size == 0:
            return (v, signs) if (signs >= 0).all() and (signs > 0).any() else None


def _join(s: Search, old: Vector, new: Vector, settled: NDArray[np.bool_]) -> Vector:
    """old·K + new, with K so large that the rows already settled stay strictly on their side."""
    rows = np.flatnonzero(settled)
    before, after = (s.margins(rounded(v))[rows] for v in (old, new))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = float(np.nanmax(np.where(before > 0, -after / before, 0.0), initial=0.0))
    # Both were rounded to a largest entry of about 1.
    K = Fraction(2) ** max(0, math.frexp(min(ratio, 1e300))[1] + 1) * max(map(abs, new)) / max(map(abs, old))
    while True:
        s.left()
        v = [K * a + b for a, b in zip(old, new, strict=True)]
        if (s.signs(v, None, rows) > 0).all():
            return v
        K *= 2**64


def _limbs(v: Vector) -> Floats | None:
    """Doubles (L, d) whose columns sum to a positive multiple of v, exactly; None if that takes too many."""
    scale = math.lcm(*(x.denominator for x in v))
    whole = [int(x * scale) for x in v]
    common = math.gcd(*whole) or 1
    whole = [x // common for x in whole]
    if max(x.bit_length() for x in whole) > 1500:
        return None
    limbs, mask = [], (1 << 53) - 1
    shift = 0
    while any(whole):
        part = [(abs(x) & mask) * (1 if x >= 0 else -1) for x in whole]
        limbs.append([math.ldexp(p, shift - 500) for p in part])
        whole = [(abs(x) >> 53) * (1 if x >= 0 else -1) for x in whole]
        shift += 53
    return np.array(limbs) if limbs else np.zeros((1, len(v)))


def _dot(z: Floats, v: Vector) -> Fraction:
    return sum((Fraction(a) * x for a, x in zip(z.tolist(), v, strict=True) if a), Fraction(0))


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
