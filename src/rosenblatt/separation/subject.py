"""The rows that a result speaks of: whether they are the same still, what a proof says of them, and their two sides."""

import operator
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..data.examples import Examples
from ..data.hyperplane import Hyperplane
from ..data.rows import matrix_of
from ..data.scans import answer_of
from ..data.source import CHUNK, Source
from ..errors import InputError
from ..proof.blocks import fingerprint_of_blocks
from ..proof.fingerprint import fingerprint
from ..proof.parts import ExactHyperplane
from ..proof.proof import Proof
from ..proof.verify import Check, verify
from ..report.data import data_report
from ..report.plain import plain
from .exact import rounded
from .signed_rows import Floats, Ints


def digest_of(source: Source) -> int:
    """A number that tells data apart: by every row in memory, which anybody may change; of many elsewhere by some."""
    return source.digest(every_row=isinstance(source, Examples) or source.n_rows <= CHUNK)


def check_unchanged(source: Source, digest: int) -> None:
    """Raises `InputError` if the rows or labels are not those of this digest any more."""
    if not source.unchanged() or digest_of(source) != digest:
        raise InputError("the rows or labels were changed since: ask again")


def in_memory(source: Source, asked: str) -> Examples:
    """The examples, if that is what it is. Raises `InputError` where rows are elsewhere, and all are `asked` for."""
    if not isinstance(source, Examples):
        raise InputError(f"{asked}: this takes rows in memory, Examples or X and y; this source has them elsewhere")
    return source


def proof_facts(source: Source, through_origin: bool) -> dict[str, Any]:
    """What every proof says of its data, whatever it claims: arguments of `Proof`."""
    if isinstance(source, Examples):
        sha256 = fingerprint(matrix_of(source.rows), source.labels)
    else:
        sha256 = fingerprint_of_blocks(source)
    return {
        "rows": source.n_rows,
        "columns": source.n_columns,
        "sha256": sha256,
        "through_origin": through_origin,
        "reading": {"numbers": "as stored, each an exact float64", "positive": str(source.classes[1])},
    }


def checked(proof: Proof, source: Source) -> Check:
    """Whether a proof holds, by the checker, on the rows of a source."""
    if isinstance(source, Examples):
        return verify(proof, matrix_of(source.rows), source.labels)
    return verify(proof, source)


def listed(source: Source, rows: Iterable[int]) -> list[dict[str, Any]]:
    """Some rows for a report: number (from 0), line (from 1; None if there are none) and label.

    Of several files, the file, too.
    """
    if isinstance(source, Examples):
        return source.listed(rows)
    numbers = np.fromiter(rows, np.int64)
    if not numbers.size:
        return []
    labels = source.labels_of(numbers)
    lines_of = getattr(source, "lines_of", None)
    found = None if lines_of is None else lines_of(numbers)
    lines = [None] * numbers.size if found is None else found.tolist()
    files = [{"file": path} for path in getattr(source, "files_of", lambda _: None)(numbers) or ()]
    return [
        {"row": row, "line": line, "label": plain(source.classes[max(0, label)]), **file}
        for row, line, label, file in zip(
            numbers.tolist(), lines, labels.tolist(), files or [{}] * numbers.size, strict=True
        )
    ]


def data_of(source: Source) -> dict[str, Any]:
    """What the rows are, in plain values."""
    if isinstance(source, Examples):
        return source.to_dict()
    positive = answer_of(source, lambda taken: int((taken.labels > 0).sum()), operator.add)
    counts = dict(zip(map(plain, source.classes), (source.n_rows - positive, positive), strict=True))
    return data_report(source.n_rows, source.n_columns, source.is_sparse, counts, source.classes[1])


def hyperplane_between(source: Source, v: Floats) -> Hyperplane:
    """The hyperplane v = (w, b), or w alone through the origin, between the two classes."""
    d = source.n_columns
    return Hyperplane(v[:d], float(v[d]) if v.size > d else 0.0, (source.classes[0], source.classes[1]))


def exact_plane(v: Sequence[Fraction], d: int, columns: Ints | None = None) -> ExactHyperplane:
    """The same for a proof, in exact numbers; `columns`, if they are known, are those that may have a weight."""
    pairs = enumerate(v[:d]) if columns is None else ((j, v[j]) for j in columns.tolist())
    some = [(j, x) for j, x in pairs if x]
    return ExactHyperplane(tuple(j for j, _ in some), tuple(x for _, x in some), v[d] if len(v) > d else Fraction(0))


def rounded_plane(v: Sequence[Fraction], d: int, columns: Ints | None = None) -> Floats:
    """A positive multiple of v in float64, its largest entry about 1."""
    if columns is None:
        return rounded(v)
    near = rounded([*(v[j] for j in columns.tolist()), *v[d:]])
    wide = np.zeros(len(v))
    wide[columns], wide[d:] = near[: columns.size], near[columns.size :]
    return wide
