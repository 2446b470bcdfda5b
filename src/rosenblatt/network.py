"""Boolean functions as two-level networks of perceptrons: AND units first, then one OR unit.

A perceptron is a neuron: a weighted sum, then a step. One alone computes only what a hyperplane separates, and XOR is
not that; two levels compute every boolean function (McCulloch and Pitts 1943). An *implicant* is an AND of literals
that is true only where the function is, written as a string: "1-0" reads "x1, and not x3". A *prime* implicant is one
no literal can be left out of. Each hidden unit is a prime implicant, and the output is the OR of them:

    coding 0/1    AND: Σ ±x_j − (positive literals) + ½ is ½ if all literals hold, else at most −½    OR: Σ h_k − ½
    coding ±1     AND: Σ ±x_j − (literals) + 1 is 1 if all literals hold, else at most −1             the same, h is 0/1

so scores are exact and never 0. The primes are those of Quine ("The problem of simplifying truth functions", 1952) and
McCluskey ("Minimization of Boolean functions", 1956). Choosing the fewest that cover the function is a set cover
(setcover.py): `at_least` is the number of AND units proved to be needed, `minimal` whether it is the number found.

Fewest means among networks of this form, an OR of ANDs. Hidden units that are not ANDs can do with fewer: parity of n
takes 2^(n−1) ANDs, but only n threshold units. And where one perceptron would do, two levels are built all the same.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .choices import count, one_of
from .data.hyperplane import Hyperplane
from .errors import InputError, plural, shown
from .proof.nouns import Proof
from .separation.separability import separability
from .setcover import fewest

MOST_INPUTS = 10
CODINGS = {"01": (0, 1), "±1": (-1, 1)}

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Hidden(NamedTuple):
    """The h hidden units: weights (h, n), offsets (h,)."""

    weights: Floats
    offsets: Floats


class Output(NamedTuple):
    """The output unit: weights (h,), one offset."""

    weights: Floats
    offset: float


@dataclass(frozen=True, repr=False)
class Network:
    """An OR of ANDs. `inputs` is the coding, "01" or "±1"; `at_least` the proven lower bound on hidden units.

    >>> net = from_truth_table([0, 1, 1, 0])
    >>> net
    <Network: 2 inputs coded 01, 2 hidden units (the fewest), x1·¬x2 + ¬x1·x2>
    >>> net.hidden.weights.tolist(), net.hidden.offsets.tolist(), net.output.offset
    ([[1.0, -1.0], [-1.0, 1.0]], [-0.5, -0.5], -0.5)
    >>> net.predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist()
    [0, 1, 1, 0]
    """

    n_inputs: int
    inputs: str
    implicants: tuple[str, ...]
    at_least: int = 0
    hidden: Hidden = field(init=False, compare=False)
    output: Output = field(init=False, compare=False)

    def __post_init__(self) -> None:
        n, coding = count("n_inputs", self.n_inputs, most=MOST_INPUTS), _coding(self.inputs)
        for cube in self.implicants:
            if not isinstance(cube, str) or len(cube) != n or set(cube) - set("01-"):
                raise InputError(f"implicant {shown(cube)}: expected {plural(n, 'character')}, each 0, 1 or -")
        h = len(self.implicants)
        signs = np.array([[{"0": -1.0, "1": 1.0, "-": 0.0}[c] for c in cube] for cube in self.implicants])
        weights = signs.reshape(h, n)
        offsets = 0.5 - (weights > 0).sum(1) if coding == "01" else 1.0 - np.abs(weights).sum(1)
        ones = np.ones(h)
        for array in (weights, offsets, ones):
            array.flags.writeable = False
        object.__setattr__(self, "n_inputs", n)
        object.__setattr__(self, "inputs", coding)
        object.__setattr__(self, "implicants", tuple(self.implicants))
        object.__setattr__(self, "at_least", count("at_least", self.at_least, least=0, most=h))
        object.__setattr__(self, "hidden", Hidden(weights, offsets))
        object.__setattr__(self, "output", Output(ones, -0.5))

    def __repr__(self) -> str:
        formula, least = self.formula(), "the fewest" if self.minimal else f"at least {self.at_least} are needed"
        formula = formula if len(formula) <= 60 else formula[:59] + "…"
        units = plural(len(self.implicants), "hidden unit")
        return f"<Network: {plural(self.n_inputs, 'input')} coded {self.inputs}, {units} ({least}), {formula}>"

    @property
    def minimal(self) -> bool:
        """Whether no OR of fewer ANDs computes the function, proven. False says only that it was not proven."""
        return self.at_least == len(self.implicants)

    @property
    def hidden_units(self) -> tuple[Hyperplane, ...]:
        """Each hidden unit, predicting 0 or 1. The one of the constant 1 has w = 0: it has scores but no distances."""
        return tuple(Hyperplane(w, float(b), (0, 1)) for w, b in zip(*self.hidden, strict=True))

    @property
    def output_unit(self) -> Hyperplane | None:
        """The output unit, predicting 0 or 1 from `activations`; None for the constant 0, which has no hidden units."""
        return Hyperplane(*self.output, (0, 1)) if self.implicants else None

    @property
    def corners(self) -> Ints:
        """All 2**n inputs in this network's coding, in the order of a truth table."""
        return np.array(list(product(CODINGS[self.inputs], repeat=self.n_inputs)))

    @property
    def table(self) -> Ints:
        """The truth table the network computes, by its sums."""
        return self.predict(self.corners)

    def activations(self, X: Any) -> Ints:
        """The outputs of the hidden units, 0 or 1: (m, h) for the m rows of X."""
        return (_rows(X, self) @ self.hidden.weights.T + self.hidden.offsets > 0).astype(np.int64)

    def predict(self, X: Any) -> Ints:
        """0 or 1 for each row of X. Raises `InputError` at a value that is not of this network's coding."""
        rows, found = _rows(X, self), []
        for first in range(0, len(rows), 4096):  # in blocks: there may be far more rows than memory for activations
            active = rows[first : first + 4096] @ self.hidden.weights.T + self.hidden.offsets > 0
            found.append(active @ self.output.weights + self.output.offset > 0)
        return np.concatenate(found).astype(np.int64)

    def mistakes(self, table: Any) -> Ints:
        """The rows of a truth table that the network gets wrong: none if it computes that function."""
        on, free = _truths(table)
        if on.size != 2**self.n_inputs:
            raise InputError(f"table of {on.size} outputs; expected {2**self.n_inputs} for {self.n_inputs} inputs")
        return np.flatnonzero((self.table != on) & ~free)

    def formula(self, names: Sequence[str] | None = None) -> str:
        """The function as an OR (+) of ANDs (·) of inputs and negated inputs (¬).

        >>> from_truth_table([0, 1, 0, 1, 1, 1, 0, 1]).formula("abc")
        'a·¬b + c'
        """
        given = [f"x{j + 1}" for j in range(self.n_inputs)] if names is None else list(names)
        if len(given) != self.n_inputs or not all(isinstance(s, str) for s in given) or len(set(given)) < len(given):
            raise InputError(f"names {shown(names)}: expected {self.n_inputs} different strings, one for each input")
        literal = {"1": "{}", "0": "¬{}"}
        ands = [
            "·".join(literal[c].format(name) for c, name in zip(cube, given, strict=True) if c != "-") or "1"
            for cube in self.implicants
        ]
        return " + ".join(ands) or "0"


def from_truth_table(table: Any, inputs: str = "01") -> Network:
    """The network that computes a truth table: 2**n outputs 0 or 1, or None where either will do; n is 1 to 10.

    Row i of the table is for the inputs that spell i in binary, the FIRST input being the most significant digit: of
    two inputs the rows are 00, 01, 10, 11. `inputs` says how the network takes them: "01", or "±1" ("+-1") with −1
    for 0. The network is checked on every row before it is returned.

    >>> net = from_truth_table([0, 0, 0, 1, 0, 1, 1, 1], inputs="±1")
    >>> net.formula(), net.implicants, net.predict([[1, -1, 1]]).tolist()
    ('x1·x2 + x1·x3 + x2·x3', ('11-', '1-1', '-11'), [1])
    """
    coding, (on, free) = _coding(inputs), _truths(table)
    n = on.size.bit_length() - 1
    cubes = _primes(on, free)
    chosen, at_least = fewest(_covers(cubes, np.flatnonzero(on)))
    implicants = ["".join("01-"[digit] for digit in cubes[k]) for k in chosen]
    # x1 before x2, and a plain input before its negation, as one would write the formula.
    implicants.sort(key=lambda cube: cube.translate(str.maketrans("10-", "012")))
    net = Network(n, coding, tuple(implicants), at_least)
    if (wrong := net.mistakes(table)).size:
        raise RuntimeError(f"the network built is wrong at row {wrong[0]} of the table: a bug in rosenblatt.network")
    return net


def from_function(f: Callable[..., Any], n: int, inputs: str = "01") -> Network:
    """The network that computes f, which takes n integers 0 or 1, whatever the coding, and gives 0 or 1.

    >>> from_function(lambda x, y, z: (x and not y) or z, 3).formula()
    'x1·¬x2 + x3'
    """
    n, coding = count("n", n, most=MOST_INPUTS), _coding(inputs)
    if not callable(f):
        raise InputError(f"f must be a function of {plural(n, 'input')}, not {shown(f)}")
    table = []
    for bits in product((0, 1), repeat=n):
        call = f"f({', '.join(map(str, bits))})"
        try:
            output = f(*bits)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise InputError(f"{call} must give 0 or 1, but failed: {reason}") from error
        if not _is_one_of(output, (0, 1)):
            raise InputError(f"{call} gives {shown(output)}; expected 0 or 1, False or True")
        table.append(int(output))
    return from_truth_table(table, coding)


# What comes in: checked here, trusted below.


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
    coding = _coding(inputs)
    on, free = _truths(table)
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
        w, b = _whole(corners, signs, *verdict.exact_hyperplane)
        unit = Hyperplane(np.array(w, dtype=np.float64), float(b), (0, 1))
    return Single(unit, verdict.proof, tuple(rows.tolist()))


def _whole(X: Floats, y: Any, w: Sequence[Fraction], b: Fraction) -> tuple[list[int], int]:
    """Whole numbers that separate as well: the smallest multiple of (w, b) that rounds to such, else its exact one."""
    largest = max(abs(x) for x in (*w, b))
    for size in range(1, 2000):
        near = [round(float(x / largest) * size) for x in (*w, b)]
        if (y * (X @ near[:-1] + near[-1]) > 0).all():
            return near[:-1], near[-1]
    scale = math.lcm(*(x.denominator for x in (*w, b)))
    whole = [int(x * scale) for x in (*w, b)]
    if sum(map(abs, whole)) > 2**53:
        raise RuntimeError("whole-number weights that float64 holds exactly were not found")
    return whole[:-1], whole[-1]


def _coding(inputs: Any) -> str:
    return one_of("inputs", inputs, (*CODINGS, "+-1")).replace("+-", "±")


def _is_one_of(value: Any, allowed: tuple[int, ...]) -> bool:
    return isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)) and value in allowed


def _array(values: Any, what: str) -> NDArray[Any]:
    """An array of numbers, or of Python objects as they were given; missing values are None."""
    if hasattr(values, "toarray"):
        values = values.toarray()
    if hasattr(values, "filled"):  # a masked array
        values = np.where(np.ma.getmaskarray(values), None, values.data)
    try:
        array = np.asarray(values)
        # Asked for once more as objects: [0, "1"] has become ['0', '1'], and the error would name the wrong one.
        return array if array.dtype.kind in "biuf" else np.asarray(values, dtype=object)
    except (TypeError, ValueError):
        raise InputError(f"{what}, all of one length") from None


def _allowed(array: NDArray[Any], allowed: tuple[int, ...]) -> Bools:
    if array.dtype != object:
        return np.isin(array, allowed)
    return np.array([_is_one_of(value, allowed) for value in array.flat], dtype=bool).reshape(array.shape)


def _rows(X: Any, net: Network) -> Floats:
    """X as float64, every value of the network's coding."""
    n, (low, high) = net.n_inputs, CODINGS[net.inputs]
    what = f"inputs must form a table (m, {n}) of {low} and {high}"
    array = _array(X, what)
    if array.ndim != 2:
        hint = "; [x] makes a table of one row x" if array.ndim == 1 else ""
        raise InputError(f"{what}, not an array of {array.ndim} dimension(s){hint}")
    if array.shape[1] != n:
        raise InputError(f"rows have {plural(array.shape[1], 'column')}; expected {n}, one for each input")
    if len(array) == 0:
        raise InputError("no rows: at least one is needed")
    good = _allowed(array, (low, high))
    if not good.all():
        i, j = np.argwhere(~good)[0]
        value = array[i, j : j + 1].tolist()[0]
        raise InputError(f"row {i}, column {j}: {shown(value)}; expected {low} or {high}, as coded by {net.inputs!r}")
    return array.astype(np.float64)


def _truths(table: Any) -> tuple[Bools, Bools]:
    """Where the function must be 1, and where it may be anything."""
    what = "a truth table is a list of outputs, each 0, 1 or None"
    array = _array(table, what)
    if array.ndim != 1:
        raise InputError(f"{what}, not an array of {array.ndim} dimension(s)")
    size = array.size
    if size < 2 or size & (size - 1):
        raise InputError(f"table of {plural(size, 'output')}; expected 2**n for n inputs: 2, 4, 8, … {2**MOST_INPUTS}")
    if size > 2**MOST_INPUTS:
        raise InputError(f"table of {size} outputs, for {size.bit_length() - 1} inputs; expected up to {MOST_INPUTS}")
    on, off = _allowed(array, (1,)), _allowed(array, (0,))
    free = np.array([value is None for value in array], dtype=bool)
    if (bad := np.flatnonzero(~(on | off | free))).size:
        value = array[bad[:1]].tolist()[0]
        raise InputError(
            f"output of row {bad[0]}: {shown(value)}; expected 0 or 1, False or True, or None where either will do"
        )
    return on, free


# Prime implicants.


def _primes(on: Bools, free: Bools) -> NDArray[np.int64]:
    """The prime implicants that cover a row of `on`: one digit for each input, 2 for an input left out. Largest first.

    Quine and McCluskey merge pairs of implicants that differ in one literal. All 3^n cubes fit in a table with one axis
    for each input, so that merging along an axis is one operation for all of them.
    """
    n = on.size.bit_length() - 1
    implicant, useful = (on | free).reshape((2,) * n), on.reshape((2,) * n)
    for axis in range(n):
        implicant = np.concatenate([implicant, implicant.all(axis, keepdims=True)], axis)
        useful = np.concatenate([useful, useful.any(axis, keepdims=True)], axis)
    prime = implicant & useful
    for axis in range(n):
        literal = np.array([True, True, False]).reshape((3,) + (1,) * (n - 1 - axis))
        prime &= ~(literal & implicant.take([2], axis))  # without that literal it would still be an implicant
    cubes = np.argwhere(prime)
    return cubes[np.argsort((cubes < 2).sum(1), kind="stable")]


def _covers(cubes: NDArray[np.int64], rows: NDArray[np.int64]) -> Bools:
    """Whether cube i contains row j."""
    powers = 2 ** np.arange(cubes.shape[1])[::-1]
    literals, values = (cubes < 2) @ powers, (cubes == 1) @ powers
    return np.asarray((rows & literals[:, None]) == values[:, None])
