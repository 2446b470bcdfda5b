"""Terms: coefficients by the names that R's glm prints, and dependent columns by what they equal."""

import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .coded_names import column_of

OFFSET, INTERCEPT = "(offset)", "(Intercept)"
_TABLES = ("csv", "tsv", "parquet", "arrow", "arff")
_SHOWN = 6  # terms of a combination that are shown
_LONG = 12  # characters of a ratio that is shown


def term(name: str, text: Collection[str] = ()) -> str:
    """The name that R gives a coefficient: of a column of text, the column followed by the level.

    >>> term("arm=C", ["arm"]), term("arm=C"), term("(offset)")
    ('armC', 'arm=C', '(Intercept)')
    """
    if name == OFFSET:
        return INTERCEPT
    column = column_of(name, text)
    return name if column is None else column + name[len(column) + 1 :]


def terms_of(known: Mapping[str, Any], text: Collection[str]) -> dict[str, str]:
    """R's terms of the coefficients that a verdict names, where they are called otherwise."""
    names = {*known["infinite"], *known["aliased"]}
    names.update(one for near in known["nearly_dependent"] for one in (near["name"], *near["equals"]))
    names.update(one for dropped in known["dropped"] for one in dropped["equals"])
    return {name: term(name, text) for name in sorted(names) if term(name, text) != name}


def dependence(dropped: Mapping[str, Any], terms: Mapping[str, str]) -> str:
    """What a dropped column equals, in one line.

    >>> exact, near = {"a": "1", "b": "-2", "(offset)": "1/2"}, {"a": 1.0, "b": -2.0, "(offset)": 0.5}
    >>> dependence({"name": "total", "equals": exact, "equals_rounded": near}, {"(offset)": "(Intercept)"})
    'total = a - 2·b + 1/2·(Intercept)'
    >>> dependence({"name": "none", "equals": {}, "equals_rounded": {}}, {})
    'none = 0'
    """
    said = ""
    for one, text in list(dropped["equals"].items())[:_SHOWN]:
        minus, size = text.startswith("-"), text.removeprefix("-")
        sign = ("-" if minus else "") if not said else (" - " if minus else " + ")
        factor = "" if size == "1" else f"{_number(size, dropped['equals_rounded'][one])}·"
        said += f"{sign}{factor}{terms.get(one, one)}"
    if (more := len(dropped["equals"]) - _SHOWN) > 0:
        said += f" + … ({more} more)"
    return f"{terms.get(dropped['name'], dropped['name'])} = {said or '0'}"


def nearly_sentence(
    near: Sequence[Mapping[str, Any]], terms: Mapping[str, str], data: Mapping[str, Any] | None = None
) -> str:
    """What nearly dependent columns equal, what R would do, and the option that does it, where there is one.

    >>> near = [{"name": "total", "equals": {"a": 1.0, "b": -2.5}}]
    >>> nearly_sentence(near, {})
    'Nearly dependent, up to rounding: total ≈ a - 2.5·b. R would drop it.'
    >>> nearly_sentence(near, {}, {"format": "csv", "reading": {}})
    'Nearly dependent, up to rounding: total ≈ a - 2.5·b. R would drop it; --leave-out total does.'
    """
    said = "; ".join(_nearly(one, terms) for one in near[:_SHOWN])
    more = f"; and {len(near) - _SHOWN} more" if len(near) > _SHOWN else ""
    names = [] if data is None else to_leave_out(near, data)
    does = f"; {' '.join(f'--leave-out {shlex.quote(name)}' for name in names)} does" if names else ""
    return f"Nearly dependent, up to rounding: {said}{more}. R would drop {'it' if len(near) == 1 else 'them'}{does}."


def to_leave_out(near: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> list[str]:
    """The nearly dependent columns, if all are columns of a table, so that --leave-out knows them; else none."""
    reading = data["reading"]
    text, words = reading.get("text") or (), reading.get("words") or ()
    names = [str(one["name"]) for one in near]
    levels = any(term(name, text) != name or any(name.startswith(f"{one}:") for one in words) for name in names)
    return names if data["format"] in _TABLES and not levels and len(names) <= _SHOWN else []


def _nearly(near: Mapping[str, Any], terms: Mapping[str, str]) -> str:
    said = ""
    for one, x in list(near["equals"].items())[:_SHOWN]:
        sign = ("-" if x < 0 else "") if not said else (" - " if x < 0 else " + ")
        said += f"{sign}{'' if abs(x) == 1 else f'{abs(x):.6g}·'}{terms.get(one, one)}"
    if (more := len(near["equals"]) - _SHOWN) > 0:
        said += f" + … ({more} more)"
    return f"{terms.get(near['name'], near['name'])} ≈ {said or '0'}"


def dropped_lines(dropped: Sequence[Mapping[str, Any]], terms: Mapping[str, str], most: int = 12) -> list[str]:
    """The same of all of them, or of the first and how many there are."""
    lines = [dependence(one, terms) for one in dropped[:most]]
    return [*lines, *([f"… and {len(dropped) - most} more"] if len(dropped) > most else [])]


def _number(exact: str, near: float | None) -> str:
    """A number without its sign, as people write it, where that is what it is; else one near it, marked so."""
    if len(exact) <= _LONG and not exact.startswith("0x"):
        return exact
    if near is None:
        return f"{exact[:_LONG]}…"
    shortest = repr(abs(near))
    return shortest if exact.startswith("0x1.") and len(shortest) <= _LONG else f"≈{abs(near):.4g}"
