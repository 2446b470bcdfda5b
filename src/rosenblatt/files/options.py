"""Options: what is asked of a reader."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..choices import one_of, thread_count
from ..errors import InputError
from .reading import MISSING, Reading


@dataclass(frozen=True)
class Options:
    """What is asked of a reader.

    reading
        How the file is to be read; what is None there is found out.
    labels
        "needed"; "wanted": there may be none; or "none": all columns are features, whatever they are called.
    keep_names
        Whether the names of hashed features are to be kept, in `Sheet.hashed`.
    """

    reading: Reading = field(default_factory=Reading)
    labels: str = "needed"
    keep_names: bool = False
    threads: int = 1

    @property
    def missing(self) -> str:
        """What to do with missing values."""
        return self.reading.missing or "refuse"

    @cached_property
    def text(self) -> frozenset[str]:
        """Columns to be taken as text though they may look like numbers."""
        return frozenset(self.reading.text or ())

    @cached_property
    def leave_out(self) -> frozenset[str]:
        """Columns of a table that are not read."""
        return frozenset(self.reading.leave_out)

    def refuse(self, file: str, format: str, names: tuple[str, ...]) -> None:
        """Raises `InputError` if one of these was asked for, which means nothing in the format of the file."""
        for name in names:
            if getattr(self.reading, name) not in (None, (), "refuse"):
                option = f"{name}=, --{name.replace('_', '-')}"
                raise InputError(f"{file}: {format} has no {name} to choose; do without {option}")


def options_of(
    *, labels: str = "needed", keep_names: bool = False, threads: Any = None, missing: Any = "refuse", **asked: Any
) -> Options:
    """Checked options, from the values of a `Reading`. Raises `InputError` for a value out of range."""
    reading = Reading(missing=one_of("missing", missing, MISSING), **asked)
    return Options(reading, labels, keep_names, thread_count(threads))
