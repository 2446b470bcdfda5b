"""Which column of a table is the label, by its name or its position; and names that tell columns apart."""

from ...errors import InputError, shown
from ..column_place import column_place
from ..names import all_names
from ..options import Options
from .columns import TableOrigin
from .header_evidence import LABELS

__all__ = ["LABELS", "check_names", "label_place"]


def check_names(origin: TableOrigin, hint: str = "") -> None:
    """Raises `InputError` for a name that two columns have, or that a column lacks."""
    seen: dict[str, int] = {}
    for j, name in enumerate(origin.columns):
        if name in seen:
            raise InputError(
                f"{origin.name}: columns {seen[name]} and {j} are both named {shown(name)}; expected names that"
                f" differ{hint}"
            )
        if not name:
            raise InputError(f"{origin.name}: column {j} has no name; expected a name for each column{hint}")
        seen[name] = j


def label_place(origin: TableOrigin, options: Options, usual: int | None = None) -> int | None:
    """The position of the label's column. `usual` is where a format has it; None: only its name tells."""
    names, label = origin.columns, options.reading.label
    if len(options.reading.counts or ()) == 2:
        if label is not None:
            raise InputError(f"{origin.name}: two columns of counts are the labels; do without --label (label=)")
        return None
    if label is not None:
        if options.labels == "wanted" and isinstance(label, str) and not _is_there(label, names):
            return None
        return column_place(origin.name, label, names, len(names))
    found = [j for j, name in enumerate(names) if name.strip().lower() in LABELS]
    if len(found) == 1:
        return found[0]
    if found and usual not in found:
        listed = " and ".join(shown(names[j]) for j in found[:2])
        raise InputError(f"{origin.name}: columns {listed} may both be the label; say which: --label NAME (label=)")
    if usual is not None or options.labels == "wanted":
        return usual
    raise InputError(
        f"{origin.name}: no column is named label, class, target or y; say which one the label is: --label NAME, or"
        f" --label -1 for the last (label=); columns are {all_names(names)}"
    )


def _is_there(label: str, names: tuple[str, ...]) -> bool:
    """Whether text names a column, or says a position."""
    position = label.removeprefix("position:").lstrip("+-").isdigit()
    return label in names or label.removeprefix("name:") in names or position
