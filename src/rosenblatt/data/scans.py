"""Questions about all rows of a source: each is one pass over its chunks."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..choices import thread_count
from ..errors import InputError, ParameterError
from .rows import matrix_of, not_finite
from .source import CHUNK, Source, TakenRows, Visit, take_checked

Floats = NDArray[np.float64]

_MEDIAN_ROWS = 2**20  # of which a median is taken, at most


def largest_square(source: Source, threads: int | None = None) -> tuple[float, int, int]:
    """Max ‖x‖²; the first row whose length is not finite, or −1; and its first column that is not finite, or −1."""
    count, largest = thread_count(threads), 0.0

    def question(taken: TakenRows) -> tuple[float, int, int]:
        most, place, column = _core.radius2(taken.rows, count)
        return most, -1 if place < 0 else taken.number(place), column

    for most, row, column in source.scan(question):
        if row >= 0:
            return most, row, column
        largest = max(largest, most)
    return largest, -1, -1


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
    count, every = thread_count(threads), -(-source.n_rows // _MEDIAN_ROWS)

    def question(taken: TakenRows) -> Floats:
        found = _core.squares(taken.rows, count)
        if not np.isfinite(found).all():
            _, place, column = _core.radius2(taken.rows, count)
            raise _bad_row(taken.number(place), column)
        first = (-taken.first_row) % every
        # A copy, so that the squares of all rows are not kept for the sake of some.
        return found[first::every].copy() if taken.numbers is None else found[taken.numbers % every == 0]

    median = float(np.median(np.concatenate([*source.scan(question)]) + rho2))
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

    def question(taken: TakenRows) -> list[tuple[list[float], int, float]]:
        return [_core.survey(taken.rows, taken.labels, W, b, joint, threads) for W, b in weights]

    return [
        (np.min([part[0] for part in parts], axis=0), sum(part[1] for part in parts), max(part[2] for part in parts))
        for parts in zip(*source.scan(question), strict=True)
    ]


def column_largest(source: Source) -> Floats:
    """Max |x_j| of each column, times the weights of its rows. Raises `InputError` where bets would leave float64."""
    largest: Floats = np.zeros(source.n_columns)
    for part in source.scan(lambda taken: _core.column_largest(taken.core)):
        np.maximum(largest, part, out=largest)
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
    total = np.zeros(source.n_columns)
    for _, block, _ in chunk_matrices(source):
        if source.is_sparse:
            total += np.bincount(block.indices, block.data.astype(np.float64) ** 2, minlength=source.n_columns)
        else:
            total += np.einsum("ij,ij->j", block, block, dtype=np.float64)
    return np.sqrt(total)


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
    return int(np.unique(np.concatenate([*source.scan(lambda taken: np.unique(taken.labels))])).size)


def weight_scale(source: Source) -> tuple[float, float] | None:
    """The largest sample weight, and the whole number that stands for it: 2³⁰, less for very many rows.

    Weights as whole numbers have sums that are exact, in whatever order. None: there are no weights.
    """
    if not source.has_weights:
        return None
    largest = max(float(_weight(taken).max()) for taken in source.scan(lambda taken: taken))
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
    parts = source.scan(lambda taken: int(np.rint(_weight(taken) / largest * unit).astype(np.int64).sum()))
    return sum(parts)


def weight_digest(source: Source) -> int | None:
    """A number that tells sample weights apart; None without weights."""
    if not source.has_weights:
        return None
    found = 0
    for taken in source.scan(lambda taken: taken):
        found = zlib.crc32(_weight(taken).data, found)
    return found


def _weight(taken: TakenRows) -> Floats:
    assert taken.weight is not None
    return taken.weight
