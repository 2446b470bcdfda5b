"""The one JSON form of a proof, written and read: all that comes in is checked before it is used.

Numbers are written as JSON strings (numerals.py), so that no reader rounds them; JSON's own numbers are used for counts
and rows.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import InputError, plural, shown
from .numerals import exact, exact_text
from .parts import Combination, ExactHyperplane, Hull, Packing, Witness

FORMAT, VERSION = "rosenblatt-proof", 2

KINDS: dict[str, tuple[str, ...]] = {
    "separable": ("hyperplane", "margin2"),
    "quasi-separable": ("hyperplane", "witness", "balance"),
    "overlapping": ("witness", "balance"),
    "inseparable": ("witness",),
    "largest-margin": ("hyperplane", "margin2", "hull"),
    "fewest-mistakes": ("hyperplane", "mistakes", "packing"),
}
"""Which parts a proof of each kind has. It has no others: nothing may ride along that is not checked."""

OPTIONAL = {("quasi-separable", "balance")}
"""Parts that may be null (since version 2): then less is claimed."""

MAX_BYTES = 2**27  # of a text


class Form(NamedTuple):
    """How a part of a proof is written, and read again; both are told the number of columns."""

    type: type
    write: Callable[[Any, int], Any]
    read: Callable[[Any, Any], Any]


def _written(rows: Combination) -> dict[str, Any]:
    return {"rows": list(rows.rows), "multipliers": [exact_text(multiplier) for multiplier in rows.multipliers]}


def _written_w(plane: ExactHyperplane, d: int) -> Any:
    values = [exact_text(value) for value in plane.values]
    if 2 * len(values) < d:
        return {"columns": list(plane.columns), "values": values}
    known = dict(zip(plane.columns, values, strict=True))
    return [known.get(j, "0") for j in range(d)]


def _checksum(known: Mapping[str, Any]) -> str:
    """Of everything but itself. It guards against accidents; against malice there is `verify`."""
    rest = {key: value for key, value in known.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def dumped(fields: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """The text of a proof: its fields, and its parts by name. ASCII, one line for each key."""
    columns = fields["data"]["columns"]
    known = {"format": FORMAT, "version": VERSION, **fields}
    known |= {name: None if part is None else PARTS[name].write(part, columns) for name, part in parts.items()}
    known["checksum"] = _checksum(known)
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in known.items()) + "\n}\n"


def parsed(text: str | bytes) -> dict[str, Any]:
    """The fields and the parts of the proof that a text holds, by the names of `Proof`.

    Raises `InputError`, in one line, for a text that does not hold one.
    """
    if not isinstance(text, (str, bytes)):
        raise InputError(f"a proof is text, not {type(text).__name__}")
    try:
        known = _object(text)
        data = _keys(known["data"], "data", ["rows", "columns", "sha256"])
        if type(known["read"]) is not dict:
            raise InputError("read must be an object of strings")
        kind = known["kind"]
        parts = {
            part: None
            if known[part] is None and (kind, part) in OPTIONAL and known["version"] > 1
            else PARTS[part].read(known[part], data["columns"])
            for part in KINDS[kind]
        }
    except RecursionError:
        raise InputError("nested too deeply") from None
    return {"kind": kind, **data, "through_origin": known["through_origin"], "reading": known["read"], **parts}


def _object(text: str | bytes) -> dict[str, Any]:
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
    if type(known.get("version")) is not int or not 1 <= known["version"] <= VERSION:
        raise InputError(f"a proof of version {shown(known.get('version'))}; this library reads 1 to {VERSION}")
    if (kind := known.get("kind")) not in list(KINDS):
        raise InputError(f"kind {shown(kind)}: expected one of {', '.join(KINDS)}")
    top = ["format", "version", "kind", "through_origin", "data", "read", *KINDS[kind], "checksum"]
    _keys(known, f"a proof of kind {kind}", top)
    if known["checksum"] != _checksum(known):
        raise InputError("the checksum does not fit: the proof was changed after it was written")
    return known


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
        ExactHyperplane, lambda plane, d: {"w": _written_w(plane, d), "b": exact_text(plane.b)}, _hyperplane
    ),
    "margin2": Form(Fraction, lambda value, _: exact_text(value), lambda known, _: exact(known)),
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
            "upper2": exact_text(hull.upper2),
            "rho2": None if hull.rho2 is None else exact_text(hull.rho2),
        },
        lambda known, _: _hull(known),
    ),
    "mistakes": Form(int, lambda count, _: count, lambda known, _: known),
    "packing": Form(
        Packing,
        lambda packing, _: {
            "witnesses": [_written(rows) for rows in packing.witnesses],
            "weights": [exact_text(weight) for weight in packing.weights],
        },
        lambda known, _: _packing(known),
    ),
}
"""The parts a proof may have."""
