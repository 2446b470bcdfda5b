"""Which rows are on which side: one class against another, or against all the rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..report.text import listed, word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..data.classes import AgainstRest
    from ..files.sheet import Sheet
    from ..files.streamed_sheet import StreamedSheet

_MOST_NAMES = 2_000_000  # beyond which columns have no names: these would take longer than reading


@dataclass(frozen=True)
class Sides:
    """One class against the others, and all classes."""

    one: "AgainstRest"
    classes: Mapping[Any, int]
    """All labels, sorted, with how many rows have each."""

    @property
    def signs(self) -> "NDArray[np.int8]":
        """±1 for each row."""
        return self.one.signs

    @property
    def positive(self) -> Any:
        """The label that is +1."""
        return self.one.positive


def sides(labels: Any, asked: str | None, name: str) -> Sides:
    """The class asked for against the others; of two classes, by default, the second one sorted is positive."""
    from ..data.classes import against_rest, class_counts

    if labels is None:
        raise InputError(f"{name}: no labels; say which column they are: --label COLUMN")
    counted = class_counts(labels) or {}
    return Sides(against_rest(labels, list(counted), _asked_about(counted, asked, name)), counted)


def _asked_about(counted: Mapping[Any, int], asked: str | None, name: str) -> int:
    """The place of the class asked about among all."""
    classes = list(counted)
    if len(classes) < 2:
        only = "".join(map(word, classes))
        raise InputError(f"{name}: one class only: all rows carry the label {only}; expected two classes")
    if asked is None and len(classes) > 2:
        known = listed([word(label) for label in classes], 6)
        raise InputError(
            f"{name}: {len(classes)} classes ({known}), expected two; --positive LABEL asks about one against the rest"
        )
    return 1 if asked is None else _place(classes, asked, name)


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


def two_sided(sheet: Any, asked: str | None) -> "tuple[Any, Sides]":
    """The rows of a sheet as examples of two classes, or as a source of them; and which is which."""
    from ..data.classes import REST, AgainstRest
    from ..data.examples import Examples, check_room
    from ..files.streamed_sheet import StreamedSheet

    check_room(sheet.rows.d, 1, sheet.name)
    if isinstance(sheet, StreamedSheet) and hasattr(sheet.source, "against_rest"):
        import numpy as np

        counted = sheet.class_counts()
        classes, at = list(counted), _asked_about(counted, asked, sheet.name)
        rest = classes[1 - at] if len(classes) == 2 else REST
        one = AgainstRest(np.empty(0, np.int8), rest, classes[at])  # the signs are with the rows
        return sheet.source.against_rest(one, names_of(sheet)), Sides(one, counted)
    found = sides(sheet.labels, asked, sheet.name)
    own = sheet.labels if len(found.classes) > 2 else None
    return Examples(sheet.rows, found.signs, found.one.classes, names_of(sheet), sheet.lines, own), found


def names_of(sheet: "Sheet | StreamedSheet") -> tuple[str, ...] | None:
    """The columns' names; in svmlight text, the index each feature has there."""
    base = sheet.reading.base
    if sheet.feature_names is not None or base is None or sheet.rows.d > _MOST_NAMES:
        return sheet.feature_names
    return tuple(f"x{j + base}" for j in range(sheet.rows.d))
