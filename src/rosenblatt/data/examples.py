"""Examples: rows and labels in memory, checked once at the door and trusted inside; the simplest source."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InputError
from ..report.coded_names import column_of as column_of_feature
from ..report.data import data_report
from ..report.plain import plain
from .classes import class_counts
from .frames import names_of, sheet_of
from .labels import check_few, column_of, missing_labels, signs_of, weights_of
from .rows import matrix_of, rows_of
from .source import Answer, Labels, Source, TakenRows, Visit, Weighted


@dataclass(frozen=True, eq=False)
class Examples(Source):
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
    reading: Any = None
    """How the file or frame that they were read from was read (a `Reading`): a run reads another one alike."""
    weights: NDArray[np.float64] | None = None
    """The weight of each row, if the file said so: learnt with, unless others are given."""
    in_memory = True

    def __post_init__(self) -> None:
        two = self.classes.size == 2
        labels = self.labels
        if labels.dtype != (np.int8 if two else np.int32) or labels.shape != (self.rows.n,):
            raise InputError("labels must be one int8 (two classes) or int32 for each row: Examples.of makes them")
        low, high = (-1, 1) if two else (0, self.classes.size - 1)
        if labels.min() < low or labels.max() > high or (two and not labels.all()):
            raise InputError(f"labels must be {'-1 or 1' if two else f'0 to {high}'}: Examples.of makes them")

    @classmethod
    def of(
        cls, X: Any, y: Any, feature_names: Sequence[str] | None = None, lines: NDArray[np.int64] | None = None
    ) -> "Examples":
        """Examples from any labels. `classes` are the labels, sorted; of two, the second is the positive one.

        The feature names of a data frame are its columns, if no others are given. Text is a feature for each value.
        """
        X = sheet_of(X)
        rows = rows_of(X)
        labels = column_of(y, rows.n)
        if (bad := np.flatnonzero(missing_labels(labels))).size:
            raise InputError(f"label of row {bad[0]}: {labels[bad[0]]}; every row needs a label")
        try:
            classes, codes = np.unique(labels, return_inverse=True)
        except (TypeError, OverflowError):
            raise InputError("labels of mixed types cannot be sorted: make them all numbers or all strings") from None
        check_few(classes)
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
        return cls(rows, labels, classes, names, lines, reading=getattr(X, "reading", None))

    @classmethod
    def coded(cls, X: Any, y: Any, classes: NDArray[Any], feature_names: Sequence[str] | None = None) -> "Examples":
        """Examples of these classes, sorted, of which not all need occur."""
        rows = rows_of(X)
        codes = np.searchsorted(classes, column_of(y, rows.n))
        labels = (2 * codes.astype(np.int8) - 1) if classes.size == 2 else codes.astype(np.int32)
        return cls(rows, labels, classes, None if feature_names is None else tuple(feature_names))

    @classmethod
    def signed(cls, X: Any, y: Any) -> "Examples":
        """Examples whose labels are ±1 already; they may all be equal."""
        X = sheet_of(X)
        rows, own = rows_of(X), names_of(X)
        names = None if own is None else tuple(map(str, own))
        return cls(rows, signs_of(y, rows.n), np.array([-1, 1]), names, reading=getattr(X, "reading", None))

    def __reduce__(self) -> tuple[Any, ...]:
        # The view of the core cannot be copied to another process; the numbers behind it can.
        return _again, (
            matrix_of(self.rows),
            self.labels,
            self.classes,
            self.feature_names,
            self.lines,
            self.own_labels,
            self.reading,
            self.weights,
        )

    def __repr__(self) -> str:
        kind = "sparse" if self.rows.is_sparse else "dense"
        return f"<Examples: {self.n_rows} × {self.n_columns}, {kind}, {self.classes.size} classes>"

    def take(self, visit: Visit) -> TakenRows:
        """All rows, as they are: the numbers of a visit tell their places."""
        return self._whole

    def gather(self, numbers: NDArray[np.int64]) -> TakenRows:
        """A copy of the rows of these numbers."""
        return TakenRows(rows_of(matrix_of(self.rows)[numbers]), self.labels[numbers], numbers=numbers)

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """One question about everything at once."""
        yield question(self._whole)

    @cached_property
    def _whole(self) -> TakenRows:
        return TakenRows(self.rows, self.labels)

    def labels_of(self, numbers: NDArray[np.int64]) -> Labels:
        """The labels of the rows of these numbers."""
        return self.labels[numbers]

    def unchanged(self) -> bool:
        """Whether a sparse matrix is still what it was when it was checked."""
        return self.rows.sound()

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return self.rows.n

    @property
    def n_columns(self) -> int:
        """How many features."""
        return self.rows.d

    @property
    def is_sparse(self) -> bool:
        """Whether rows are in CSR form."""
        return self.rows.is_sparse

    @property
    def codes(self) -> NDArray[Any]:
        """Of each row, which of `classes` it has."""
        return self.labels > 0 if self.classes.size == 2 else self.labels

    def subset(self, which: NDArray[np.int64]) -> "Examples":
        """These rows alone, with all that is known of them."""
        parts: tuple[Any, ...] = (self.lines, self.own_labels, self.weights)
        lines, own, weights = (None if part is None else part[which] for part in parts)
        rows = rows_of(matrix_of(self.rows)[which])
        return Examples(rows, self.labels[which], self.classes, self.feature_names, lines, own, self.reading, weights)

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

    @property
    def counts(self) -> NDArray[np.float64] | None:
        """How often each row was seen, if a column says so; the weights of rows say something else."""
        return self.weights if getattr(self.reading, "counts", None) else None

    @property
    def text(self) -> tuple[str, ...]:
        """The columns of text that they were read from, whose features are `column=level`."""
        return tuple(getattr(self.reading, "text", None) or ())

    def _levels(self) -> dict[str, int]:
        """Of each column of text, how many values it has: one for each feature, and the reference level."""
        levels = dict.fromkeys(self.text, 0)
        levels.update(dict.fromkeys(getattr(self.reading, "reference", None) or {}, 1))
        for name in self.feature_names or ():
            if levels and (column := column_of_feature(name, levels)) is not None:
                levels[column] += 1
        return {name: count for name, count in levels.items() if count and self.feature_names is not None}

    def to_dict(self) -> dict[str, Any]:
        """What they are, in plain values, as `Sheet.to_dict` says it of a file."""
        if self.own_labels is None:
            counts = np.bincount(self.codes.astype(np.int64), minlength=self.classes.size).tolist()
            classes = dict(zip(map(plain, self.classes), counts, strict=True))
        else:
            classes = class_counts(self.own_labels) or {}
        positive = self.classes[1] if self.classes.size == 2 else None
        how = None if self.reading is None else self.reading.to_dict()
        sparse, levels = bool(self.rows.is_sparse), self._levels()
        return data_report(self.n_rows, self.n_columns, sparse, classes, positive, reading=how, levels=levels)


def _again(matrix: Any, *parts: Any) -> Examples:
    return Examples(rows_of(matrix), *parts)


def weighted(source: Source, sample_weight: Any) -> Source:
    """The source with these sample weights; if none are given, with those that its examples have of their own."""
    own = source.weights if isinstance(source, Examples) else None
    weight = own if sample_weight is None else weights_of(sample_weight, source.n_rows)
    if weight is None:
        return source
    if source.driver is not None:
        raise InputError("weights of rows on a cluster lie with them: cluster.sharded(..., sample_weight=...)")
    if source.has_weights:
        raise InputError("the source has sample weights of its own: leave out sample_weight")
    return Weighted(source, weight)


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
