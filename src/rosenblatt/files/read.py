r"""Reading: files and tables in memory → `Sheet` → `Examples`.

>>> import tempfile, pathlib
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "four.svm")
...     _ = path.write_text("+1 1:1\n+1 1:2\n-1 1:3\n-1 1:4\n")
...     examples = read(path)
>>> examples, examples.classes.tolist(), examples.lines.tolist()
(<Examples: 4 × 1, sparse, 2 classes>, [-1, 1], [1, 2, 3, 4])
"""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .formats import format_of
from .opening import BytesReadCallback, InputFile
from .options import Options, options_of

if TYPE_CHECKING:  # the slow reader does without the compiled core
    from ..data.examples import Examples
    from .sheet import Sheet

# Where the reader of each format lives, so that none is imported before it is needed.
_READERS = {
    "svmlight": ("text.svmlight", "read_svmlight"),
    "vw": ("text.vw", "read_vw"),
    "csv": ("tables.delimited", "read_csv"),
    "tsv": ("tables.delimited", "read_csv"),
    "parquet": ("tables.parquet", "read_parquet"),
    "arrow": ("tables.parquet", "read_arrow"),
    "arff": ("tables.arff", "read_arff"),
    "npy": ("arrays.npy", "read_npy"),
    "npz": ("arrays.npz", "read_npz"),
    "idx": ("arrays.idx", "read_idx"),
}


def read(
    source: Any,
    y: Any = None,
    *,
    format: str | None = None,
    label: str | int | None = None,
    missing: str = "refuse",
    base: int | None = None,
    hash_bits: int | None = None,
    text: Any = None,
    leave_out: Any = (),
    header: bool | None = None,
    coding: str | None = None,
    reference: Mapping[str, str] | None = None,
    words: Any = None,
    weight: str | int | None = None,
    counts: Any = None,
    names: Any = None,
    threads: int | None = None,
    progress: BytesReadCallback | None = None,
) -> "Examples":
    """Rows and labels from a file, or from a table in memory.

    source
        A path, plain or packed by gzip, xz, bzip2 or zstd; "-" for standard input; an array, a sparse matrix or a data
        frame (their labels as y, or in a column).
    format
        "svmlight", "csv", "tsv", "parquet", "arrow", "npy", "npz", "idx", "vw" or "arff"; None: as the name or the
        first bytes say.
    label
        The label's column, by name, or by position from 0, or from the end (-1 is the last); svmlight and VW text have
        theirs. Text that is a number is a position too: "name:6" is the column that is named 6.
    missing
        What to do with missing values: "refuse" them, "drop" the row, take "zero" or the "mean" of the column.
    base
        The index of the first feature of svmlight text, 0 or 1; None: 0 if some row of the file has it, else 1.
    hash_bits
        Put features into 2**hash_bits columns by a hash of their names; for vocabularies without bound.
    text
        Columns to take as text, one column for each value, though they look like numbers.
    leave_out
        Columns of a table not to read.
    header
        Whether line 1 of CSV and TSV text holds the names of the columns; None: found out, or asked if it is not clear.
    coding
        "levels": a column of text becomes a feature for each value, which is the default; "reference": for each but the
        most frequent one, as a model with an offset needs it if its weights are to mean something.
    reference
        The value to leave out of some columns, {column: value}; it implies coding="reference".
    words
        Columns that hold sentences: a feature `column:word` for each word, its value how often the row has it. A word
        is a run of letters, marks and digits, with apostrophes within, in text without case (files/tables/words.py).
    weight
        The column that says how much each row counts, in numbers that are 0 or more. It is no feature, and a row of
        weight 0 is left out. The weights are `examples.weights`, and `learn` learns with them.
    counts
        The column that says how often each row was seen; or two, as R's cbind(s, f): how often with either label, which
        are the names of the columns, the first being positive. Rows never seen are left out. They are
        `examples.weights`, and `logistic_clinic` counts by them.
    names
        Of svmlight text: the names of the columns, from the first index on; or the path of a file that has a name to a
        line.
    threads
        None: as many as there are CPUs. Never changes the result.
    progress
        Called now and then with the bytes read so far, and the size of the file (None if it is not known).

    `examples.lines` has the line of each row. Raises `InputError`, which names the file, the line and the column.
    """
    options = options_of(
        format=format, label=label, missing=missing, base=base, hash_bits=hash_bits, text=text,
        leave_out=leave_out, header=header, coding=coding, reference=reference, words=words, weight=weight,
        counts=counts, names=names, threads=threads,
    )  # fmt: skip
    return sheet_of(source, options, progress, y).examples()


def sheet_of(source: Any, options: Options, progress: BytesReadCallback | None = None, y: Any = None) -> "Sheet":
    """What a file or a table in memory holds, before anyone asks what it is for."""
    if not isinstance(source, (str, os.PathLike)):
        return _in_memory(source, y, options)
    if y is not None:
        raise InputError("a file has its labels with it: leave out y, and say which column they are by label=")
    with InputFile(source, progress) as opened:
        return sheet_in(opened, options)


def sheet_in(opened: InputFile, options: Options) -> "Sheet":
    """What a file that is open holds, by the reader of its format."""
    module, function = _READERS[options.reading.format or format_of(opened)]
    try:
        sheet: Sheet = getattr(import_module(f".{module}", __package__), function)(opened, options)
    except MemoryError:
        raise MemoryError(f"{opened.name}: its rows do not fit into memory") from None
    return sheet


def _in_memory(source: Any, y: Any, options: Options) -> "Sheet":
    if hasattr(source, "columns") or hasattr(source, "__arrow_c_stream__"):
        from .tables.frames import read_frame

        return read_frame(source, y, options)
    from .arrays.in_memory import read_array

    return read_array(source, y, options)
