"""Options: what is asked of a reader."""

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from ..choices import one_of, thread_count
from ..errors import InputError
from .expected import Expected
from .reading import MISSING, Reading, meant_in


@dataclass(frozen=True)
class Options:
    """What is asked of a reader.

    reading
        How the file is to be read; what is None there is found out.
    labels
        "needed"; "wanted": there may be none; or "none": all columns are features, whatever they are called.
    names
        Of svmlight text: the names of its columns, or the path of a file that holds them.
    keep_names
        Whether the names of hashed features are to be kept, in `Sheet.hashed`.
    expected
        The columns of a model that is to judge the rows; None: there is none.
    usual_coding
        What becomes of columns of text where the reading does not say.
    replayed
        Whether an earlier reading is repeated, for a proof or a run: nothing is left out then that is not asked for.
    origin
        Whether there will be no offset: under "reference" the first column of text has all of its levels then.
    checks_reference
        Whether a reference level must be there though no labels are needed: a model's own may lack.
    """

    reading: Reading = field(default_factory=Reading)
    labels: str = "needed"
    keep_names: bool = False
    threads: int = 1
    expected: Expected | None = None
    usual_coding: str = "levels"
    origin: bool = False
    names: Any = None
    checks_reference: bool = False
    replayed: bool = False

    @property
    def missing(self) -> str:
        """What to do with missing values."""
        return self.reading.missing or "refuse"

    @property
    def coding(self) -> str:
        """What becomes of columns of text."""
        return self.reading.coding or self.usual_coding

    @cached_property
    def text(self) -> frozenset[str]:
        """Columns to be taken as text though they may look like numbers."""
        return frozenset(self.reading.text or ())

    @cached_property
    def leave_out(self) -> frozenset[str]:
        """Columns of a table that are not read."""
        return frozenset(self.reading.leave_out)

    def is_weight(self, name: str, place: int) -> bool:
        """Whether this column is said to hold the weights: whatever else it looks like is of no interest then."""
        return self.reading.weight in (name, place, str(place))

    def refuse(self, file: str, title: str, format: str | None) -> None:
        """Raises `InputError` if something was asked for that means nothing in this format, or in no file (None)."""
        if self.names is not None and format != "svmlight":
            raise InputError(f"{file}: names are for svmlight text, which has none; do without names=, --names")
        meant = ("format", *meant_in(format)) if format is not None else ()
        for name in (one.name for one in fields(Reading) if one.name not in meant):
            if getattr(self.reading, name) not in (None, (), "refuse"):
                option = f"{name}=, --{name.replace('_', '-')}"
                raise InputError(f"{file}: {title} has no {name} to choose; do without {option}")


def options_of(
    *, labels: str = "needed", keep_names: bool = False, threads: Any = None, missing: Any = "refuse",
    names: Any = None, **asked: Any,
) -> Options:  # fmt: skip
    """Checked options, from the values of a `Reading`. Raises `InputError` for a value out of range."""
    reading = Reading(missing=one_of("missing", missing, MISSING), **asked)
    return Options(reading, labels, keep_names, thread_count(threads), names=names)
