"""Two more ways to a verdict: weights that came back while learning, and numbers as they were written in decimals."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..errors import InputError
from ..examples import matrix_of
from ..run import Run
from .exact import Cone, integers
from .fingerprint import fingerprint
from .proof import Proof, Witness
from .search import Search
from .verdict import Verdict, separability


def loop_proof(run: Run) -> Proof:
    """The proof of inseparability in a run whose weights came back (law 11), if it is one in exact arithmetic.

    Between two equal weight vectors the updates add up to nothing: Σ τ·y·x′ = 0, with τ ≥ 0 multipliers of a witness.
    But floats can come back by rounding, so the rows between are asked again in exact numbers.

    >>> from rosenblatt import datasets, learn
    >>> loop_proof(learn(*datasets.get("xor"), log=True)).witness.rows
    (0, 1, 2, 3)
    """
    if run.status.name != "loop" or run.state.decision != "binary":
        raise InputError("only a two-class run that ended in a loop can hold a proof of inseparability")
    path = run.path()
    n = run.examples.n_rows
    since = run.state.core["saved_epoch"] * n
    rows = np.unique(path.row[path.births[path.change] > since])
    s = Search(run.examples, run.state.rho2 == 0, np.inf, run.plan.threads)
    columns, shifts = integers(s.z(rows))
    cone = Cone([[*column, 1] for column in columns], [0] * s.d + [1], list(range(min(len(columns), s.d + 1))), s.left)
    if cone.normal is not None:
        raise InputError("the weights came back by rounding: the rows in between can be separated; ask `separability`")
    kept = sorted(cone.multipliers)
    alpha = [cone.multipliers[r] / Fraction(2) ** shifts[r] for r in kept]
    total = sum(alpha, Fraction(0))
    return Proof(
        "inseparable",
        rows=n,
        columns=run.examples.n_columns,
        through_origin=s.origin,
        sha256=fingerprint(matrix_of(run.examples.rows), run.examples.labels),
        witness=Witness(tuple(int(r) for r in rows[kept]), tuple(a / total for a in alpha)),
    )


class Readings(NamedTuple):
    """The verdict on numbers as float64 stores them, and as they were written."""

    stored: Verdict
    written: Verdict

    @property
    def differ(self) -> bool:
        """Whether rounding to float64 has changed the answer."""
        return self.stored.kind != self.written.kind

    def summary(self) -> str:
        """One line."""
        if not self.differ:
            return f"{self.stored.kind}, as stored and as written"
        written = f"as written they are {self.written.kind}"
        return f"{self.stored.kind} only by rounding: as float64 stores the numbers; {written}"


def readings(table: Sequence[Sequence[str]], y: Any, *, through_origin: bool = False) -> Readings:
    """Ask twice: of the float64 nearest to each decimal, and of the decimals themselves.

    A column of decimals times a power of ten is a column of whole numbers, and what is separable stays so.

    >>> readings([["0.1", "1"], ["0.3", "3"], ["0.2", "2"]], [1, 1, -1]).summary()
    'separable only by rounding: as float64 stores the numbers; as written they are overlapping'
    """
    exact = [[_decimal(text, i, j) for j, text in enumerate(row)] for i, row in enumerate(table)]
    if len({len(row) for row in exact}) != 1:
        raise InputError("rows of different lengths")
    whole = np.zeros((len(exact), len(exact[0])))
    for j in range(len(exact[0])):
        places = max(max(0, -int(row[j].as_tuple().exponent)) for row in exact)
        for i, row in enumerate(exact):
            value = int(row[j].scaleb(places))
            if abs(value) > 2**53:
                raise InputError(
                    f"row {i}, column {j}: {table[i][j]!r} has too many digits next to the others of its column"
                )
            whole[i, j] = value
    stored = np.array([[float(value) for value in row] for row in exact])
    return Readings(*(separability(X, y, through_origin=through_origin) for X in (stored, whole)))


def _decimal(text: str, i: int, j: int) -> Decimal:
    try:
        value = Decimal(text)
    except (InvalidOperation, TypeError, ValueError):
        raise InputError(f"row {i}, column {j}: {text!r} is not a decimal number") from None
    if not value.is_finite():
        raise InputError(f"row {i}, column {j}: {text!r} is not a finite number")
    return value
