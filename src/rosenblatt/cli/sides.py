"""Which rows are on which side: one class against another, or against all the rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..report.data import classes_of
from ..report.text import listed, word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..data.examples import Examples
    from ..files.sheet import Sheet

_MOST_NAMES = 5000  # columns that are given names for a report


@dataclass(frozen=True)
class Sides:
    """±1 for each row; the label that is +1, and the one that is −1 ("the rest" of more than two)."""

    signs: "NDArray[np.int8]"
    positive: Any
    negative: Any
    classes: Mapping[Any, int]
    """All labels, sorted, with how many rows have each."""


def sides(labels: Any, asked: str | None, name: str) -> Sides:
    """The class asked for against the others; of two classes, by default, the second one sorted is positive."""
    import numpy as np

    if labels is None:
        raise InputError(f"{name}: no labels; say which column they are: --label COLUMN")
    counted = classes_of(labels) or {}
    classes = list(counted)
    if len(classes) < 2:
        only = "".join(map(word, classes))
        raise InputError(f"{name}: one class only: all rows carry the label {only}; expected two classes")
    if asked is None and len(classes) > 2:
        known = listed([word(label) for label in classes], 6)
        raise InputError(
            f"{name}: {len(classes)} classes ({known}), expected two; --positive LABEL asks about one against the rest"
        )
    at = 1 if asked is None else _place(classes, asked, name)
    signs = np.where(np.asarray(labels) == classes[at], 1, -1).astype(np.int8)
    return Sides(signs, classes[at], classes[1 - at] if len(classes) == 2 else "the rest", counted)


def _place(classes: list[Any], asked: str, name: str) -> int:
    texts = [str(label) for label in classes]
    if asked in texts:
        return texts.index(asked)
    try:
        wanted: Any = float(asked)
    except ValueError:
        wanted = {"true": True, "false": False}.get(asked.lower())
    for at, label in enumerate(classes):
        if not isinstance(label, str) and label == wanted and isinstance(label, bool) == isinstance(wanted, bool):
            return at
    known = listed([word(label) for label in classes], 8)
    raise InputError(f"{name}: no row has the label {word(asked)} (--positive); the labels are {known}")


def two_sided(sheet: "Sheet", asked: str | None) -> "tuple[Examples, Sides]":
    """The rows of a sheet as examples of two classes, and which is which."""
    import numpy as np

    from ..data.examples import Examples, check_room

    check_room(sheet.rows.d, 1, sheet.name)
    found = sides(sheet.labels, asked, sheet.name)
    classes = np.empty(2, dtype=object)
    classes[:] = [found.negative, found.positive]
    return Examples(sheet.rows, found.signs, classes, _names(sheet), sheet.lines), found


def _names(sheet: "Sheet") -> tuple[str, ...] | None:
    """The columns' names; in svmlight text, the index each feature has there."""
    base = sheet.reading.base
    if sheet.feature_names is not None or base is None or sheet.rows.d > _MOST_NAMES:
        return sheet.feature_names
    return tuple(f"x{j + base}" for j in range(sheet.rows.d))
