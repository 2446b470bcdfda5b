"""Options: how a file is to be read, as the caller said."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..choices import count, one_of, thread_count
from ..errors import InputError, shown

FORMATS = ("svmlight", "csv", "tsv", "parquet", "arrow", "npy", "npz", "vw", "arff")
MISSING = ("refuse", "drop", "zero", "mean")


@dataclass(frozen=True)
class Options:
    """What is asked of a reader.

    format
        One of `FORMATS`; None: found out.
    label
        The name of the label's column, or its position from 0, negative from the end. Of text a name is meant if there
        is a column of that name, else a position. None: found out, where that can be done without a guess.
    labels
        "needed", or "wanted": there may be none.
    missing
        What to do with missing values: "refuse"; "drop" the row; "zero"; "mean" of the column.
    base
        The index of the first feature in svmlight text, 0 or 1; None: found out over the whole file.
    hash_bits
        Features go to one of 2**hash_bits columns each, by a hash of their name or index.
    text
        Columns to be taken as text though they may look like numbers; None: found out.
    leave_out
        Columns of a table that are not read.
    fill
        Under missing="mean", means to fill in, by column; None: those of this file.
    keep_names
        Whether the names of hashed features are to be kept, in `Sheet.hashed`.
    """

    format: str | None = None
    label: str | int | None = None
    labels: str = "needed"
    missing: str = "refuse"
    base: int | None = None
    hash_bits: int | None = None
    text: frozenset[str] | None = None
    leave_out: frozenset[str] = frozenset()
    fill: Mapping[str, float] | None = None
    keep_names: bool = False
    threads: int = 1


def options_of(
    *,
    format: Any = None,
    label: Any = None,
    labels: str = "needed",
    missing: Any = "refuse",
    base: Any = None,
    hash_bits: Any = None,
    text: Any = None,
    leave_out: Any = (),
    fill: Any = None,
    keep_names: bool = False,
    threads: Any = None,
) -> Options:
    """Checked options. Raises `InputError` for a value out of range."""
    if label is not None and (isinstance(label, bool) or not isinstance(label, (str, int))):
        raise InputError(f"label must be a column's name or its position, not {label!r}")
    if base not in (None, 0, 1):
        raise InputError(f"base must be 0 or 1, the index of the first feature, not {base!r}")
    return Options(
        format=None if format is None else one_of("format", format, FORMATS),
        label=label,
        labels=labels,
        missing=one_of("missing", missing, MISSING),
        base=base,
        hash_bits=None if hash_bits is None else count("hash_bits", hash_bits, most=30),
        text=None if text is None else _names("text", text),
        leave_out=_names("leave_out", leave_out),
        fill=fill,
        keep_names=keep_names,
        threads=thread_count(threads),
    )


def _names(option: str, value: Any) -> frozenset[str]:
    names = [value] if isinstance(value, str) else list(value)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{option} must be names of columns, not {shown(value)}")
    return frozenset(names)
