"""Two more ways to a verdict: weights that came back while learning, and numbers as they were written in decimals."""

import math
import re
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..errors import InputError, shown
from ..examples import Examples, rows_of
from ..run import Run
from .fingerprint import fingerprint
from .proof import Proof, Witness
from .search import search
from .verdict import Verdict, separability

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


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
    origin = run.state.rho2 == 0
    some = Examples(rows_of(path.matrix[rows]), run.examples.labels[rows], run.examples.classes)
    found = search(some, origin, math.inf, run.plan.threads, all_rows=False)
    if found.witness is None:
        raise InputError("the weights came back by rounding: the rows in between can be separated; ask `separability`")
    which, alpha = found.witness
    total = sum(alpha, Fraction(0))
    return Proof(
        "inseparable",
        rows=n,
        columns=run.examples.n_columns,
        through_origin=origin,
        sha256=fingerprint(path.matrix, run.examples.labels),
        witness=Witness(tuple(rows[which].tolist()), tuple(a / total for a in alpha)),
    )


class Readings(NamedTuple):
    """The verdict on numbers as float64 stores them, and the kind they have as written."""

    stored: Verdict
    written: str
    """separable, quasi-separable or overlapping, of the decimals themselves."""
    witness_rows: tuple[int, ...]
    """If they are not separable as written: rows that show it."""

    @property
    def differ(self) -> bool:
        """Whether rounding to float64 has changed the answer."""
        return self.stored.kind != self.written

    def summary(self) -> str:
        """One line."""
        if not self.differ:
            return f"{self.written}, as stored and as written"
        return f"{self.stored.kind} only by rounding: as float64 stores the numbers; as written they are {self.written}"


def readings(table: Any, y: Any, *, through_origin: bool = False) -> Readings:
    """Ask twice: of the float64 nearest to each decimal, and of the decimals themselves.

    The table is of text: rows of strings, or a frame of them. A column of decimals times a power of ten is a column of
    whole numbers, and what is separable stays so; these must not exceed 2^53.

    >>> readings([["0.1", "1"], ["0.3", "3"], ["0.2", "2"]], [1, 1, -1]).summary()
    'separable only by rounding: as float64 stores the numbers; as written they are overlapping'
    """
    rows = table.to_numpy().tolist() if hasattr(table, "to_numpy") else list(table)
    exact = [[_decimal(text, i, j) for j, text in enumerate(row)] for i, row in enumerate(rows)]
    if not exact or len({len(row) for row in exact}) != 1:
        raise InputError("rows of text, all of one length, are needed")
    whole = np.zeros((len(exact), len(exact[0])))
    for j in range(len(exact[0])):
        scale = math.lcm(*(row[j].denominator for row in exact))
        for i, row in enumerate(exact):
            value = int(row[j] * scale)
            if abs(value) > 2**53:
                text = shown(rows[i][j])
                raise InputError(f"row {i}, column {j}: {text} has too many digits next to the others of its column")
            whole[i, j] = value
    stored = np.array([[float(value) for value in row] for row in exact])
    asked = [separability(X, y, through_origin=through_origin) for X in (stored, whole)]
    witness = asked[1].witness_rows
    return Readings(asked[0], asked[1].kind, () if witness is None else tuple(witness.tolist()))


def _decimal(text: Any, i: int, j: int) -> Fraction:
    if not isinstance(text, str):
        raise InputError(f"row {i}, column {j}: {shown(text)} is not text: give the numbers as they were written")
    if not _DECIMAL.fullmatch(text.strip()):
        raise InputError(f"row {i}, column {j}: {shown(text)} is not a decimal number")
    return Fraction(text.strip())
