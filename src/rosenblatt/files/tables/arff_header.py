"""The header of an ARFF file: the name and type of every attribute.

    @relation name
    @attribute name numeric | real | integer | string | date [format] | { value, … }
    @data

Keywords in any case; names and values bare, or within quotes of either kind; lines that start with % are comments.
"""

import re
from dataclasses import dataclass

from ...errors import InputError, shown

QUOTED = r"""'(?:[^'\\\r\n]|\\.)*+'|"(?:[^"\\\r\n]|\\.)*+\""""
"""Text within quotes of either kind; a backslash goes before what is meant as it stands."""

_ATTRIBUTE = re.compile(rf"@attribute\s+(?P<name>{QUOTED}|[^\s{{'\"][^\s{{]*)\s*(?P<type>\S.*?)?\s*", re.IGNORECASE)
_NOMINAL = re.compile(rf"\s*(?P<value>{QUOTED}|[^,'\"\s](?:[^,]*[^,\s])?)\s*(?:,|$)")
_KINDS = {
    **dict.fromkeys(("numeric", "real", "integer"), "numeric"),
    "string": "string",
    "date": "dates",
    "relational": "tables",
}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True)
class Attribute:
    """A column as it is declared: "numeric", "nominal" with its values, "string", or what is none of these."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


def header(name: str, data: bytes, start: int) -> tuple[list[Attribute], int]:
    """The attributes, and where the line after @data starts."""
    attributes: list[Attribute] = []
    number = 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end + 1
        line = data[start:end].decode().strip()
        where = f"{name}:{number}"
        word = line.lower()
        if word == "@data":
            if not attributes:
                raise InputError(f"{where}: no attributes; expected @attribute lines before @data")
            return attributes, end
        if word.startswith("@attribute"):
            attributes.append(_attribute(where, line))
        elif line and not line.startswith("%") and not re.match(r"@relation\b", word):
            raise InputError(f"{where}: {shown(line)}; expected @relation, @attribute or @data")
        start = end
    raise InputError(f"{name}: no @data line; expected attributes, @data, and rows")


def _attribute(where: str, line: str) -> Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None or match["type"] is None:
        raise InputError(f"{where}: {shown(line)}; expected @attribute name type")
    name, type_ = unquoted(match["name"]), match["type"]
    if type_.startswith("{"):
        if not type_.endswith("}") or "}" in re.sub(QUOTED, "", type_[:-1]):
            raise InputError(f"{where}: attribute {shown(name)}: {shown(type_)}; expected {{value, …}} and no more")
        inner, values, at = type_[1:-1].strip(), [], 0
        while at < len(inner):
            value = _NOMINAL.match(inner, at)
            if value is None:
                raise InputError(f"{where}: attribute {shown(name)}: {shown(inner[at:])}; expected value, …")
            values.append(unquoted(value["value"]))
            at = value.end()
        if not values or len(set(values)) < len(values):
            raise InputError(f"{where}: attribute {shown(name)}: {shown(type_)}; expected values that differ")
        return Attribute(name, "nominal", tuple(values))
    kind = type_.split()[0].lower()
    if kind in _KINDS and (type_.lower() == kind or kind == "date"):
        return Attribute(name, _KINDS[kind])
    raise InputError(
        f"{where}: attribute {shown(name)}: type {shown(type_)}; expected numeric, real, integer or {{value, …}}"
    )


def unquoted(text: str) -> str:
    """The same text without the quotes around it, if it has any."""
    if text[:1] not in ("'", '"'):
        return text
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), text[1:-1])
