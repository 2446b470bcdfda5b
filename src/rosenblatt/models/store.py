"""Store: a header (what JSON can say) and tensors (named arrays) in one file. It knows nothing of models.

The file form is safetensors: the length of a JSON text in eight bytes, that text, and the arrays, little-endian. The
text opens with `__metadata__`: "sha256", "format", "version" and "header", in this order, so that the digest stands at
a fixed place. It is the SHA-256 of the whole file with 64 zeros in that place: no byte can change unnoticed. A digest
tells damage, not malice (anyone can compute it), so all that a file claims is checked as well.

The text form is a JSON document of the same contents, for people to read and edit: no digest, but the same checks.
Numbers come back bit for bit in both forms, but for the payload of a NaN, which the text "nan" does not say.
"""

import hashlib
import io
import json
import math
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import safetensors
from numpy.typing import NDArray

from ..atomic import Name, replacing
from ..errors import InputError, plural, shown

Tensors: TypeAlias = Mapping[str, NDArray[Any]]
Contents: TypeAlias = tuple[int, dict[str, Any], dict[str, NDArray[Any]]]
"""Version, header and read-only tensors."""

DTYPES = ("bool", "int8", "uint8", "int32", "int64", "float32", "float64")
MOST_TENSORS = 64
MOST_HEADER = 10**6  # bytes; what is long belongs into tensors

_CODES = dict(zip(DTYPES, ("BOOL", "I8", "U8", "I32", "I64", "F32", "F64"), strict=True))
_MOST_JSON = 2 * MOST_HEADER + 200_000  # the header is a string in it, where quotes and backslashes take two bytes
_MOST_DIGITS, _MOST_AXES = 40, 64
_BUFFER = 2**20  # bytes: most tensors are short
_OPENING, _SEQUEL, _ZEROS = b'{"__metadata__":{"sha256":"', b'","format":"rosenblatt ', b"0" * 64
_DIGEST = slice(8 + len(_OPENING), 8 + len(_OPENING) + len(_ZEROS))

_deserialize: Callable[[bytes], list[tuple[str, dict[str, Any]]]] = safetensors.deserialize


class NewerFormatError(InputError):
    """A file of a later version: nothing is wrong with it."""


def write(
    path: Name, kind: str, version: int, header: dict[str, Any], tensors: Tensors, keep: str | None = None
) -> None:
    """Write or replace a file that `read` gives back the same. Equal contents make equal files.

    `keep` is the ending by which the old file is kept.
    """
    # Not by safetensors.serialize: it shuffles the metadata at each call, and its arguments changed between versions.
    metadata = {"sha256": _ZEROS.decode(), "format": f"rosenblatt {kind}", "version": str(version)}
    entries: dict[str, Any] = {"__metadata__": {**metadata, "header": _header_text(header)}}
    arrays = dict(sorted(_arrays(tensors).items(), key=lambda item: -item[1].itemsize))  # so that all are aligned
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        entries[name] = {"dtype": _CODES[array.dtype.name], "shape": array.shape, "data_offsets": [begin, end]}
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    head = bytearray(len(text).to_bytes(8, "little") + text)
    digest = hashlib.sha256(head)
    for array in arrays.values():
        digest.update(array.data)
    head[_DIGEST] = digest.hexdigest().encode()
    with replacing(path, keep) as draft, io.BufferedWriter(draft, _BUFFER) as buffer:
        buffer.write(head)
        for array in arrays.values():
            buffer.write(array.data)


def read(path: Name, kind: str, newest: int) -> Contents:
    """What `write` wrote. Raises `InputError` unless the file is whole, of this kind, and all in it makes sense."""
    with _within(os.fspath(path)):
        data = _undamaged(path, kind)
        with _within("malformed"):
            views = sorted(_deserialize(data))
            entries = _parsed(data[8 : 8 + int.from_bytes(data[:8], "little")].decode())
        metadata = entries.get("__metadata__") or {}
        number = metadata.get("version", "")
        version = int(number) if re.fullmatch("[1-9][0-9]{0,8}", number) else number
        _admit(metadata.get("format"), version, kind, newest)
        with _within("metadata"):
            _keys(metadata, "sha256", "format", "version", "header")
        with _within("header"):
            header = _parsed(metadata["header"])
        _header_text(header)
        _names([name for name, _ in views])
        tensors = {}
        for name, view in views:
            with _within(f"tensor {shown(name)}"):
                tensors[name] = _from_bytes(**view)
        return version, header, tensors


def to_text(kind: str, version: int, header: dict[str, Any], tensors: Tensors) -> str:
    """The contents as a JSON document, with a line for each tensor."""
    _header_text(header)
    lines = []
    for name, array in _arrays(tensors).items():
        data = array.ravel().tolist()
        if array.dtype.kind == "f":
            data = [value if math.isfinite(value) else str(value) for value in data]
        entry = json.dumps({"dtype": array.dtype.name, "shape": array.shape, "data": data})
        lines.append(f"    {json.dumps(name, ensure_ascii=False)}: {entry}")
    parts = {
        "format": json.dumps(f"rosenblatt {kind}"),
        "version": str(version),
        "header": json.dumps(header, ensure_ascii=False, indent=2).replace("\n", "\n  "),
        "tensors": "{\n" + ",\n".join(lines) + "\n  }",
    }
    return "{\n" + ",\n".join(f'  "{key}": {text}' for key, text in parts.items()) + "\n}\n"


def from_text(text: str, kind: str, newest: int) -> Contents:
    """What `to_text` wrote, or someone by hand. Raises `InputError` unless all in it makes sense."""
    with _within(f"not a rosenblatt {kind}"):
        known = _parsed(text)
        if type(known) is not dict or "format" not in known:
            raise InputError("expected a JSON object with format, version, header, tensors")
    _admit(known["format"], known.get("version"), kind, newest)
    _keys(known, "format", "version", "header", "tensors")
    _header_text(known["header"])
    if type(known["tensors"]) is not dict:
        raise InputError(f"tensors: expected an object, found {shown(known['tensors'])}")
    _names(list(known["tensors"]))
    tensors = {}
    for name, entry in sorted(known["tensors"].items()):
        with _within(f"tensor {shown(name)}"):
            tensors[name] = _from_list(entry)
    return known["version"], known["header"], tensors


def _open_regular(path: str, flags: int) -> int:
    file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe would keep us waiting
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise InputError("not a regular file; expected the name of one")
    return file


def _undamaged(path: Name, kind: str) -> bytes:
    """The bytes of a file that says it is ours, and whose digest is right."""
    strange = f"not a rosenblatt {kind}"
    with open(path, "rb", opener=_open_regular) as file:
        size = os.fstat(file.fileno()).st_size
        head = file.read(_DIGEST.stop + len(_SEQUEL))
        length = int.from_bytes(head[:8], "little")
        # Two marks, so that a file with one of them damaged is told from a file of another kind.
        if not head.startswith(_OPENING, 8) and not head.startswith(_SEQUEL, _DIGEST.stop):
            if head[:1] == b"\x80" and head[2:3] > b"\0":  # 0 as in the length of a JSON text
                raise InputError(f"{strange} but a Python pickle, and pickles are never opened: they can run any code")
            if head[8:9] == b"{" and length <= size - 8:
                raise InputError(f"{strange} but a safetensors file that something else wrote")
            short = f"too short, {plural(size, 'byte')}" if size <= _DIGEST.start else "a file of another kind"
            raise InputError(f"{strange}: {short}")
        if length > min(size - 8, _MOST_JSON):
            raise InputError("damaged: it is cut short, or its length is wrong; restore it from a copy")
        file.seek(0)
        data = file.read(size)  # once: what is hashed is what is used
    digest = hashlib.sha256(data[: _DIGEST.start] + _ZEROS)
    digest.update(memoryview(data)[_DIGEST.stop :])
    if digest.hexdigest().encode() != data[_DIGEST]:
        raise InputError("damaged: the checksum does not match; restore it from a copy")
    return data


@contextmanager
def _within(where: str) -> Iterator[None]:
    """Every refusal is one line: where, and what is wrong there."""
    try:
        yield
    except InputError as error:
        kind = NewerFormatError if isinstance(error, NewerFormatError) else InputError
        raise kind(f"{where}: {error}") from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply") from None
    except (ValueError, safetensors.SafetensorError) as error:
        raise InputError(f"{where}: {' '.join(str(error).split())[:120]}") from None


def _admit(form: Any, version: Any, kind: str, newest: int) -> None:
    if form != f"rosenblatt {kind}":
        ours = " but another file of ours" if type(form) is str and form.startswith("rosenblatt ") else ""
        raise InputError(f"not a rosenblatt {kind}{ours}: its format is {shown(form)}")
    if type(version) is not int or version < 1:
        raise InputError(f"version {shown(version)}: expected a whole number from 1 to {newest}")
    if version > newest:
        raise NewerFormatError(
            f"written by a newer rosenblatt (format {version}; this one reads up to {newest}): upgrade"
        )


def _keys(known: Any, *expected: str) -> None:
    if type(known) is not dict or set(known) != set(expected):
        found = shown(list(known) if type(known) is dict else known)
        raise InputError(f"expected an object with {', '.join(expected)}, found {found}")


def _names(names: list[Any]) -> None:
    if len(names) > MOST_TENSORS:
        raise InputError(f"{len(names)} tensors; expected at most {MOST_TENSORS}")
    for name in names:
        if type(name) is not str or not 1 <= len(name) <= 64 or not name.isprintable() or name == "__metadata__":
            raise InputError(f"tensor {shown(name)}: expected a name of 1 to 64 printable characters, not __metadata__")


def _arrays(tensors: Tensors) -> dict[str, NDArray[Any]]:
    """The tensors, checked, in the order of their names and with their bytes as a file has them."""
    _names(list(tensors))
    for name, array in tensors.items():
        if not isinstance(array, np.ndarray) or array.dtype.name not in DTYPES:
            found = shown(array.dtype if isinstance(array, np.ndarray) else array)
            raise InputError(f"tensor {shown(name)}: expected an array of {', '.join(DTYPES)}, found {found}")
    return {
        name: np.asarray(array, dtype=np.dtype(array.dtype.name).newbyteorder("<"), order="C")
        for name, array in sorted(tensors.items())
    }


def _tensor(shape: list[int], dtype: np.dtype[Any], buffer: Any) -> NDArray[Any]:
    # NumPy refuses a shape like (0, 2⁶³): a ValueError, though it needs no bytes.
    tensor = np.ndarray(shape, dtype, buffer).astype(dtype.newbyteorder("="), copy=False)
    tensor.flags.writeable = False
    return tensor


def _from_bytes(dtype: str, shape: list[int], data: bytearray) -> NDArray[Any]:
    if dtype not in _CODES.values():
        raise InputError(f"expected one of {', '.join(_CODES.values())}, found {shown(dtype)}")
    if dtype == "BOOL" and np.ndarray(len(data), np.uint8, data).max(initial=0) > 1:
        raise InputError("expected bytes 0 and 1 for false and true")
    name = next(name for name in DTYPES if _CODES[name] == dtype)
    return _tensor(shape, np.dtype(name).newbyteorder("<"), data)


def _from_list(entry: Any) -> NDArray[Any]:
    _keys(entry, "dtype", "shape", "data")
    name, shape, data = entry["dtype"], entry["shape"], entry["data"]
    if name not in DTYPES:
        raise InputError(f"expected a dtype of {', '.join(DTYPES)}, found {shown(name)}")
    if type(shape) is not list or len(shape) > _MOST_AXES or any(type(n) is not int or n < 0 for n in shape):
        raise InputError(f"expected a shape of at most {_MOST_AXES} whole numbers, found {shown(shape)}")
    if type(data) is not list or math.prod(shape) != len(data):
        found = plural(len(data), "number") if type(data) is list else shown(data)
        raise InputError(f"expected a list of data for the shape {shown(shape)}, found {found}")
    dtype = np.dtype(name)
    fits = _fitting(dtype)
    with np.errstate(over="ignore"):  # what is too large differs afterwards
        bad = next((place for place, value in enumerate(data) if not fits(value)), None)
    if bad is not None:
        raise InputError(f"{shown(data[bad])} at place {bad}; expected what {name} holds exactly")
    return _tensor(shape, dtype, np.array(list(map(float, data)) if dtype.kind == "f" else data, dtype=dtype))


def _fitting(dtype: np.dtype[Any]) -> Callable[[Any], bool]:
    """Whether a JSON value is one of this dtype, exactly."""
    if dtype.kind == "b":
        return lambda value: type(value) is bool
    if dtype.kind == "f":
        exact = dtype.type
        return lambda value: (
            value in ("inf", "-inf", "nan")
            if type(value) is str
            else type(value) in (int, float) and float(exact(value)) == value
        )
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return lambda value: type(value) is int and least <= value <= most


def _header_text(header: Any) -> str:
    """A header as JSON from which it can be had again; that is checked, in both directions."""
    if type(header) is not dict:
        raise InputError(f"header: expected an object, found {shown(header)}")
    with _within("header"):
        try:
            text = json.dumps(header, ensure_ascii=False, allow_nan=False)
        except TypeError as error:
            raise InputError(str(error)) from None
        if len(text.encode()) > MOST_HEADER:
            raise InputError(f"more than {MOST_HEADER} bytes of JSON; what is long belongs into tensors")
        if _parsed(text) != header:
            raise InputError("JSON would not give it back the same; expected texts as keys, and lists for tuples")
    return text


def _parsed(text: str) -> Any:
    """JSON, strictly: no key twice, no NaN, no number beyond a float64 or 40 digits."""
    return json.loads(text, object_pairs_hook=_once, parse_int=_whole, parse_float=_finite, parse_constant=_finite)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    known = dict(pairs)
    if len(known) != len(pairs):
        raise InputError("a key occurs twice in one object")
    return known


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS or digits == "-0":
        raise InputError(f"{shown(digits)} as a whole number; expected at most {_MOST_DIGITS} digits, and -0.0 for -0")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise InputError(f"{shown(digits)} as a number; expected one that a float64 holds")
    return value
