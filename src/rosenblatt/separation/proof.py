"""Proof: what is claimed about some rows and labels, in exact numbers, and its one JSON form.

A proof says that data are separable, quasi-separable, overlapping, or merely inseparable, and holds what anyone needs
to see that for themselves: `verify` does, and states the theorems. This file knows the form alone. A `Proof` that
exists is well formed; whether it is true is not asked here.

Numbers are written as JSON strings, so that no reader rounds them: "-12", "5/2", "0x1.999999999999ap-4" (as float.hex
writes a float64), and beyond 4000 digits in hexadecimal. JSON's own numbers are used for counts and rows.
"""

import hashlib
import itertools
import json
import math
import os
import re
import secrets
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from ..errors import InputError, plural, shown

FORMAT, VERSION = "rosenblatt-proof", 1

KINDS: dict[str, tuple[str, ...]] = {
    "separable": ("hyperplane", "margin2"),
    "quasi-separable": ("hyperplane", "witness", "balance"),
    "overlapping": ("witness", "balance"),
    "inseparable": ("witness",),
}
"""Which parts a proof of each kind has. It has no others: nothing may ride along that is not checked."""

MAX_BYTES = 2**27  # of a text
_DECIMAL_DIGITS = 4000  # Python's own limit on reading decimals is 4300
_MOST_BITS = 2**19  # of a numerator or denominator
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
_HEX = re.compile(r"-?0x[1-9a-f][0-9a-f]*(/0x[1-9a-f][0-9a-f]*)?")
_FLOAT = re.compile(r"0x0\.0p\+0|-?0x[01]\.[0-9a-f]{13}p[+-][0-9]{1,4}")


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
    def of(cls, rows: Iterable[Any], multipliers: Iterable[Any], **more: bool) -> Self:
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
    """The square of the margin: (min m_i)²/‖w‖²."""
    witness: Witness | None = None
    balance: Combination | None = None
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
        for part, its_type in PARTS.items():
            wanted = its_type if part in KINDS[self.kind] else type(None)
            if type(getattr(self, part)) is not wanted:
                raise InputError(f"{part}: {self.kind} proofs have {', '.join(KINDS[self.kind])}, and nothing else")
        if (plane := self.hyperplane) and (plane.columns[-1] >= self.columns or (self.through_origin and plane.b)):
            raise InputError("hyperplane: a column beyond the last, or an offset although through the origin")
        if self.margin2 is not None:
            _exact((self.margin2,), 1, "margin2")
            if self.margin2 <= 0:
                raise InputError("margin2 must be > 0")
        for some in (self.witness, self.balance):
            if some and some.rows and some.rows[-1] >= self.rows:
                raise InputError(f"row {some.rows[-1]}: the data have rows 0 to {self.rows - 1}")
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
        path = Path(path)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            with open(draft, "x", encoding="ascii", newline="\n") as file:
                file.write(self.dumps())
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)

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
        plane, witness, balance = self.hyperplane, self.witness, self.balance
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "through_origin": self.through_origin,
            "data": {"rows": self.rows, "columns": self.columns, "sha256": self.sha256},
            "read": dict(self.reading),
            "hyperplane": plane and {"w": _written_w(plane, self.columns), "b": number(plane.b)},
            "margin2": None if self.margin2 is None else number(self.margin2),
            "witness": witness and {**_written(witness), "minimal": witness.minimal},
            "balance": balance and _written(balance),
        }


PARTS = {"hyperplane": ExactHyperplane, "margin2": Fraction, "witness": Witness, "balance": Combination}


def fraction(value: Any) -> Fraction:
    """A number of Python's or NumPy's, exactly, in Python's own integers."""
    return Fraction(value.item() if hasattr(value, "item") else value)


def number(value: Fraction) -> str:
    """An exact number as text: a float64's hex form where that is shorter than the integer or ratio.

    >>> number(Fraction(-5, 2)), number(Fraction(0.1)), number(Fraction(10) ** 4000)[:8]
    ('-5/2', '0x1.999999999999ap-4', '0xd1ba83')
    """
    parts = (abs(value.numerator), value.denominator)[: 1 + (value.denominator > 1)]
    if max(parts) < 10**_DECIMAL_DIGITS:
        text = "/".join(map(_decimal, parts))
        if len(text) > 20 and abs(value) <= sys.float_info.max and Fraction(rounded := float(value)) == value:
            text = min(text, abs(rounded).hex(), key=len)
    else:
        text = "/".join(map(hex, parts))
    return "-" * (value < 0) + text


def exact(text: Any) -> Fraction:
    """The number that a text holds. Raises `InputError` unless it is written as `number` or float.hex write it.

    >>> exact("-5/2"), exact("0x1.8000000000000p+1")
    (Fraction(-5, 2), Fraction(3, 1))
    """
    if type(text) is not str:
        raise InputError(f"number {shown(text)}: expected a string like '-12', '5/2' or a float's hex form")
    if len(text) > _MOST_BITS // 2 + 8:  # two parts in hexadecimal, and signs
        raise InputError(f"number {shown(text[:60])}: too long")
    if _FLOAT.fullmatch(text):
        try:
            value = float.fromhex(text)
        except OverflowError:
            value = math.inf
        if math.isfinite(value) and value.hex() == text:
            return Fraction(value)
    elif (decimal := _DECIMAL.fullmatch(text)) or _HEX.fullmatch(text):
        parts = text.lstrip("-").split("/")
        p, q = [*(_from_decimal(part) if decimal else int(part, 16) for part in parts), 1][:2]
        long = max(len(part) for part in parts) > _DECIMAL_DIGITS if decimal else max(p, q) < 10**_DECIMAL_DIGITS
        lowest = len(parts) == 1 or (q > 1 and math.gcd(p, q) == 1)
        if not long and lowest and (p or text == "0"):
            return Fraction(-p if text[0] == "-" else p, q)
    raise InputError(f"number {shown(text)}: not in its one canonical form")


def _decimal(value: int) -> str:
    """str(value), in pieces: the interpreter may have been told to refuse more than 640 digits at a time."""
    high, low = divmod(value, 10**600)
    return _decimal(high) + f"{low:0600d}" if high else str(low)


def _from_decimal(digits: str) -> int:
    value = 0
    for first in range(0, min(len(digits), _DECIMAL_DIGITS + 1), 600):
        piece = digits[first : first + 600]
        value = value * 10 ** len(piece) + int(piece)
    return value


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
    top = ["format", "version", "kind", "through_origin", "data", "read", *PARTS, "checksum"]
    _keys(known, "a proof", top)
    if known["checksum"] != _checksum(known):
        raise InputError("the checksum does not fit: the proof was changed after it was written")
    return known


def _proof(known: dict[str, Any]) -> Proof:
    data = _keys(known["data"], "data", ["rows", "columns", "sha256"])
    if type(known["kind"]) is not str or type(known["read"]) is not dict:
        raise InputError("kind must be a string, and read an object of strings")
    plane, witness, balance, margin2 = (known[part] for part in ("hyperplane", "witness", "balance", "margin2"))
    return Proof(
        kind=known["kind"],
        **data,
        through_origin=known["through_origin"],
        hyperplane=None if plane is None else _hyperplane(plane, data["columns"]),
        margin2=None if margin2 is None else exact(margin2),
        witness=None if witness is None else Witness(**_combination(witness, "witness", "minimal")),
        balance=None if balance is None else Combination(**_combination(balance, "balance")),
        reading=known["read"],
    )


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


def _keys(known: Any, name: str, expected: list[str]) -> dict[str, Any]:
    if type(known) is not dict or set(known) != set(expected):
        found = list(known) if type(known) is dict else known
        raise InputError(f"{name}: expected an object with {', '.join(expected)}, found {shown(found)}")
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
        if type(part) is not int or part.bit_length() > _MOST_BITS:
            raise InputError(f"{name}: a number of another kind than int, or of more than {_MOST_BITS} bits")


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
