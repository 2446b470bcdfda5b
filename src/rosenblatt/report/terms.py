"""Terms: coefficients by the names that R's glm prints, and dependent columns by what they equal."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .coded_names import column_of

OFFSET, INTERCEPT = "(offset)", "(Intercept)"
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
