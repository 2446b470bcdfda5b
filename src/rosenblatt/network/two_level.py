"""Network: an OR of ANDs, each unit a perceptron, made from a truth table or a function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..choices import count
from ..data.hyperplane import Hyperplane
from ..errors import InputError, plural, shown
from ..report.html_cards import network_card
from ..report.network import network_text
from .implicants import covers, primes
from .setcover import fewest
from .truth_tables import CODINGS, MOST_INPUTS, Floats, Ints, coding_of, is_one_of, rows_of, truths_of

_AT_ONCE = 4096  # rows whose activations are in memory at a time


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
        n, coding = count("n_inputs", self.n_inputs, most=MOST_INPUTS), coding_of(self.inputs)
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

    def to_dict(self) -> dict[str, Any]:
        """It in plain values."""
        hidden = zip(self.implicants, *(part.tolist() for part in self.hidden), strict=True)
        return {
            "inputs": self.n_inputs,
            "coding": self.inputs,
            "formula": self.formula(),
            "at_least": self.at_least,
            "minimal": self.minimal,
            "hidden": [{"implicant": cube, "weights": w, "offset": b} for cube, w, b in hidden],
            "output": {"weights": self.output.weights.tolist(), "offset": self.output.offset},
        }

    def summary(self) -> str:
        """The same in words, at most 80 characters wide."""
        return "\n".join(network_text(self.to_dict()))

    def _repr_html_(self) -> str:
        return network_card(self.to_dict())

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
        return (rows_of(X, self.n_inputs, self.inputs) @ self.hidden.weights.T + self.hidden.offsets > 0).astype(
            np.int64
        )

    def predict(self, X: Any) -> Ints:
        """0 or 1 for each row of X. Raises `InputError` at a value that is not of this network's coding."""
        rows, found = rows_of(X, self.n_inputs, self.inputs), []
        for first in range(0, len(rows), _AT_ONCE):
            active = rows[first : first + _AT_ONCE] @ self.hidden.weights.T + self.hidden.offsets > 0
            found.append(active @ self.output.weights + self.output.offset > 0)
        return np.concatenate(found).astype(np.int64)

    def mistakes(self, table: Any) -> Ints:
        """The rows of a truth table that the network gets wrong: none if it computes that function."""
        on, free = truths_of(table)
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
    coding, (on, free) = coding_of(inputs), truths_of(table)
    n = on.size.bit_length() - 1
    cubes = primes(on, free)
    chosen, at_least = fewest(covers(cubes, np.flatnonzero(on)))
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
    n, coding = count("n", n, most=MOST_INPUTS), coding_of(inputs)
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
        if not is_one_of(output, (0, 1)):
            raise InputError(f"{call} gives {shown(output)}; expected 0 or 1, False or True")
        table.append(int(output))
    return from_truth_table(table, coding)
