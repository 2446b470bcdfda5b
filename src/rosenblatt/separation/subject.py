"""The rows that a result speaks of: whether they are the same still, what a proof says of them, and their two sides."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..data.examples import Examples
from ..data.hyperplane import Hyperplane
from ..data.rows import matrix_of
from ..errors import InputError
from ..proof.fingerprint import fingerprint
from ..proof.parts import ExactHyperplane
from .exact import rounded
from .signed_rows import Floats, Ints


def check_unchanged(examples: Examples, digest: int) -> None:
    """Raises `InputError` if the rows or labels are not those of this digest any more."""
    if not examples.unchanged() or examples.digest(every_row=True) != digest:
        raise InputError("the rows or labels were changed since: ask again")


def proof_facts(examples: Examples, through_origin: bool) -> dict[str, Any]:
    """What every proof says of its data, whatever it claims: arguments of `Proof`."""
    return {
        "rows": examples.n_rows,
        "columns": examples.n_columns,
        "sha256": fingerprint(matrix_of(examples.rows), examples.labels),
        "through_origin": through_origin,
        "reading": {"numbers": "as stored, each an exact float64", "positive": str(examples.classes[1])},
    }


def hyperplane_between(examples: Examples, v: Floats) -> Hyperplane:
    """The hyperplane v = (w, b), or w alone through the origin, between the two classes."""
    d = examples.n_columns
    return Hyperplane(v[:d], float(v[d]) if v.size > d else 0.0, (examples.classes[0], examples.classes[1]))


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
