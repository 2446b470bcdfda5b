"""Which format a file is in: as its name says, or else as its first bytes do."""

import re

from ..errors import InputError, shown
from .opening import InputFile
from .reading import FORMATS

_ENDINGS = {
    ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv",
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".npy": "npy", ".npz": "npz", ".vw": "vw", ".arff": "arff",
    "-ubyte": "idx", ".idx": "idx",
}  # fmt: skip
_FOREIGN = {
    (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers"): "a spreadsheet; save it as CSV (UTF-8, commas)",
    (".rds", ".rda", ".rdata"): "a file of R; save it as CSV: write.csv(x, file, row.names = FALSE)",
    (".sav", ".dta", ".sas7bdat", ".por", ".xpt"): "a file of SPSS, Stata or SAS; save it as CSV",
    (".json", ".jsonl", ".ndjson"): "JSON; save it as CSV, one row to a line",
    (".pkl", ".pickle", ".joblib"): "a pickle, which may run any code; save it as CSV or Parquet",
    (".mat", ".h5", ".hdf5"): "a file of MATLAB or HDF5; save it as CSV, or as .npy by NumPy",
    (".zip", ".tar", ".tgz", ".7z", ".rar"): "an archive; unpack it, and give the table in it",
}
"""Files that people have and that are not read: what they are, and what to do."""
_HEAD = 2**16
_PACKED = (".gz", ".xz", ".bz2", ".zst")
_MAGIC = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow",  # a stream
    b"\x93NUMPY": "npy",
}
_ZIP = b"PK\x03\x04"
_SPREADSHEETS = (b"[Content_Types].xml", b"xl/", b"_rels/", b"docProps/", b"mimetype")
_NUMBER = rb"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_SVMLIGHT = re.compile(rb"[ \t]*" + _NUMBER + rb"(?:[ \t]+(?:[0-9]+|qid):[^ \t:]+)*[ \t]*(?:#.*)?")
_VW = re.compile(rb"[^,;\t|]*\|(?:[^ \t|]*)(?:[ \t]+[^ \t|]+)*.*")


def format_named(name: str) -> str | None:
    """The format that a name ends with, whatever packs it.

    >>> format_named("a/b.train.svm.gz"), format_named("a9a")
    ('svmlight', None)
    """
    name = name.lower()
    for ending in _PACKED:
        name = name.removesuffix(ending)
    return next((format for ending, format in _ENDINGS.items() if name.endswith(ending)), None)


def format_of(opened: InputFile) -> str:
    """The format of a file. Raises `InputError` if neither its name nor its first lines tell."""
    if opened.path is not None and (named := format_named(opened.path)) is not None:
        return named
    _check_foreign(opened.name)
    head = opened.peek(_HEAD)
    if head.startswith(_ZIP):
        return _zipped(opened.name, head)
    for magic, format in _MAGIC.items():
        if head.startswith(magic):
            return format
    if head.startswith((b"\0\0\x08", b"\0\0\x09", b"\0\0\x0b", b"\0\0\x0c", b"\0\0\x0d", b"\0\0\x0e")):
        return "idx"
    if not head:
        raise InputError(f"{opened.name}: empty; expected rows")
    lines = [line.rstrip(b"\r") for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    if len(lines) == 1 and len(head) >= _HEAD:
        lines = [re.sub(rb"[ \t,;][^ \t,;]*$", b"", lines[0]), b""]  # cut off: up to the last whole word
    # The last one may be cut off, unless it is all there is.
    telling = [line for line in (lines[:-1] or lines)[:100] if line.strip() and line.lstrip()[:1] not in b"#%"]
    if re.match(rb"\s*@relation\b", head.removeprefix(b"\xef\xbb\xbf"), re.IGNORECASE) or any(
        re.match(rb"@(relation|attribute)\b", line.strip(), re.IGNORECASE) for line in telling[:1]
    ):
        return "arff"
    if telling and any(b":" in line for line in telling) and all(_SVMLIGHT.fullmatch(line) for line in telling[:10]):
        return "svmlight"
    if telling and all(_VW.fullmatch(line) for line in telling[:10]):
        return "vw"
    if telling and b"\t" in telling[0]:
        return "tsv"
    if telling and (b"," in telling[0] or b";" in telling[0]):
        return "csv"
    first = shown((telling or lines)[0][:80].decode("utf-8", "replace"))
    raise InputError(f"{opened.name}: no format is known that begins with {first}; say which: {', '.join(FORMATS)}")


def _check_foreign(name: str) -> None:
    """Raises `InputError` for a file that is none of ours by its name."""
    plain = name.lower()
    for ending in _PACKED:
        plain = plain.removesuffix(ending)
    for endings, what in _FOREIGN.items():
        if plain.endswith(endings):
            raise InputError(f"{name}: {what}")


def _zipped(name: str, head: bytes) -> str:
    """What a zip is, by its first member: arrays, or none of ours."""
    member = head[30 : 30 + int.from_bytes(head[26:28], "little")]
    if member.endswith(b".npy"):
        return "npz"
    if member.startswith(_SPREADSHEETS):
        raise InputError(f"{name}: {next(iter(_FOREIGN.values()))}")
    first = shown(member[:40].decode("utf-8", "replace"))
    raise InputError(f"{name}: a zip that begins with {first}; expected arrays (.npy) in it, or the table itself")
