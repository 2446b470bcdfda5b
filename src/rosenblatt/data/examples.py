"""Examples: rows and labels, checked once at the door and trusted inside.

Rows stay where they are. A C-ordered float32 or float64 array and a CSR matrix with 32- or 64-bit indices are used in
place; anything else (other number types, another memory order or byte order, unsorted or repeated column indices) is
copied once, here. Whether every value is finite is asked by the core as it reads them.
"""

import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InputError, shown
from ..report.data import classes_report
from ..report.plain import plain
from .classes import class_counts
from .csr import Csr


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows (x_i) and their labels: ±1 for two classes, 0 … K−1 for K > 2.

    >>> examples = Examples.of([[1.0], [2.0], [3.0]], ["no", "yes", "yes"])
    >>> examples.labels.tolist(), examples.classes.tolist()
    ([-1, 1, 1], ['no', 'yes'])
    """

    rows: _core.Rows
    labels: NDArray[np.int8] | NDArray[np.int32]
    classes: NDArray[Any]
    feature_names: tuple[str, ...] | None = None
    lines: NDArray[np.int64] | None = None
    """The line of each row in the file it was read from, from 1."""
    own_labels: NDArray[Any] | None = None
    """The label of each row as it was given, where one of the two classes is "the rest" of several."""

    def __post_init__(self) -> None:
        two = self.classes.size == 2
        labels = self.labels
        if labels.dtype != (np.int8 if two else np.int32) or labels.shape != (self.rows.n,):
            raise InputError("labels must be one int8 (two classes) or int32 for each row: Examples.of makes them")
        low, high = (-1, 1) if two else (0, self.classes.size - 1)
        if labels.min() < low or labels.max() > high or (two and not labels.all()):
            raise InputError(f"labels must be {'-1 or 1' if two else f'0 to {high}'}: Examples.of makes them")

    @classmethod
    def of(cls, X: Any, y: Any, feature_names: Sequence[str] | None = None) -> "Examples":
        """Examples from any labels. `classes` are the labels, sorted; of two, the second is the positive one.

        The feature names of a data frame are its columns, if no others are given.
        """
        rows = rows_of(X)
        labels = column_of(y, rows.n)
        missing = labels != labels  # true of NaN and NaT alone
        if isinstance(missing, np.ndarray) and (bad := np.flatnonzero(missing)).size:
            raise InputError(f"label of row {bad[0]}: {labels[bad[0]]}; every row needs a label")
        try:
            classes, codes = np.unique(labels, return_inverse=True)
        except (TypeError, OverflowError):
            raise InputError("labels of mixed types cannot be sorted: make them all numbers or all strings") from None
        if classes.size < 2:
            raise InputError(
                f"one class only: all rows carry the label {classes.tolist()[0]!r}, and two classes are needed"
            )
        codes = codes.reshape(-1)
        labels = (2 * codes.astype(np.int8) - 1) if classes.size == 2 else codes.astype(np.int32)
        if feature_names is None:
            feature_names = names_of(X)
        names = tuple(map(str, feature_names)) if feature_names is not None else None
        if names is not None and len(names) != rows.d:
            raise InputError(f"{len(names)} feature names for {rows.d} columns")
        return cls(rows, labels, classes, names)

    @classmethod
    def coded(cls, X: Any, y: Any, classes: NDArray[Any], feature_names: Sequence[str] | None = None) -> "Examples":
        """Examples of these classes, sorted, of which not all need occur."""
        rows = rows_of(X)
        codes = np.searchsorted(classes, column_of(y, rows.n))
        labels = (2 * codes.astype(np.int8) - 1) if classes.size == 2 else codes.astype(np.int32)
        return cls(rows, labels, classes, None if feature_names is None else tuple(feature_names))

    @classmethod
    def signed(cls, X: Any, y: Any) -> "Examples":
        """Examples whose labels are ±1 already."""
        rows = rows_of(X)
        return cls(rows, signs_of(y, rows.n), np.array([-1, 1]))

    def __reduce__(self) -> tuple[Any, ...]:
        # The view of the core cannot be copied to another process; the numbers behind it can.
        return _again, (
            matrix_of(self.rows),
            self.labels,
            self.classes,
            self.feature_names,
            self.lines,
            self.own_labels,
        )

    def __repr__(self) -> str:
        kind = "sparse" if self.rows.is_sparse else "dense"
        return f"<Examples: {self.n_rows} × {self.n_columns}, {kind}, {self.classes.size} classes>"

    def digest(self, *, all: bool = False) -> int:
        """A number that tells data apart: all labels, and the numbers of some rows, evenly spread, or of all."""
        return _core.digest(self.rows, self.labels, all)

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return self.rows.n

    @property
    def n_columns(self) -> int:
        """How many features."""
        return self.rows.d

    @property
    def n_outputs(self) -> int:
        """How many hyperplanes: one for two classes, K for K > 2."""
        return 1 if self.classes.size == 2 else int(self.classes.size)

    @property
    def codes(self) -> NDArray[Any]:
        """Of each row, which of `classes` it has."""
        return self.labels > 0 if self.classes.size == 2 else self.labels

    def subset(self, which: NDArray[np.int64]) -> "Examples":
        """These rows alone, with all that is known of them."""
        lines, own = (None if part is None else part[which] for part in (self.lines, self.own_labels))
        rows = rows_of(matrix_of(self.rows)[which])
        return Examples(rows, self.labels[which], self.classes, self.feature_names, lines, own)

    def listed(self, rows: Iterable[int]) -> list[dict[str, Any]]:
        """Some rows for a report: number (from 0), line (from 1; None if there are none) and label."""
        own, lines = self.own_labels, self.lines  # of two classes, −1 is the first
        return [
            {
                "row": int(row),
                "line": None if lines is None else int(lines[row]),
                "label": plain(own[row] if own is not None else self.classes[max(0, self.labels[row])]),
            }
            for row in rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """What they are, in plain values, as `Sheet.to_dict` says it of a file."""
        if self.own_labels is None:
            counts = np.bincount(self.codes.astype(np.int64), minlength=self.classes.size).tolist()
            classes = dict(zip(map(plain, self.classes), counts, strict=True))
        else:
            classes = class_counts(self.own_labels) or {}
        return {
            "name": None,
            "format": None,
            "rows": self.n_rows,
            "columns": self.n_columns,
            "sparse": bool(self.rows.is_sparse),
            "classes": classes_report(classes),
            "positive": plain(self.classes[1]) if self.classes.size == 2 else None,
            "reading": {},
            "notes": [],
        }


def _again(matrix: Any, labels: Any, classes: Any, names: Any, lines: Any = None, own: Any = None) -> Examples:
    return Examples(rows_of(matrix), labels, classes, names, lines, own)


def check_room(columns: int, outputs: int, name: str) -> None:
    """Raises `InputError` for more weights than the machine has memory for: one large index in a file asks for that."""
    wanted = columns * outputs * 8 * 4  # the weights, their average, and some to work with
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return
    if wanted > memory // 2:
        size = f"{columns} columns × {outputs} output{'s' * (outputs > 1)} are {wanted / 1e9:.1f} GB of weights"
        raise InputError(
            f"{name}: {size}; expected what fits into memory: hash_bits=20 (--hash-bits 20) takes 2^20 columns"
        )


def rows_of(X: Any) -> _core.Rows:
    """A view of X for the core. Raises `InputError` for what is not a table of numbers."""
    if isinstance(X, _core.Rows):
        return X
    if hasattr(X, "tocsr"):
        return _sparse(X)
    if _masked(X):
        row, column = np.argwhere(np.ma.getmaskarray(X))[0][:2]
        raise InputError(f"row {row}, column {column}: masked; fill missing values first")
    try:
        table = np.asarray(X)
    except ValueError as error:
        raise InputError(f"rows must form a table of numbers: {error}") from None
    if table.ndim != 2:
        hint = "; reshape(-1, 1) makes a column of one feature" if table.ndim == 1 else ""
        raise InputError(f"rows must form a table (n, d), not an array of {table.ndim} dimension(s){hint}")
    _check_shape(*table.shape)
    return _core.Rows.dense(_numbers(table, names_of(X)))


def names_of(X: Any) -> Any:
    """The names of a frame's columns, one after the other; None if it has none.

    Arrow's tables have them as `column_names`: its `columns` are the columns themselves.
    """
    names = getattr(X, "column_names", getattr(X, "columns", None))
    return names if hasattr(names, "__iter__") else None


def row_of(rows: _core.Rows, i: int) -> tuple[_core.Rows, int]:
    """One row by itself, and how many features of it are not 0."""
    if not rows.is_sparse:
        one = rows.arrays[0][i : i + 1]
        return _core.Rows.dense(one), int(np.count_nonzero(one))
    values, columns, starts = rows.arrays
    part = slice(int(starts[i]), int(starts[i + 1]))
    ends = np.array([0, part.stop - part.start], dtype=np.int64)
    made = _core.Rows.sparse(np.ascontiguousarray(values[part]), np.ascontiguousarray(columns[part]), ends, 1, rows.d)
    assert made[0] is not None
    return made[0], int(ends[1])


def column_lengths(rows: _core.Rows) -> NDArray[np.float64]:
    """‖·‖ of each column."""
    if not rows.is_sparse:
        (X,) = rows.arrays
        squares: NDArray[np.float64] = np.einsum("ij,ij->j", X, X, dtype=np.float64)
        return np.sqrt(squares)
    values, columns, starts = rows.arrays
    part = slice(0, int(starts[-1]))
    return np.sqrt(np.bincount(columns[part], values[part].astype(np.float64) ** 2, minlength=rows.d))


def matrix_of(rows: _core.Rows) -> Any:
    """The rows again as an array or in CSR form, on the same memory."""
    if not rows.is_sparse:
        return rows.arrays[0]
    values, columns, starts = (np.asarray(part) for part in rows.arrays)
    used = int(starts[-1])  # it may end before the values do
    return Csr(values[:used], columns[:used], starts, (rows.n, rows.d))


def _masked(values: Any) -> bool:
    """Whether it is a masked array with something masked; numpy.ma is not imported to find out."""
    module = sys.modules.get("numpy.ma")
    return module is not None and bool(module.is_masked(values))


def _check_shape(n: int, d: int) -> None:
    if n == 0:
        raise InputError("no rows: at least one is needed")
    if d == 0:
        raise InputError("no features: at least one column is needed")


def _numbers(values: NDArray[Any], names: Any = None) -> NDArray[Any]:
    """The same numbers as aligned, C-ordered, native float32 or float64; the same array where it is that already."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind not in "fiub":
        raise InputError(f"values of type {values.dtype}: expected real numbers{_first_not_a_number(values, names)}")
    if kind in "iu" and size == 8 and values.size and max(-int(values.min()), int(values.max())) > 2**53:
        raise InputError("integers beyond 2**53 are not exact as float64: scale them, or convert them yourself")
    if kind == "f" and size > 8 and not (values.astype(np.float64).astype(values.dtype) == values).all():
        raise InputError(f"values of type {values.dtype} that float64 does not hold: convert them yourself")
    keep = kind == "f" and size in (4, 8)
    dtype = values.dtype.newbyteorder("=") if keep else np.dtype(np.float64)
    return np.require(values, dtype, ["C_CONTIGUOUS", "ALIGNED"])


def _first_not_a_number(values: NDArray[Any], names: Any) -> str:
    """Where the trouble is, in words: the first column that does not convert, or how to convert them all."""
    for j in range(values.shape[1] if values.ndim == 2 and values.dtype.kind == "O" else 0):
        try:
            values[:, j].astype(np.float64)
        except (TypeError, ValueError):
            return f"; column {j if names is None else repr(str(names[j]))} holds something else"
    return "; astype(float) converts those that are" if values.dtype.kind == "O" else ""


def _sparse(X: Any) -> _core.Rows:
    if getattr(X, "ndim", 2) != 2:
        raise InputError(f"rows must form a table (n, d), not a sparse array of {X.ndim} dimension(s)")
    _check_shape(*X.shape)
    X = _as_csr(X)
    parts = [np.asarray(part) for part in (X.data, X.indices, X.indptr)]
    if any(part.ndim != 1 for part in parts):
        raise InputError("sparse matrix: data, indices and indptr must be one-dimensional")
    if any(part.dtype.kind not in "iu" for part in parts[1:]):
        raise InputError("sparse matrix: indices and indptr must be integers")
    values, (columns, starts) = _numbers(parts[0]), (_indices(part) for part in parts[1:])
    if values.size != columns.size:
        raise InputError(f"sparse matrix: {values.size} values but {columns.size} indices")
    rows, flaw, row, value = _core.Rows.sparse(values, columns, starts, *X.shape)
    if flaw == "unsorted":
        # Lengths and norms need each feature once; the copy below has them sorted and summed.
        owners = np.repeat(np.arange(X.shape[0]), np.diff(starts))
        clean = Csr.of_entries(values[: starts[-1]], owners, columns[: starts[-1]], X.shape)
        rows, flaw, row, value = _core.Rows.sparse(clean.data, clean.indices, clean.indptr, *X.shape)
    if rows is None:
        n, d = X.shape
        raise InputError(
            "sparse matrix: "
            + {
                "length of indptr": f"indptr has {value} entries, expected {n + 1} for {n} rows",
                "first indptr": f"indptr starts at {value}, expected 0",
                "falling indptr": f"indptr falls to {value} after row {row}; it must never fall",
                "last indptr": f"indptr ends at {value}, but only {values.size} values are stored",
                "column": f"row {row} names column {value}, expected 0 to {d - 1}",
            }.get(flaw, "its indices were changed while they were read")
        )
    return rows


def _as_csr(X: Any) -> Any:
    """X in CSR form. SciPy converts without looking at the indices, so those of other forms are looked at first."""
    if X.format == "csr":
        return X
    try:
        if hasattr(X, "check_format"):
            X.check_format(full_check=True)
        if X.format == "coo":
            for indices, size in zip(X.coords, X.shape, strict=True):
                if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < size:
                    raise ValueError(f"an index is not within 0 to {size - 1}")
    except ValueError as error:
        raise InputError(f"sparse matrix: {error}") from None
    return X.tocsr()


def _indices(part: NDArray[Any]) -> NDArray[Any]:
    dtype = np.int32 if part.dtype.itemsize <= 4 and part.dtype != np.uint32 else np.int64
    return np.require(part, dtype, ["C_CONTIGUOUS", "ALIGNED"])


def column_of(values: Any, n: int) -> NDArray[Any]:
    """One value for each of n rows. Raises `InputError` for anything else.

    A table of one column is taken for that column, with a `UserWarning`: scikit-learn does the same.
    """
    if _masked(values):
        raise InputError(
            f"label of row {np.flatnonzero(np.ma.getmaskarray(values))[0]}: masked; every row needs a label"
        )
    try:
        column = np.asarray(values)
    except ValueError as error:
        raise InputError(f"labels must form a column: {error}") from None
    if column.ndim == 2 and column.shape[1] == 1:
        warnings.warn("labels of shape (n, 1) are taken as (n,); y.ravel() gives these", stacklevel=_outside())
        column = column.reshape(-1)
    if column.ndim != 1:
        raise InputError(f"labels of shape {column.shape}; expected one for each row, (n,)")
    if column.size != n:
        raise InputError(f"{n} rows but {column.size} labels")
    return column


def _outside() -> int:
    """How many calls above its caller the one is that came from outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "rosenblatt":
        level, frame = level + 1, frame.f_back
    return level


def signs_of(y: Any, n: int) -> NDArray[np.int8]:
    """Labels −1 and +1, a byte each. Raises `InputError` for anything else."""
    labels = column_of(y, n)
    if labels.dtype.kind not in "fiu":
        raise InputError(f"labels of type {labels.dtype}: expected -1 and +1; Examples.of(X, y) takes any labels")
    signs = np.empty(n, dtype=np.int8)
    for first in range(0, n, 2**18):  # in blocks: there may be very many rows, and what is compared takes memory too
        block = labels[first : first + 2**18]
        if (bad := np.flatnonzero((block != 1) & (block != -1))).size:
            row = first + int(bad[0])
            raise InputError(
                f"label of row {row}: {labels[row]}; expected -1 or +1; Examples.of(X, y) takes any labels"
            )
        signs[first : first + 2**18] = block
    return signs


def weights_of(sample_weight: Any, n: int) -> NDArray[np.float64] | None:
    """Sample weights as float64. Raises `InputError` unless there is one finite weight >= 0 for each row."""
    if sample_weight is None:
        return None
    if _masked(sample_weight):
        raise InputError("sample_weight is masked in places; every row needs a weight")
    weights = np.asarray(sample_weight)
    if weights.dtype.kind not in "fiub" or weights.shape != (n,):
        raise InputError(f"sample_weight must hold one number for each of the {n} rows")
    weights = np.require(weights, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    if (bad := np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))).size:
        raise InputError(f"sample_weight of row {bad[0]}: {weights[bad[0]]}; expected a finite number >= 0")
    return weights


def joined_classes(known: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    """All labels of both, sorted. Raises `InputError` for labels of another kind: numbers are not strings."""
    kinds = [{"i": "n", "u": "n", "f": "n", "U": "s", "S": "s"}.get(a.dtype.kind, a.dtype.kind) for a in (known, new)]
    same = kinds[0] == kinds[1]
    if same and kinds[0] == "O":
        same = len({type(label) for label in [*known.tolist(), *new.tolist()]}) == 1
    if not same or (new != new).any():
        raise InputError(f"label {shown(new.tolist()[0])} is of another kind than the classes {shown(known.tolist())}")
    return np.unique(np.concatenate([known, new]))


def not_finite(row: int, column: int, names: Sequence[str] | None = None) -> InputError:
    """The error for a value that the core found to be NaN or infinite."""
    named = f" ({names[column]})" if names is not None else ""
    return InputError(f"row {row}, column {column}{named}: not a finite number; remove or fill NaN and infinity first")
