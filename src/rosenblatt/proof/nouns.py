"""Proof: what is claimed about some rows and labels, in exact numbers, and its one JSON form.

A proof says that data are separable, quasi-separable, overlapping, or merely inseparable; or how large a margin, or how
few mistakes, hyperplanes have on them; and holds what anyone needs to see that for themselves: `verify` does, and
states the theorems. This file knows the form alone. A `Proof` that exists is well formed; whether it is true is not
asked here.

Numbers are written as JSON strings (numerals.py), so that no reader rounds them; JSON's own numbers are used for counts
and rows.
"""

import hashlib
import itertools
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Self

from ..atomic import replace_file
from ..errors import InputError, plural, shown
from .numerals import MOST_BITS, exact, fraction, number

FORMAT, VERSION = "rosenblatt-proof", 1

KINDS: dict[str, tuple[str, ...]] = {
    "separable": ("hyperplane", "margin2"),
    "quasi-separable": ("hyperplane", "witness", "balance"),
    "overlapping": ("witness", "balance"),
    "inseparable": ("witness",),
    "largest-margin": ("hyperplane", "margin2", "hull"),
    "fewest-mistakes": ("hyperplane", "mistakes", "packing"),
}
"""Which parts a proof of each kind has. It has no others: nothing may ride along that is not checked."""

MAX_BYTES = 2**27  # of a text
_WEIGHT_BITS = 4096  # of a denominator: more would only waste time


@dataclass(frozen=True, repr=False)
class ExactHyperplane:
    """w·x + b, exactly: the columns with w_j ≠ 0 (there is at least one), those w_j, and b."""

    columns: tuple[int, ...]
    values: tuple[Fraction, ...]
    b: Fraction

    def __post_init__(self) -> None:
        _increasing(self.columns, "hyperplane columns")
        _exact(self.values, len(self.columns), "hyperplane weights")
        _exact((self.b,), 1, "offset")
        if not self.columns or 0 in self.values:
            raise InputError("a hyperplane has some w ≠ 0, and lists no w = 0")

    @classmethod
    def of(cls, w: Iterable[Any], b: Any) -> "ExactHyperplane":
        """From one number for each column; integers, floats and fractions are all taken as exact.

        >>> ExactHyperplane.of([0, -0.5], 3).values
        (Fraction(-1, 2),)
        """
        pairs = [(j, fraction(value)) for j, value in enumerate(w) if value != 0]
        return cls(tuple(j for j, _ in pairs), tuple(value for _, value in pairs), fraction(b))

    def __repr__(self) -> str:
        return f"<ExactHyperplane: {plural(len(self.columns), 'weight')} ≠ 0>"


@dataclass(frozen=True, repr=False)
class Combination:
    """Some rows, each once and in order, with a multiplier > 0 each."""

    rows: tuple[int, ...]
    multipliers: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        _increasing(self.rows, "rows")
        _exact(self.multipliers, len(self.rows), "multipliers")
        if any(multiplier <= 0 for multiplier in self.multipliers):
            raise InputError("multipliers must be > 0")

    @classmethod
    def of(cls, rows: Iterable[Any], multipliers: Iterable[Any], **more: Any) -> Self:
        """From any rows in increasing order; integers, floats and fractions are all taken as exact."""
        return cls(tuple(map(int, rows)), tuple(map(fraction, multipliers)), **more)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(len(self.rows), 'row')}>"


@dataclass(frozen=True, repr=False)
class Witness(Combination):
    """Rows and multipliers α with Σ α_i z_i = 0; `minimal` if no row can be left out."""

    minimal: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.rows or type(self.minimal) is not bool:
            raise InputError("a witness has at least one row, and is minimal or not (true or false)")


@dataclass(frozen=True, repr=False)
class Hull(Combination):
    """Multipliers α of a point Σ α_i·z_i/Σ α_i whose distance from 0, squared, is at most `upper2`.

    The z_i are y_i·(x_i, ρ), with ρ² = `rho2`; None: the offset is free, and then Σ α_i·y_i = 0.
    """

    upper2: Fraction = Fraction(0)
    rho2: Fraction | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _exact((self.upper2, self.rho2 or Fraction(0)), 2, "upper2 and rho2")
        if not self.rows or self.upper2 <= 0 or (self.rho2 is not None and self.rho2 < 0):
            raise InputError("a point of the hull has at least one row, upper2 > 0, and rho2 >= 0 or none")


@dataclass(frozen=True, repr=False)
class Packing:
    """Witnesses (of any size), each with a weight > 0: of each row, those it is in weigh at most 1 together."""

    witnesses: tuple[Combination, ...]
    weights: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if type(self.witnesses) is not tuple or not all(type(w) is Combination and w.rows for w in self.witnesses):
            raise InputError("packing: expected a tuple of combinations of rows")
        _exact(self.weights, len(self.witnesses), "weights of witnesses")
        if any(weight <= 0 for weight in self.weights):
            raise InputError("packing: weights must be > 0")
        common = 1
        for weight in self.weights:
            common = math.lcm(common, weight.denominator)
            if common.bit_length() > _WEIGHT_BITS:
                raise InputError(f"packing: the common denominator of the weights has more than {_WEIGHT_BITS} bits")

    @property
    def whole(self) -> tuple[list[int], int]:
        """The weights as whole numbers, and the denominator they have in common."""
        common = math.lcm(*(weight.denominator for weight in self.weights))
        return [weight.numerator * (common // weight.denominator) for weight in self.weights], common

    @property
    def lower(self) -> int:
        """⌈Σ weights⌉: every hyperplane makes at least so many mistakes."""
        weights, common = self.whole
        return -(-sum(weights) // common)

    def __repr__(self) -> str:
        return f"<Packing of {len(self.witnesses)} witnesses: at least {plural(self.lower, 'mistake')}>"


@dataclass(frozen=True)
class Proof:
    """A claim about `rows` × `columns` numbers and their labels, known by their fingerprint `sha256`.

    >>> plane = ExactHyperplane.of([-1], Fraction(5, 2))
    >>> proof = Proof("separable", 4, 1, "0" * 64, hyperplane=plane, margin2=Fraction(1, 4))
    >>> Proof.loads(proof.dumps()) == proof
    True
    """

    kind: str
    rows: int
    columns: int
    sha256: str
    through_origin: bool = False
    hyperplane: ExactHyperplane | None = None
    margin2: Fraction | None = None
    """The square of the margin: (min m_i)²/‖w‖², or over ‖w‖² + b²/ρ² where the hull has a ρ."""
    witness: Witness | None = None
    balance: Combination | None = None
    hull: Hull | None = None
    mistakes: int | None = None
    """How many rows have m ≤ 0 under the hyperplane."""
    packing: Packing | None = None
    reading: Mapping[str, str] = field(default_factory=dict)
    """How the rows were read, in words; "read" in JSON. Nothing rests on it."""

    def __post_init__(self) -> None:
        if type(self.kind) is not str or self.kind not in KINDS:
            raise InputError(f"kind {shown(self.kind)}: expected one of {', '.join(KINDS)}")
        if not (_is_count(self.rows) and _is_count(self.columns) and self.rows and self.columns):
            raise InputError("rows and columns must be whole numbers > 0")
        if type(self.sha256) is not str or not re.fullmatch("[0-9a-f]{64}", self.sha256):
            raise InputError(f"sha256 {shown(self.sha256)}: expected 64 hexadecimal digits")
        if type(self.through_origin) is not bool:
            raise InputError("through_origin must be true or false")
        for part, form in PARTS.items():
            wanted = form.type if part in KINDS[self.kind] else type(None)
            if type(getattr(self, part)) is not wanted:
                raise InputError(f"{part}: {self.kind} proofs have {', '.join(KINDS[self.kind])}, and nothing else")
        if (plane := self.hyperplane) and (plane.columns[-1] >= self.columns or (self.through_origin and plane.b)):
            raise InputError("hyperplane: a column beyond the last, or an offset although through the origin")
        if self.margin2 is not None:
            _exact((self.margin2,), 1, "margin2")
            if self.margin2 <= 0:
                raise InputError("margin2 must be > 0")
        for some in (self.witness, self.balance, self.hull, *(self.packing.witnesses if self.packing else ())):
            if some and some.rows and some.rows[-1] >= self.rows:
                raise InputError(f"row {some.rows[-1]}: the data have rows 0 to {self.rows - 1}")
        if self.hull and self.through_origin != (self.hull.rho2 == 0):
            raise InputError("hull: rho2 is 0 through the origin, and only there")
        if self.mistakes is not None and not 0 <= self.mistakes <= self.rows:
            raise InputError(f"mistakes: expected 0 to {self.rows}")
        if self.witness and self.balance and not self.witness.minimal:
            raise InputError(f"{self.kind}: the witness must be minimal")
        if not all(type(text) is str for pair in self.reading.items() for text in pair):
            raise InputError("read: expected strings only")
        object.__setattr__(self, "reading", dict(self.reading))

    def __repr__(self) -> str:
        return f"<Proof: {self.rows} × {self.columns}, {self.kind}{', through the origin' * self.through_origin}>"

    def dumps(self) -> str:
        """The proof as JSON: ASCII, one line for each key."""
        known = self._json()
        known["checksum"] = _checksum(known)
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in known.items()) + "\n}\n"

    @classmethod
    def loads(cls, text: str | bytes) -> "Proof":
        """The proof that a text holds. Raises `InputError`, in one line, for a text that does not hold one."""
        if not isinstance(text, (str, bytes)):
            raise InputError(f"a proof is text, not {type(text).__name__}")
        try:
            return _proof(_parsed(text))
        except RecursionError:
            raise InputError("nested too deeply") from None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the proof to a file: wholly or not at all."""
        replace_file(path, self.dumps().encode("ascii"))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Proof":
        """The proof in a file."""
        with open(path, "rb") as file:
            text = file.read(MAX_BYTES + 1)
        try:
            return cls.loads(text)
        except InputError as error:
            raise InputError(f"{os.fspath(path)}: {error}") from None

    def _json(self) -> dict[str, Any]:
        """The JSON object, but for its checksum."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "through_origin": self.through_origin,
            "data": {"rows": self.rows, "columns": self.columns, "sha256": self.sha256},
            "read": dict(self.reading),
            **{part: PARTS[part].write(getattr(self, part), self.columns) for part in KINDS[self.kind]},
        }


class Form(NamedTuple):
    """How a part of a proof is written, and read again; both are told the number of columns."""

    type: type
    write: Callable[[Any, int], Any]
    read: Callable[[Any, Any], Any]


def _written(rows: Combination) -> dict[str, Any]:
    return {"rows": list(rows.rows), "multipliers": [number(multiplier) for multiplier in rows.multipliers]}


def _written_w(plane: ExactHyperplane, d: int) -> Any:
    values = [number(value) for value in plane.values]
    if 2 * len(values) < d:
        return {"columns": list(plane.columns), "values": values}
    known = dict(zip(plane.columns, values, strict=True))
    return [known.get(j, "0") for j in range(d)]


def _checksum(known: Mapping[str, Any]) -> str:
    """Of everything but itself. It guards against accidents; against malice there is `verify`."""
    rest = {key: value for key, value in known.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _parsed(text: str | bytes) -> dict[str, Any]:
    """The JSON object of a text, of the right format and version, with a checksum that fits."""
    if len(text) > MAX_BYTES:
        raise InputError(f"not a proof: more than {MAX_BYTES} bytes")
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        known = json.loads(text, object_pairs_hook=_once, parse_float=_no, parse_constant=_no, parse_int=_count)
    except UnicodeDecodeError:
        raise InputError("not a proof: not UTF-8") from None
    except RecursionError:
        raise InputError("not a proof: nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InputError(f"not a proof: not JSON (line {error.lineno}, column {error.colno}: {error.msg})") from None
    if type(known) is not dict or known.get("format") != FORMAT:
        raise InputError(f'not a proof: expected a JSON object with "format": "{FORMAT}"')
    if type(known.get("version")) is not int or known["version"] != VERSION:
        raise InputError(f"a proof of version {shown(known.get('version'))}; this library reads version {VERSION}")
    if (kind := known.get("kind")) not in list(KINDS):
        raise InputError(f"kind {shown(kind)}: expected one of {', '.join(KINDS)}")
    top = ["format", "version", "kind", "through_origin", "data", "read", *KINDS[kind], "checksum"]
    _keys(known, f"a proof of kind {kind}", top)
    if known["checksum"] != _checksum(known):
        raise InputError("the checksum does not fit: the proof was changed after it was written")
    return known


def _proof(known: dict[str, Any]) -> Proof:
    data = _keys(known["data"], "data", ["rows", "columns", "sha256"])
    if type(known["read"]) is not dict:
        raise InputError("read must be an object of strings")
    parts = {part: PARTS[part].read(known[part], data["columns"]) for part in KINDS[known["kind"]]}
    return Proof(kind=known["kind"], **data, through_origin=known["through_origin"], reading=known["read"], **parts)


def _hyperplane(plane: Any, d: Any) -> ExactHyperplane:
    w = _keys(plane, "hyperplane", ["w", "b"])["w"]
    b = exact(plane["b"])
    if type(w) is list:
        if len(w) != d:
            raise InputError(f"hyperplane: {plural(len(w), 'weight')}, expected {shown(d)}")
        return ExactHyperplane.of(map(exact, w), b)
    _keys(w, "hyperplane w", ["columns", "values"])
    return ExactHyperplane(_list(w, "columns"), tuple(map(exact, _list(w, "values"))), b)


def _combination(rows: Any, name: str, *more: str) -> dict[str, Any]:
    _keys(rows, name, ["rows", "multipliers", *more])
    return {**rows, "rows": _list(rows, "rows"), "multipliers": tuple(map(exact, _list(rows, "multipliers")))}


def _hull(known: Any) -> Hull:
    parts = _combination(known, "hull", "upper2", "rho2")
    rho2 = None if known["rho2"] is None else exact(known["rho2"])
    return Hull(**{**parts, "upper2": exact(known["upper2"]), "rho2": rho2})


def _packing(known: Any) -> Packing:
    _keys(known, "packing", ["witnesses", "weights"])
    witnesses = [Combination(**_combination(some, "packing")) for some in _list(known, "witnesses")]
    return Packing(tuple(witnesses), tuple(map(exact, _list(known, "weights"))))


def _keys(known: Any, name: str, expected: list[str]) -> dict[str, Any]:
    if type(known) is not dict:
        raise InputError(f"{name}: expected an object with {', '.join(expected)}, found {shown(known)}")
    if missing := [key for key in expected if key not in known]:
        raise InputError(f"{name}: {missing[0]} is missing; expected an object with {', '.join(expected)}")
    if strange := [key for key in known if key not in expected]:
        raise InputError(f"{name}: {shown(strange[0])} does not belong there; expected {', '.join(expected)}")
    return known


def _list(known: dict[str, Any], key: str) -> tuple[Any, ...]:
    if type(known[key]) is not list:
        raise InputError(f"{key}: expected a list, found {shown(known[key])}")
    return tuple(known[key])


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _increasing(values: Any, name: str) -> None:
    if type(values) is not tuple or not all(map(_is_count, values)):
        raise InputError(f"{name}: expected whole numbers >= 0 in a tuple")
    if any(b <= a for a, b in itertools.pairwise(values)):
        raise InputError(f"{name}: expected each once, in increasing order")


def _exact(values: Any, count: int, name: str) -> None:
    if type(values) is not tuple or len(values) != count or not all(type(value) is Fraction for value in values):
        raise InputError(f"{name}: expected {plural(count, 'exact number')} (Fraction), one each")
    for part in (part for value in values for part in (value.numerator, value.denominator)):
        if type(part) is not int or part.bit_length() > MOST_BITS:
            raise InputError(f"{name}: a number of another kind than int, or of more than {MOST_BITS} bits")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    known = dict(pairs)
    if len(known) != len(pairs):
        raise InputError("not a proof: a key occurs twice in one object")
    return known


def _no(text: str) -> Any:
    raise InputError(f"not a proof: {shown(text)} as a JSON number; numbers are strings, and counts are whole")


def _count(text: str) -> int:
    if len(text) > 19 or text == "-0":
        _no(text)
    return int(text)


PARTS = {
    "hyperplane": Form(
        ExactHyperplane, lambda plane, d: {"w": _written_w(plane, d), "b": number(plane.b)}, _hyperplane
    ),
    "margin2": Form(Fraction, lambda value, _: number(value), lambda known, _: exact(known)),
    "witness": Form(
        Witness,
        lambda witness, _: {**_written(witness), "minimal": witness.minimal},
        lambda known, _: Witness(**_combination(known, "witness", "minimal")),
    ),
    "balance": Form(
        Combination, lambda rows, _: _written(rows), lambda known, _: Combination(**_combination(known, "balance"))
    ),
    "hull": Form(
        Hull,
        lambda hull, _: {
            **_written(hull),
            "upper2": number(hull.upper2),
            "rho2": None if hull.rho2 is None else number(hull.rho2),
        },
        lambda known, _: _hull(known),
    ),
    "mistakes": Form(int, lambda count, _: count, lambda known, _: known),
    "packing": Form(
        Packing,
        lambda packing, _: {
            "witnesses": [_written(rows) for rows in packing.witnesses],
            "weights": [number(weight) for weight in packing.weights],
        },
        lambda known, _: _packing(known),
    ),
}
"""The parts a proof may have."""
