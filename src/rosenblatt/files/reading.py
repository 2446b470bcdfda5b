"""Reading: how a file is read, one value: asked of a reader, kept in the model and the proof, asked again of the next.

Without NumPy, so that a file may be read while that is being imported.
"""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ..choices import count, one_of
from ..errors import InputError, shown

FORMATS = ("svmlight", "csv", "tsv", "parquet", "arrow", "npy", "npz", "vw", "arff", "idx")
MISSING = ("refuse", "drop", "zero", "mean")
CODINGS = ("levels", "reference")

_number = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ARRAYS = ("npy", "npz")
_OF_TABLES = (
    "missing",
    "leave_out",
    "label",
    "fill",
    "text",
    "hash_bits",
    "columns",
    "coding",
    "reference",
    "all_levels",
    "words",
    "weight",
    "counts",
)
_OF_FORMAT = {
    "svmlight": ("base", "hash_bits"),
    "vw": ("hash_bits",),
    "idx": ("missing", "fill"),
    **dict.fromkeys(("csv", "tsv"), ("header", *_OF_TABLES)),
    **dict.fromkeys(_ARRAYS, ("missing", "label", "fill")),
}
"""What means something in a format; in all others, which are tables, it is `_OF_TABLES`."""


def meant_in(format: str) -> tuple[str, ...]:
    """What means something in this format."""
    return _OF_FORMAT.get(format, _OF_TABLES)


_IN_PROOFS = (
    "format", "label", "missing", "base", "hash_bits", "text", "leave_out", "header", "coding", "reference",
    "all_levels", "words", "weight", "counts",
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """How a file is read. As a caller asks for it, None is to be found out; of a file that was read, all is known.

    missing
        What is done with missing values: "refuse" them; "drop" the row; take "zero" or the "mean" of the column. None:
        the format has none.
    format
        One of `FORMATS`; None: found out; or it was no file, but a table in memory.
    leave_out
        Columns of a table that are not read.
    label
        The name of the label's column, or its position from 0, negative from the end. Text that is a number is a
        position too; "name:6" is the column that is named 6.
    fill
        Under missing="mean", the means that stand for missing values, by column; None: those of the file itself.
    text
        Columns of a table that are text, one feature for each value, though they may look like numbers.
    base
        The index of the first feature in svmlight text, 0 or 1; None: found out over the whole file.
    hash_bits
        Features go to one of 2**hash_bits columns each, by a hash of their name or index.
    columns
        The columns that a table had before they were hashed: hashed features do not tell.
    header
        Whether the first line of CSV and TSV text holds the names of the columns.
    coding
        What becomes of a column of text: "levels", a feature for each value; or "reference", for each but one, since
        all of them and an offset are dependent.
    reference
        Under coding="reference", the value of each column of text that has no feature; the most frequent one where
        nothing else is said. It implies that coding.
    all_levels
        Under coding="reference", columns of text that have a feature for each value all the same: the first one, where
        there is no offset.
    words
        Columns of a table that hold sentences: a feature for each word, how often the row has it.
    weight
        The name of the column, or its position, that holds the weight of each row: how much it matters.
    counts
        The column that says how often each row was counted; or two, of which each says how often the row was seen with
        the label that is the column's name. Rows counted 0 times are left out.

    Raises `InputError` for a value out of range.

    >>> reading = Reading(format="csv", label="ill", missing="drop", text=("job",))
    >>> reading.alike("parquet").to_dict(), reading.alike("svmlight").to_dict()
    ({'missing': 'drop', 'label': 'ill', 'text': ['job']}, {})
    """

    missing: str | None = None
    format: str | None = None
    leave_out: tuple[str, ...] = ()
    label: str | int | None = None
    fill: Mapping[str, float] | None = None
    text: tuple[str, ...] | None = None
    base: int | None = None
    hash_bits: int | None = None
    columns: tuple[str, ...] | None = None
    header: bool | None = None
    coding: str | None = None
    reference: Mapping[str, str] | None = None
    words: tuple[str, ...] | None = None
    weight: str | int | None = None
    all_levels: tuple[str, ...] | None = None
    counts: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.missing is not None:
            one_of("missing", self.missing, MISSING)
        if self.format is not None:
            one_of("format", self.format, FORMATS)
        if self.coding is not None:
            one_of("coding", self.coding, CODINGS)
        for name in ("label", "weight"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, (str, int))):
                raise InputError(f"{name} must be a column's name or its position, not {shown(value)}")
        if self.counts is not None and self.weight is not None:
            raise InputError("counts say how often a row was seen, weight how much it matters: expected one of them")
        if self.header is not None and not isinstance(self.header, bool):
            raise InputError(f"header must be True or False, not {shown(self.header)}")
        if self.reference is not None and not _are_texts(self.reference):
            raise InputError(f"reference must be a value for each of some columns, not {shown(self.reference)}")
        if self.reference and self.coding == "levels":
            raise InputError("coding='levels' leaves out no value; expected 'reference' where reference names one")
        if self.reference:
            object.__setattr__(self, "coding", "reference")
        if self.fill is not None and not _are_means(self.fill):
            raise InputError(f"fill must be a finite number for each of some columns, not {shown(self.fill)}")
        if isinstance(self.base, bool) or self.base not in (None, 0, 1):
            raise InputError(f"base must be 0 or 1, the index of the first feature, not {shown(self.base)}")
        if self.base is not None:
            object.__setattr__(self, "base", int(self.base))
        if self.hash_bits is not None:
            object.__setattr__(self, "hash_bits", count("hash_bits", self.hash_bits, most=30))
        for name in ("leave_out", "text", "columns", "words", "all_levels", "counts"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, _names(name, value))
        if self.counts is not None and (len(set(self.counts)) != len(self.counts) or not 1 <= len(self.counts) <= 2):
            raise InputError(f"counts must be the name of one column or of two, not {shown(self.counts)}")

    def to_dict(self) -> dict[str, Any]:
        """What is known, in plain values."""
        known = {one.name: getattr(self, one.name) for one in fields(self)}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in known.items()}
        return {
            name: value for name, value in plain.items() if value is not None and (name, value) != ("leave_out", [])
        }

    @classmethod
    def of_dict(cls, known: Mapping[str, Any]) -> "Reading":
        """The reading that `to_dict` gave, or whatever a file says it was: entries of other names are passed over."""
        try:
            return cls(**{one.name: known[one.name] for one in fields(cls) if known.get(one.name) is not None})
        except InputError as error:
            raise InputError(f"how its data were read: {error}") from None

    def in_words(self) -> dict[str, str]:
        """What a proof says of it, in texts: all but what is usual, and the means."""
        known = self.to_dict()
        told = {name: known[name] for name in _IN_PROOFS if known.get(name) not in (None, [], "refuse")}
        return {name: value if isinstance(value, str) else json.dumps(value) for name, value in told.items()}

    @classmethod
    def of_words(cls, words: Mapping[str, str]) -> "Reading":
        """The reading that a proof's words name. What makes no sense is passed over: nothing rests on it."""
        found = cls()
        for name in _IN_PROOFS:
            try:
                value: Any = words.get(name)
                if value is not None and name not in ("format", "label", "missing", "coding", "weight"):
                    value = json.loads(value)
                if isinstance(value, list) or name not in ("text", "leave_out", "words", "all_levels", "counts"):
                    found = replace(found, **{name: value})
            except (ValueError, RecursionError):  # no JSON, or a value out of range
                continue
        return found

    def alike(self, format: str | None) -> "Reading":
        """How to read another file, of this format, the same way: what means something there, without the format.

        None: nothing is known of the other file, and everything is kept. Where a table had its labels means nothing in
        arrays, whose columns seldom have names.
        """
        if format is None:
            return self
        meant = meant_in(format)
        if format in _ARRAYS and self.format not in (None, *_ARRAYS):
            meant = tuple(name for name in meant if name != "label")
        return Reading(**{name: getattr(self, name) for name in meant if name != "columns"})

    def names_asked(self) -> tuple[str, ...]:
        """The columns that are spoken of by a name which is no number: where line 1 has one, it holds names.

        >>> Reading(label="name:6", text=("job", "7")).names_asked(), Reading(label="-1").names_asked()
        (('6', 'name:6', 'job'), ())
        """
        some = [one for one in (self.label, self.weight) if isinstance(one, str)]
        named = [one.removeprefix("name:") for one in some if one.startswith("name:")]
        others = [*some, *(self.text or ()), *self.leave_out, *(self.words or ()), *(self.reference or ())]
        others += self.counts or ()
        return (*named, *(one for one in others if one and not _number.fullmatch(one)))

    def updated(self, asked: "Reading") -> "Reading":
        """The same, except where something else was asked for."""
        usual = Reading()
        given = {one.name: getattr(asked, one.name) for one in fields(asked)}
        told = {name: value for name, value in given.items() if value != getattr(usual, name)}
        if told.get("coding") == "levels":
            told |= {"reference": None, "all_levels": None}
        return replace(self, **told)


def _names(option: str, value: Any) -> tuple[str, ...]:
    positions = option == "words"  # which may be given, too
    names: Any = (value,) if isinstance(value, (str, int) if positions else str) else value
    try:
        names = tuple(str(name) if positions and type(name) is int else name for name in names)
    except TypeError:
        names = (None,)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{option} must be names of columns, not {shown(value)}")
    return tuple(names)


def _are_texts(reference: Any) -> bool:
    return isinstance(reference, Mapping) and all(
        isinstance(name, str) and isinstance(value, str) for name, value in reference.items()
    )


def _are_means(fill: Any) -> bool:
    return isinstance(fill, Mapping) and all(
        isinstance(name, str)
        and isinstance(mean, (int, float))
        and not isinstance(mean, bool)
        and abs(mean) <= sys.float_info.max
        for name, mean in fill.items()
    )
