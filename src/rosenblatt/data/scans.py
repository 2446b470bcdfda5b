"""Questions about all rows of a source: each is one pass over its chunks."""

import operator
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..choices import thread_count
from ..errors import InputError, ParameterError
from .rows import matrix_of, not_finite
from .source import CHUNK, Question, Source, TakenRows, Visit, take_checked

Floats = NDArray[np.float64]
Found = TypeVar("Found")

_MEDIAN_ROWS = 2**20  # of which a median is taken, at most


class Joined(Question, Generic[Found]):
    """A question whose answers, of some rows each, are joined two by two, from the first rows on."""

    def __init__(self, question: Callable[[TakenRows], Found], joined: Callable[[Found, Found], Found]) -> None:
        self.question, self.joined = question, joined
        self.answers = list[Found]()
        """None or one."""

    def see(self, taken: TakenRows) -> None:
        """Some rows."""
        self._add(self.question(taken))

    def join(self, later: "Joined[Found]") -> None:
        """What was found of the rows behind."""
        for answer in later.answers:
            self._add(answer)

    def _add(self, answer: Found) -> None:
        self.answers = [self.joined(self.answers[0], answer)] if self.answers else [answer]


def answer_of(source: Source, question: Callable[[TakenRows], Found], joined: Callable[[Found, Found], Found]) -> Found:
    """The answer of all rows to a question about some, of answers that are joined two by two."""
    return source.ask(Joined(question, joined)).answers[0]


def _threads(source: Source, threads: int | None) -> int:
    """As asked; one where rows lie on a cluster, whose workers have other tasks beside it."""
    return thread_count(threads) if source.driver is None else 1


def largest_square(source: Source, threads: int | None = None) -> tuple[float, int, int]:
    """Max ‖x‖²; the first row whose length is not finite, or −1; and its first column that is not finite, or −1."""
    count = _threads(source, threads)

    def question(taken: TakenRows) -> tuple[float, int, int]:
        most, place, column = _core.radius2(taken.rows, count)
        return most, -1 if place < 0 else taken.number(place), column

    return answer_of(source, question, _larger)


def _larger(one: tuple[float, int, int], later: tuple[float, int, int]) -> tuple[float, int, int]:
    if one[1] >= 0 or later[1] >= 0:
        return one if one[1] >= 0 else later
    return max(one, later)


def radius2(source: Source, threads: int | None = None) -> float:
    """R² = max ‖x‖². Raises `InputError` at a row that is not finite."""
    most, row, column = largest_square(source, threads)
    if row >= 0:
        raise _bad_row(row, column)
    if 0 < most < 1e-280:
        raise ParameterError("rows so short that R² underflows: rescale the data, or give {offset} as a number")
    return most


def median_square(source: Source, rho2: float, threads: int | None = None) -> float:
    """The median of ‖x′‖² = ‖x‖² + ρ²: of all rows, or of every k-th where they are more than a million (2²⁰).

    Raises `InputError` at a row that is not finite, or if it leaves the range of float64.
    """
    count, every = _threads(source, threads), -(-source.n_rows // _MEDIAN_ROWS)

    def question(taken: TakenRows) -> Floats:
        found = _core.squares(taken.rows, count)
        if not np.isfinite(found).all():
            _, place, column = _core.radius2(taken.rows, count)
            raise _bad_row(taken.number(place), column)
        first = (-taken.first_row) % every
        # A copy, so that the squares of all rows are not kept for the sake of some.
        return found[first::every].copy() if taken.numbers is None else found[taken.numbers % every == 0]

    squares = answer_of(source, lambda taken: [question(taken)], operator.add)
    median = float(np.median(np.concatenate(squares) + rho2))
    if not (median == 0 or 1e-280 < median < 1e280):
        raise InputError(f"the median of ‖x′‖², {median:g}, leaves the range of float64: rescale the data")
    return median


def _bad_row(row: int, column: int) -> InputError:
    return not_finite(row, column) if column >= 0 else InputError(f"row {row}: its length overflows; rescale the data")


Surveyed = tuple[Floats, int, float]
"""The least margins of some weights, how many rows they predict wrong, and R²: see src/core/survey.hpp."""


def survey(source: Source, W: Floats, b: Floats, joint: bool, threads: int) -> Surveyed:
    """What all rows say of these weights."""
    return surveys(source, [(W, b)], joint, threads)[0]


def surveys(source: Source, weights: Sequence[tuple[Floats, Floats]], joint: bool, threads: int) -> list[Surveyed]:
    """The same of several weights, in one pass."""
    threads = _threads(source, threads)

    def question(taken: TakenRows) -> list[Surveyed]:
        found = [_core.survey(taken.rows, taken.labels, W, b, joint, threads) for W, b in weights]
        return [(np.array(least), wrong, R2) for least, wrong, R2 in found]

    return answer_of(source, question, _surveyed)


def _surveyed(one: list[Surveyed], later: list[Surveyed]) -> list[Surveyed]:
    return [(np.minimum(a[0], b[0]), a[1] + b[1], max(a[2], b[2])) for a, b in zip(one, later, strict=True)]


def column_largest(source: Source) -> Floats:
    """Max |x_j| of each column, times the weights of its rows. Raises `InputError` where bets would leave float64."""
    largest: Floats = answer_of(source, lambda taken: _core.column_largest(taken.core), np.maximum)
    if (bad := np.flatnonzero((largest != 0) & ~((largest >= 1e-140) & (largest <= 1e140)))).size:
        j = int(bad[0])
        named = "" if source.feature_names is None else f" ({source.feature_names[j]})"
        if np.isinf(largest[j]):
            _, row, column = largest_square(source)
            raise (
                not_finite(row, column, source.feature_names)
                if column >= 0
                else InputError(f"column {j}{named}: a sample weight takes it beyond float64; give smaller weights")
            )
        times = ", times the sample weights," if source.has_weights else ""
        raise InputError(f"column {j}{named}: its largest entry{times} is {largest[j]:g}; rescale it to 1e-140 … 1e140")
    return largest


def column_lengths(source: Source) -> Floats:
    """‖·‖ of each column."""
    return np.sqrt(source.ask(_ColumnSquares(source.n_columns)).total)


class _ColumnSquares(Question):
    in_order = True

    def __init__(self, d: int) -> None:
        self.total = np.zeros(d)

    def see(self, taken: TakenRows) -> None:
        rows = matrix_of(taken.rows)
        for first in range(0, taken.rows.n, CHUNK):  # a sum for each chunk, however many come together
            block = rows[first : first + CHUNK]
            if taken.rows.is_sparse:
                self.total += np.bincount(block.indices, block.data.astype(np.float64) ** 2, minlength=self.total.size)
            else:
                self.total += np.einsum("ij,ij->j", block, block, dtype=np.float64)

    def join(self, later: "_ColumnSquares") -> None:
        self.total = self.total + later.total


def chunk_matrices(
    source: Source, chunks: NDArray[np.int64] | None = None
) -> Iterator[tuple[slice, Any, NDArray[Any]]]:
    """Chunk after chunk, or of some: the numbers of its rows, the rows as an array or in CSR form, and their labels."""
    for chunk in range(-(-source.n_rows // CHUNK)) if chunks is None else chunks.tolist():
        span = slice(chunk * CHUNK, min(source.n_rows, (chunk + 1) * CHUNK))
        taken = take_checked(source, Visit(np.array([chunk]), None))
        first = 0 if taken.numbers is not None else span.start - taken.first_row
        places = slice(first, first + span.stop - span.start)
        yield span, matrix_of(taken.rows)[places], taken.labels[places]


def classes_occurring(source: Source) -> int:
    """How many classes have a row."""
    return len(answer_of(source, lambda taken: frozenset(np.unique(taken.labels).tolist()), operator.or_))


def weight_scale(source: Source) -> tuple[float, float] | None:
    """The largest sample weight, and the whole number that stands for it: 2³⁰, less for very many rows.

    Weights as whole numbers have sums that are exact, in whatever order. None: there are no weights.
    """
    if not source.has_weights:
        return None
    largest = answer_of(source, lambda taken: float(_weight(taken).max()), max)
    return largest or 1.0, 2.0 ** min(30, 60 - source.n_rows.bit_length())


def largest_weight(scale: tuple[float, float] | None) -> float:
    """The largest entry of a column of ones, times the weights. Raises `InputError` where bets would leave float64."""
    largest = 1.0 if scale is None else scale[0]
    if not 1e-140 <= largest <= 1e140:
        raise InputError(f"the largest sample weight is {largest:g}; rescale the weights to 1e-140 … 1e140")
    return largest


def whole_weight(source: Source, scale: tuple[float, float] | None) -> int:
    """The sum of the weights as whole numbers; without weights, how many rows there are."""
    if scale is None:
        return source.n_rows
    largest, unit = scale

    def question(taken: TakenRows) -> int:
        return int(np.rint(_weight(taken) / largest * unit).astype(np.int64).sum())

    whole: int = answer_of(source, question, operator.add)
    return whole


def weight_digest(source: Source) -> int | None:
    """A number that tells sample weights apart; None without weights."""
    if not source.has_weights:
        return None
    return source.ask(_WeightDigest()).value


class _WeightDigest(Question):
    in_order = True

    def __init__(self) -> None:
        self.value = 0

    def see(self, taken: TakenRows) -> None:
        self.value = zlib.crc32(_weight(taken).data, self.value)

    def join(self, later: "_WeightDigest") -> None:
        self.value = zlib.crc32(later.value.to_bytes(4, "little"), self.value)


def _weight(taken: TakenRows) -> Floats:
    assert taken.weight is not None
    return taken.weight
