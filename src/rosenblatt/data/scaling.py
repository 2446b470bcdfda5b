"""Scaling: columns brought to one size before learning, and the weights back into the caller's own units.

A perceptron takes its steps in proportion to the rows, so a column of thousands outweighs one of thousandths for a long
time. Under a scale it learns from x̃ = (x − c)/f instead, column by column:

    standard      c the mean, f the standard deviation (of all rows, not n − 1); sparse rows are not centred, c = 0
    max           f = max |x|
    power-of-two  f the least power of two that is no less than max |x|, so that nothing is rounded

A column that is constant, but for some ulps, has f = 1. What is learnt, w̃·x̃ + b̃, is a hyperplane of the rows themselves
(`fold`): w = w̃/f and b = b̃ − Σ c·w. So nothing has to be scaled to predict.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InputError
from .float64 import UNIT_ROUNDOFF
from .rows import matrix_of, not_finite, rows_of
from .source import Question, Source, TakenRows

Floats = NDArray[np.float64]

_ULPS = 16 * UNIT_ROUNDOFF  # of its largest value: a column that spreads by no more is constant
_TINY = 2.0**-960  # columns no larger than that are left alone: weights for them would leave float64


@dataclass(frozen=True, eq=False)
class Scaling:
    """Of each column its centre c and its factor f > 0; and which kind of scale they make.

    >>> scaling = Scaling("max", np.zeros(2), np.array([4.0, 0.5]))
    >>> scaling.apply([[2.0, 0.5]]).tolist(), scaling.fold(np.array([[1.0], [1.0]]), np.zeros(1))[0].tolist()
    ([[0.5, 1.0]], [[0.25], [2.0]])
    """

    kind: str
    centre: Floats
    factor: Floats

    def __post_init__(self) -> None:
        for name in ("centre", "factor"):
            column = getattr(self, name)
            if not isinstance(column, np.ndarray) or column.dtype != np.float64 or column.ndim != 1:
                raise InputError(f"the {name} of a scale must be one float64 for each column")
            if not np.isfinite(column).all():
                raise InputError(f"the {name} of a scale must be finite")
            column = np.ascontiguousarray(column)
            column.flags.writeable = False
            object.__setattr__(self, name, column)
        if self.centre.size != self.factor.size or not (self.factor > 0).all():
            raise InputError("the factors of a scale must be above 0, as many as there are centres")

    @classmethod
    def of(cls, source: Source, kind: str, centred: bool = True) -> "Scaling":
        """The scale of the rows of a source, in one pass over them; in two, if it is standard.

        Sample weights do not enter it. Not `centred`: without centres, for a hyperplane through the origin.
        """
        d, n = source.n_columns, source.n_rows
        ranges = source.ask(_Ranges(d, source.feature_names))
        low, high, stored = ranges.low, ranges.high, ranges.stored
        absent = stored < n  # of a sparse column: what is not stored is 0
        low, high = np.where(absent, np.minimum(low, 0), low), np.where(absent, np.maximum(high, 0), high)
        largest = np.maximum(np.abs(low), np.abs(high))
        if kind != "standard":
            usable = largest > _TINY
            factor = np.where(usable, largest if kind == "max" else _power_above(largest), 1.0)
            return cls(kind, np.zeros(d), factor)
        # The sums were made of x·2⁻⁶⁴.
        mean = np.clip((ranges.total + ranges.lost) / n * 2.0**64, low, high)
        with np.errstate(over="ignore"):
            spread = high - low
        if not source.is_sparse and (wide := np.flatnonzero(~np.isfinite(spread))).size:
            raise InputError(f"column {wide[0]}: its values are too far apart to be centred; use the scale 'max'")
        varies = (spread > _ULPS * largest) & (largest > _TINY)
        # In units of a power of two near the largest value, so that no square leaves float64.
        unit = np.where(varies, 1 / _power_above(np.where(varies, largest, 1.0)), 0.0)
        sums = source.ask(_Squares(unit, mean * unit))
        squares = sums.total + sums.lost + (n - stored) * np.square(mean * unit)
        factor = np.sqrt(squares / n) / np.where(varies, unit, 1.0)
        centre = np.zeros(d) if source.is_sparse or not centred else mean
        return cls(kind, centre, np.where(varies & (factor > _TINY), factor, 1.0))

    @property
    def centres(self) -> bool:
        """Whether it moves any column."""
        return bool(self.centre.any())

    def apply(self, X: Any) -> Any:
        """The same rows scaled: a copy in float64, an array or in CSR form."""
        rows = rows_of(X)
        return matrix_of(self.scaled(rows, 0, rows.n))

    def scaled(self, rows: _core.Rows, first: int, n: int, places: NDArray[np.int64] | None = None) -> _core.Rows:
        """A scaled copy of some rows: of those at these places, or of n from the first on."""
        if rows.d != self.factor.size:
            raise InputError(f"rows have {rows.d} columns, the scale {self.factor.size}")
        if rows.is_sparse and self.centres:
            raise InputError("the scale centres columns, and these rows are sparse: give dense ones, as at first")
        return _core.scaled_rows(rows, self.centre, self.factor, first, n, places)

    def fold(self, W: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Weights (d, K) and offsets (K,) of scaled rows as those of the rows themselves: the same scores."""
        with np.errstate(over="ignore"):
            W = W / self.factor[:, None]
        return _finite(W, self._moved(W, b, -1.0))

    def unfold(self, W: Floats, b: Floats) -> tuple[Floats, Floats]:
        """And back: weights of the rows themselves as those of scaled rows."""
        with np.errstate(over="ignore"):
            scaled = W * self.factor[:, None]
        return _finite(scaled, self._moved(W, b, 1.0))

    def _moved(self, W: Floats, b: Floats, sign: float) -> Floats:
        """B ± Σ c·w, rounded once but for the products."""
        if not self.centres:
            return b
        with np.errstate(over="ignore", invalid="ignore"):
            terms = sign * self.centre[:, None] * W
        if not np.isfinite(terms).all():
            return np.full_like(b, np.nan)
        return np.array([math.fsum([float(b[k]), *terms[:, k].tolist()]) for k in range(b.size)])


class _Sums(Question):
    """Σ of each column of something, and what rounding has lost of it."""

    in_order = True

    def __init__(self, d: int) -> None:
        self.total, self.lost = np.zeros(d), np.zeros(d)

    def join(self, later: "_Sums") -> None:
        """Add the sums of the rows behind, and what that loses (Neumaier 1974)."""
        one, other = self.total, later.total
        self.total = one + other
        larger = np.abs(one) >= np.abs(other)
        lost = np.where(larger, (one - self.total) + other, (other - self.total) + one)
        self.lost = self.lost + later.lost + lost


class _Ranges(_Sums):
    """The least and the largest entry of each column, how many are stored, and their sum times 2⁻⁶⁴."""

    def __init__(self, d: int, names: tuple[str, ...] | None) -> None:
        super().__init__(d)
        self.low, self.high, self.stored = np.full(d, np.inf), np.full(d, -np.inf), np.zeros(d, np.int64)
        self.names = names

    def see(self, taken: TakenRows) -> None:
        """Raises `InputError` at an entry that is not finite."""
        place, column = _core.column_ranges(taken.rows, self.low, self.high, self.stored, self.total, self.lost)
        if place >= 0:
            raise not_finite(taken.number(place), column, self.names)

    def join(self, later: "_Sums") -> None:
        """Those of the rows behind."""
        assert isinstance(later, _Ranges)
        super().join(later)
        self.low, self.high = np.minimum(self.low, later.low), np.maximum(self.high, later.high)
        self.stored = self.stored + later.stored


class _Squares(_Sums):
    """Σ (x·unit − centre)² of the stored entries of each column."""

    def __init__(self, unit: Floats, centre: Floats) -> None:
        super().__init__(unit.size)
        self.unit, self.centre = unit, centre

    def see(self, taken: TakenRows) -> None:
        """Some rows."""
        _core.column_squares(taken.rows, self.unit, self.centre, self.total, self.lost)


def _finite(W: Floats, b: Floats) -> tuple[Floats, Floats]:
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        raise InputError("weights in the data's own units leave the range of float64: rescale the columns beforehand")
    return W, b


def _power_above(values: Floats) -> Floats:
    """The least power of two that is no less than each value; 2¹⁰²³ where float64 has none."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(1.0, np.minimum(exponent - (mantissa == 0.5), 1023)))
