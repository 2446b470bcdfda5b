"""One perceptron for a whole function, or the proof that there is none."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..choices import LARGEST_EXACT
from ..data.hyperplane import Hyperplane
from ..errors import InputError
from ..proof.proof import Proof
from ..separation.separability import separability
from .truth_tables import CODINGS, Floats, coding_of, truths_of


class Single(NamedTuple):
    """One perceptron for a whole function, or the proof that there is none."""

    unit: Hyperplane | None
    """Whole-number weights and offset, exact on every input; predicts 0/1."""
    proof: Proof
    """Of separability, or of the rows of the table that make it impossible."""
    rows: tuple[int, ...]
    """The rows of the table the proof speaks of: all that are not left open."""


def single(table: Any, inputs: str = "01") -> Single:
    """The function as a single perceptron, if there is one: weights are whole numbers, and as small as rounding finds.

    >>> single([0, 0, 0, 1]).unit
    Hyperplane(w=array([2., 2.]), b=-3.0, classes=(0, 1))
    >>> single([0, 1, 1, 0]).proof.witness.rows
    (0, 1, 2, 3)
    """
    coding = coding_of(inputs)
    on, free = truths_of(table)
    n = on.size.bit_length() - 1
    rows = np.flatnonzero(~free)
    if rows.size == 0:
        raise InputError("every row of the table is left open: no function is asked for")
    low, high = CODINGS[coding]
    corners = np.array(list(product((low, high), repeat=n)), dtype=np.float64)[rows]
    signs = np.where(on[rows], 1, -1)
    verdict = separability(corners, signs)
    unit = None
    if verdict.exact_hyperplane is not None and verdict.separable:
        w, b = _whole_weights(corners, signs, *verdict.exact_hyperplane)
        unit = Hyperplane(np.array(w, dtype=np.float64), float(b), (0, 1))
    return Single(unit, verdict.proof, tuple(rows.tolist()))


def _whole_weights(X: Floats, y: Any, w: Sequence[Fraction], b: Fraction) -> tuple[list[int], int]:
    """Whole numbers that separate as well: the smallest multiple of (w, b) that rounds to such, else its exact one."""
    largest = max(abs(x) for x in (*w, b))
    for size in range(1, 2000):
        near = [round(float(x / largest) * size) for x in (*w, b)]
        if (y * (X @ near[:-1] + near[-1]) > 0).all():
            return near[:-1], near[-1]
    scale = math.lcm(*(x.denominator for x in (*w, b)))
    whole = [int(x * scale) for x in (*w, b)]
    if sum(map(abs, whole)) > LARGEST_EXACT:
        raise RuntimeError("whole-number weights that float64 holds exactly were not found")
    return whole[:-1], whole[-1]
