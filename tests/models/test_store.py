"""The container: what is written is read, bit for bit; what was damaged, forged or half written never is."""

import hashlib
import json
import os
import random
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rosenblatt import InputError
from rosenblatt.models.store import DTYPES, from_text, read, to_text, write

HEADER = {"name": "α “quoted” \\ 名", "threshold": -0.0, "classes": ["a", None, True], "seed": 2**64 - 1}
TENSORS = {
    "w": np.array([[0.1, -0.0], [np.inf, 5e-324]]),
    "mistakes": np.arange(3),
    "single": np.array([0.1, -np.inf], dtype=np.float32),
    "sign": np.array([-1, 1], dtype=np.int8),
    "mask": np.array([True, False, True]),
    "none": np.zeros((0, 3), dtype=np.int32),
    "b": np.array(-2.5),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a model"


def same(left: Any, right: Any) -> bool:
    """Bit for bit, with types and the order of keys."""
    (version, header, tensors), (other, other_header, others) = left, right
    return (
        (version, json.dumps(header), sorted(tensors)) == (other, json.dumps(other_header), sorted(others))
        and header == other_header
        and all(
            (array.dtype.name, array.shape, array.astype(array.dtype.newbyteorder("<")).tobytes())
            == (others[name].dtype.name, others[name].shape, others[name].tobytes())
            for name, array in tensors.items()
        )
    )


def refusal(path: Any, kind: str = "model", newest: int = 1) -> str:
    """What `read` says, which is one line that begins with the path."""
    with pytest.raises(InputError) as refused:
        read(path, kind, newest)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    assert len(message) - len(str(path)) < 250
    return message.removeprefix(f"{path}: ")


def outcome(reading: Callable[[Any], Any], what: Any) -> tuple[Any, str]:
    """What was read, or why not."""
    try:
        return reading(what), ""
    except InputError as error:
        return None, str(error)


# --- What is written is read. ---

numbers = st.integers(-(10**38), 10**38) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
headers = st.dictionaries(st.text(), json_values, max_size=5)
names = st.text(min_size=1, max_size=64).filter(lambda name: name.isprintable() and name != "__metadata__")


@st.composite
def arrays(draw: Any) -> np.ndarray:
    """Any dtype that is allowed, any byte order, shape and strides."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES))).newbyteorder(draw(st.sampled_from("<>")))
    array = draw(hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)))
    form = draw(st.sampled_from(["as it is", "turned", "every other"]))
    if form == "every other" and array.ndim:
        return np.repeat(array, 2, axis=0)[::2]
    return np.asarray(array.T if form == "turned" else array)


contents = st.tuples(st.integers(1, 10**9 - 1), headers, st.dictionaries(names, arrays(), max_size=4))


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(contents)
def test_reading_a_file_gives_back_what_was_written(tmp_path_factory: pytest.TempPathFactory, known: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "file"
    write(path, "model", *known)
    found = read(path, "model", 10**9)
    assert same(known, found)
    for tensor in found[2].values():
        assert not tensor.flags.writeable
        assert tensor.flags.aligned
        assert tensor.flags.c_contiguous
        assert tensor.dtype.isnative


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(contents)
def test_reading_a_text_gives_back_what_was_written(known: Any) -> None:
    text = to_text("model", *known)
    text.encode()
    found = from_text(text, "model", 10**9)
    plain = {
        name: np.where(np.isnan(array), array.dtype.type(np.nan), array) if array.dtype.kind == "f" else array
        for name, array in known[2].items()
    }
    assert same((*known[:2], plain), found)
    assert not any(tensor.flags.writeable for tensor in found[2].values())
    assert to_text("model", *found) == text


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_of_every_size_survive_the_text(dtype: str) -> None:
    rng = np.random.default_rng(0)
    width = np.dtype(dtype).itemsize
    values = np.frombuffer(rng.bytes(20_000 * width), dtype=dtype)
    values = np.concatenate([values[~np.isnan(values)], [np.finfo(dtype).max, np.finfo(dtype).tiny, 0.0, -0.0]])
    values = values.astype(dtype)
    found = from_text(to_text("model", 1, {}, {"w": values}), "model", 1)[2]["w"]
    assert found.tobytes() == values.tobytes()


def test_equal_contents_make_equal_files(path: Path) -> None:
    texts, files = set(), set()
    for order in (list(TENSORS), list(reversed(TENSORS))):
        tensors = {name: TENSORS[name] for name in order}
        for _ in range(5):
            write(path, "model", 1, HEADER, tensors)
            files.add(path.read_bytes())
            texts.add(to_text("model", 1, HEADER, tensors))
    assert len(files) == len(texts) == 1


def test_the_file_is_what_the_safetensors_package_would_write_but_for_the_order_of_the_metadata(path: Path) -> None:
    write(path, "model", 3, HEADER, TENSORS)
    data = path.read_bytes()
    with safetensors.safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
        assert sorted(file.keys()) == sorted(TENSORS)
    for name, array in safetensors.numpy.load(data).items():
        assert array.tobytes() == TENSORS[name].tobytes()
    assert metadata.keys() == {"format", "version", "header", "sha256"}
    assert (metadata["format"], metadata["version"]) == ("rosenblatt model", "3")
    assert json.loads(metadata["header"]) == HEADER
    one = {"w": TENSORS["w"]}
    write(path, "model", 3, HEADER, one)
    ours = path.read_bytes()
    with safetensors.safe_open(path, framework="numpy") as file:
        theirs = safetensors.numpy.save(one, file.metadata())
    assert len(ours) == len(theirs)
    assert sorted(ours) == sorted(theirs)
    assert metadata["sha256"] == hashlib.sha256(data.replace(metadata["sha256"].encode(), b"0" * 64)).hexdigest()


def test_the_text_has_a_line_for_each_tensor(path: Path) -> None:
    text = to_text("model", 1, {"name": "é"}, {"w": np.array([[0.1, -0.0], [np.nan, np.inf]]), "b": np.array(True)})
    assert text == (
        '{\n  "format": "rosenblatt model",\n  "version": 1,\n  "header": {\n    "name": "é"\n  },\n  "tensors": {\n'
        '    "b": {"dtype": "bool", "shape": [], "data": [true]},\n'
        '    "w": {"dtype": "float64", "shape": [2, 2], "data": [0.1, -0.0, "nan", "inf"]}\n  }\n}\n'
    )


def test_the_largest_that_can_be_written_can_be_read(path: Path) -> None:
    tensors = {f"{i:02}" + "名" * 62: np.zeros((1,) * 64, dtype=np.int8) for i in range(64)}
    for character in ("x", '"', "\\", "\x01", "名"):
        header = {"": character * ((10**6 - 8) // len(json.dumps(character, ensure_ascii=False)[1:-1].encode()))}
        write(path, "model", 1, header, tensors)
        assert same(read(path, "model", 1), (1, header, tensors))
        assert same(from_text(to_text("model", 1, header, tensors), "model", 1), (1, header, tensors))


NESTED: Any = []
for _ in range(100_000):
    NESTED = [NESTED]


UNWRITABLE: list[tuple[Any, Any, str]] = [
    ({}, {f"{i}": np.zeros(1) for i in range(65)}, "65 tensors; expected at most 64"),
    ({}, {"": np.zeros(1)}, "name of 1 to 64"),
    ({}, {"x" * 65: np.zeros(1)}, "name of 1 to 64"),
    ({}, {"two\nlines": np.zeros(1)}, "printable"),
    ({}, {"\ud800": np.zeros(1)}, "printable"),
    ({}, {"__metadata__": np.zeros(1)}, "not __metadata__"),
    ({}, {7: np.zeros(1)}, "tensor 7: expected a name"),
    ({}, {"w": [1.0]}, r"found \[1.0\]"),
    *[
        ({}, {"w": np.zeros(2, dtype=dtype)}, "expected an array of bool, int8, uint8, int32, int64, float32, fl")
        for dtype in ("float16", "longdouble", "complex128", "uint64", "int16", "U3", "O", "M8[s]", "f8,i4")
    ],
    ({"long": "x" * 10**6}, {}, "more than 1000000 bytes"),
    ({"half": "\ud800"}, {}, "header: .*surrogates not allowed"),
    ({"\udfff": 1}, {}, "header: .*surrogates not allowed"),
    ({"nan": float("nan")}, {}, "header: Out of range float"),
    ({"inf": [float("-inf")]}, {}, "header: Out of range float"),
    ({"array": np.zeros(2)}, {}, "header: Object of type ndarray"),
    ({"bytes": b"x"}, {}, "header: Object of type bytes"),
    ({"tuple": (1, 2)}, {}, "lists for tuples"),
    ({1: 2}, {}, "texts as keys"),
    ({"1": 2, 1: 2}, {}, "key occurs twice"),
    ({"deep": NESTED}, {}, "header: nested too deeply"),
    ({"long": 10**40}, {}, "at most 40 digits"),
    (["a", "list"], {}, "header: expected an object"),
]


@pytest.mark.parametrize(("header", "tensors", "reason"), UNWRITABLE, ids=[reason for *_, reason in UNWRITABLE])
def test_what_could_not_be_read_is_not_written(path: Path, header: Any, tensors: Any, reason: str) -> None:
    path.write_text("old")
    with pytest.raises(InputError, match=reason) as refused:
        write(path, "model", 1, header, tensors)
    assert len(str(refused.value).splitlines()) == 1
    assert os.listdir(path.parent) == [path.name]
    assert path.read_text() == "old"
    with pytest.raises(InputError, match=reason):
        to_text("model", 1, header, tensors)


# --- What was damaged is not read. ---


@pytest.fixture
def data(path: Path) -> bytes:
    write(path, "model", 1, {"seed": 7}, {"w": np.array([0.5, -1.0]), "ok": np.array([True])})
    return path.read_bytes()


def test_no_beginning_of_a_file_is_read(path: Path, data: bytes) -> None:
    for size in range(len(data)):
        path.write_bytes(data[:size])
        message = refusal(path)
        assert message.startswith("not a rosenblatt model: too short, " if size < 35 else "damaged: "), (size, message)
        assert "pickle" not in message
    for more in (b"\0", b" ", b"\n", data):
        path.write_bytes(data + more)
        assert refusal(path) == "damaged: the checksum does not match; restore it from a copy"


@pytest.mark.slow
def test_every_flipped_bit_is_noticed(path: Path, data: bytes) -> None:
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        assert refusal(path).startswith("damaged: ")


@pytest.mark.slow
def test_ten_thousand_changed_bytes_are_noticed(path: Path) -> None:
    write(path, "model", 1, HEADER, {**TENSORS, "more": np.arange(200.0)})
    data, rng = path.read_bytes(), random.Random(0)
    assert data.count(b" ") > 0
    with open(path, "r+b", buffering=0) as file:
        for _ in range(10_000):
            place = rng.randrange(len(data))
            file.seek(place)
            file.write(bytes([data[place] ^ rng.randint(1, 255)]))
            assert refusal(path).startswith("damaged: ")
            file.seek(place)
            file.write(data[place : place + 1])
    assert same(read(path, "model", 1), (1, HEADER, {**TENSORS, "more": np.arange(200.0)}))


# --- What was forged is not read, or makes sense. A checksum is no secret. ---


def signed(text: bytes, tensors: bytes = b"") -> bytes:
    """A file of this JSON text, with the digest in place of the 64 zeros in it."""
    whole = struct.pack("<Q", len(text)) + text + tensors
    place = whole.index(b"0" * 64)
    return whole[:place] + hashlib.sha256(whole).hexdigest().encode() + whole[place + 64 :]


def forged(tensors: Any = None, after: bytes = b"", **metadata: Any) -> bytes:
    known = {"sha256": "0" * 64, "format": "rosenblatt model", "version": "1", "header": "{}", **metadata}
    known = {key: value for key, value in known.items() if value is not None}
    return signed(json.dumps({"__metadata__": known, **(tensors or {})}, separators=(",", ":")).encode(), after)


def entry(dtype: str, shape: Any, begin: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


OPENING = b'{"__metadata__":{"sha256":"' + b"0" * 64 + b'","format":"rosenblatt model","version":"1","header":"{}"}'


def test_what_the_forger_writes_honestly_is_read(path: Path) -> None:
    path.write_bytes(forged({"w": entry("F64", [1], 0, 8)}, struct.pack("<d", 0.5)))
    assert same(read(path, "model", 1), (1, {}, {"w": np.array([0.5])}))
    path.write_bytes(signed(OPENING + b"}"))
    assert same(read(path, "model", 1), (1, {}, {}))
    path.write_bytes(forged({"b": entry("BOOL", [3], 0, 3), "w": entry("F64", [1], 3, 11)}, bytes(11)))
    assert read(path, "model", 1)[2]["w"].flags.aligned  # though it is not, in the file


FORGERIES: list[tuple[bytes, str]] = [
    # the format and its version
    (
        forged(format="rosenblatt checkpoint"),
        "not a rosenblatt model but another file of ours: its format is 'rose",
    ),
    (forged(format="pt"), "not a rosenblatt model: its format is 'pt'"),
    (forged(format=None), "not a rosenblatt model: its format is None"),
    (forged(version="7"), "written by a newer rosenblatt (format 7; this one reads up to 1): upgrade"),
    (forged(version="7", header=None, more=""), "written by a newer rosenblatt (format 7; this one reads up to 1)"),
    *[
        (forged(version=version), f"version {version!r}: expected a whole number from 1 to 1")
        for version in ("0", "-1", "1.0", "01", " 1", "one", "", "١", "9" * 5000)
        if len(version) < 50
    ],
    (forged(version="9" * 5000), "version '9999"),
    (forged(version=None), "version '': expected a whole number from 1 to 1"),
    (
        forged(header=None),
        "metadata: expected an object with sha256, format, version, header, found ['sha256', 'format', 'ver",
    ),
    (
        forged(more="x"),
        "metadata: expected an object with sha256, format, version, header, found ['sha256', 'format', 'ver",
    ),
    # the header
    (forged(header="[]"), "header: expected an object, found []"),
    (forged(header="7"), "header: expected an object, found 7"),
    (forged(header=""), "header: Expecting value: line 1 column 1 (char 0)"),
    (forged(header="{} {}"), "header: Extra data"),
    (forged(header='{"a": NaN}'), "header: 'NaN' as a number; expected one that a float64 holds"),
    (forged(header='{"a": -Infinity}'), "header: '-Infinity' as a number"),
    (forged(header='{"a": 1e999}'), "header: '1e999' as a number"),
    (forged(header='{"a": ' + "9" * 100_000 + "}"), "header: '999"),
    (forged(header='{"a": 1, "a": 1}'), "header: a key occurs twice"),
    (forged(header='{"a": [{"b": 1, "\\u0062": 2}]}'), "header: a key occurs twice"),
    (forged(header='{"a": "\\ud800"}'), "header: 'utf-8' codec can't encode"),
    (forged(header="[" * 200_000), "header: nested too deeply"),
    (forged(header='{"a":' * 200_000), "header: nested too deeply"),
    (forged(header=json.dumps({"a": "x" * 10**6})), "header: more than 1000000 bytes"),
    # the tensors
    *[
        (
            forged({"w": entry(dtype, [1], 0, size)}, bytes(size)),
            "tensor 'w': expected one of BOOL, I8, U8, I32, I6",
        )
        for dtype, size in (("F16", 2), ("BF16", 2), ("U64", 8), ("I16", 2), ("F8_E4M3", 1))
    ],
    (forged({"w": entry("F99", [1], 0, 8)}, bytes(8)), "malformed: "),
    (forged({"w": entry("BOOL", [2], 0, 2)}, b"\1\2"), "tensor 'w': expected bytes 0 and 1"),
    (forged({f"{i}": entry("I8", [], i, i + 1) for i in range(65)}, bytes(65)), "65 tensors; expected at most 64"),
    (forged({"": entry("I8", [], 0, 1)}, bytes(1)), "tensor '': expected a name of 1 to 64"),
    (forged({"x" * 65: entry("I8", [], 0, 1)}, bytes(1)), "tensor 'xxx"),
    (forged({"two\nlines": entry("I8", [], 0, 1)}, bytes(1)), "tensor 'two\\nlines': expected a name"),
    (forged({"w": entry("F64", [0, 2**62], 0, 0)}), "tensor 'w': array is too big"),
    (forged({"w": entry("F64", [0, 2**63], 0, 0)}), "tensor 'w': Maximum allowed dimension exceeded"),
    (forged({"w": entry("F64", [0] * 65, 0, 0)}), "tensor 'w': maximum supported dimension"),
    (forged({"w": entry("F64", [2**61], 0, 8)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [2**61], 0, 2**64)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [2**40], 0, 2**43)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [2], 0, 8)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [-1], 0, 8)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [1.0], 0, 8)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [1], 8, 0)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [1], 0, 8), "v": entry("F64", [1], 0, 8)}, bytes(8)), "malformed: "),
    (forged({"w": entry("F64", [1], 0, 8), "v": entry("F64", [1], 4, 12)}, bytes(12)), "malformed: "),
    (forged({"w": entry("F64", [1], 0, 8), "v": entry("F64", [1], 16, 24)}, bytes(24)), "malformed: "),
    (forged({"w": entry("F64", [1], 8, 16)}, bytes(16)), "malformed: "),
    (forged({"w": entry("F64", [1], 0, 8)}, bytes(9)), "malformed: "),
    (forged({"w": entry("F64", [1], 0, 8)}, bytes(7)), "malformed: "),
    (forged({"line\nbreak": entry("F64", [1], 0, 8)}, bytes(7)), "malformed: "),
    (forged({"w": 7}), "malformed: "),
    # the JSON text
    (signed(OPENING), "malformed: "),
    (signed(OPENING + b"}{"), "malformed: "),
    (signed(OPENING + b',"\xff":1}'), "malformed: "),
    (signed(OPENING + b',"w":' + b"[" * 10**6), "malformed: "),
    (signed(OPENING + b',"__metadata__":{}}'), "malformed: "),
    (
        signed(OPENING + b',"w":{"dtype":"I8","shape":[0],"data_offsets":[0,0]}' * 2 + b"}"),
        "malformed: a key occurs",
    ),
    (signed(OPENING.replace(b'"version":"1"', b'"version":1') + b"}"), "malformed: "),
    (signed(OPENING.replace(b'"version":"1"', b'"version":"1","version":"1"') + b"}"), "malformed: "),
    (
        signed(b'{"dtype":{"shape":[0],"a":"' + OPENING[27:-1] + b',"data_offsets":[0,0],"dtype":"I8"}}'),
        "not a rosenblatt model: its format is None",
    ),
    (
        signed(b'{"__metadata__":{"sha265":"' + OPENING[27:] + b"}"),
        "metadata: expected an object with sha256, format, ",
    ),
]


@pytest.mark.parametrize(("file", "reason"), FORGERIES, ids=[reason for *_, reason in FORGERIES])
def test_a_right_checksum_does_not_excuse_nonsense(path: Path, file: bytes, reason: str) -> None:
    path.write_bytes(file)
    message = refusal(path)
    assert message.startswith(reason), message
    assert "checksum" not in message


@pytest.mark.slow
def test_a_forged_change_is_refused_or_makes_sense(path: Path, data: bytes) -> None:
    (length,) = struct.unpack("<Q", data[:8])
    text, tensors, rng = data[8 : 8 + length], data[8 + length :], random.Random(1)
    text = text[:27] + b"0" * 64 + text[91:]
    pieces = [b"{", b"}", b"[", b"]", b'"', b",", b":", b"0", b"1", b"9", b"-", b"e", b"\\", b" ", b"\0", b"\xff", b""]
    accepted = 0
    for _ in range(1500):
        changed = text
        for _ in range(rng.choice([1, 1, 2, 3])):
            place = rng.randrange(91, len(changed))
            changed = changed[:place] + rng.choice(pieces) + changed[place + rng.choice([0, 1, 1]) :]
        path.write_bytes(signed(changed, tensors))
        found, message = outcome(lambda name: read(name, "model", 1), path)
        assert len(message.splitlines()) == (found is None)
        if found:
            accepted += 1
            write(path, "model", *found)
            assert same(read(path, "model", 1), found)
    assert 50 < accepted < 1000


# --- What is not ours is told so. ---


STRANGE: list[tuple[bytes, str]] = [
    (b"", "not a rosenblatt model: too short, 0 bytes"),
    (b"{", "not a rosenblatt model: too short, 1 byte"),
    (b"hello, world\n", "not a rosenblatt model: too short, 13 bytes"),
    (b"x,y\n" * 100, "not a rosenblatt model: a file of another kind"),
    (
        b'{"format": "rosenblatt model", "version": 1, "header": {}, "tensors": {}}',
        "not a rosenblatt model: a file of",
    ),
    (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a rosenblatt model: a file of another kind"),
    (b"PK\x03\x04" + bytes(100), "not a rosenblatt model: a file of another kind"),
    (b"\x80\x04N.", "not a rosenblatt model but a Python pickle, and pickles are never opened"),
    (b"\x80\x02}q\x00.", "not a rosenblatt model but a Python pickle, and pickles are never opened"),
    (b"\x80\x05\x95" + bytes(200), "not a rosenblatt model but a Python pickle, and pickles are never opened"),
    (bytes(1000), "not a rosenblatt model: a file of another kind"),
    (b"\xff" * 1000, "not a rosenblatt model: a file of another kind"),
    (
        safetensors.numpy.save({"w": np.zeros(9)}),
        "not a rosenblatt model but a safetensors file that something else",
    ),
    (safetensors.numpy.save({}, {"format": "pt"}), "not a rosenblatt model but a safetensors file that something"),
]


@pytest.mark.parametrize(("file", "reason"), STRANGE, ids=[reason for *_, reason in STRANGE])
def test_a_file_of_another_kind_is_told_from_a_damaged_one(path: Path, file: bytes, reason: str) -> None:
    path.write_bytes(file)
    message = refusal(path)
    assert message.startswith(reason)
    assert "damaged" not in message


def test_a_length_that_begins_like_a_pickle_does_not_make_one(path: Path) -> None:
    lengths = set()
    for filler in range(0, 300, 8):
        write(path, "model", 1, {"": "x" * filler}, {})
        data = path.read_bytes()
        if data[0] == 0x80:
            lengths.add(data[1])
            read(path, "model", 1)
            path.write_bytes(data[:20])
            assert refusal(path) == "not a rosenblatt model: too short, 20 bytes"
    assert lengths


def test_another_kind_of_ours_is_named(path: Path) -> None:
    write(path, "checkpoint", 1, {}, {})
    assert refusal(path) == "not a rosenblatt model but another file of ours: its format is 'rosenblatt checkpoint'"
    assert read(path, "checkpoint", 1) == (1, {}, {})


def test_a_claim_is_refused_before_memory_is_taken_for_it(path: Path) -> None:
    opening = OPENING + b" " * 1000
    for length in (2**64 - 1, 2**60, 10**8, len(opening) + 10**7):
        path.write_bytes(struct.pack("<Q", length) + opening)
        with open(path, "r+b") as file:
            file.truncate(min(length, 10**9))  # sparse
        tracemalloc.start()
        assert refusal(path).startswith("damaged: it is cut short, or its length is wrong")
        assert tracemalloc.get_traced_memory()[1] < 10**6
        tracemalloc.stop()


def test_memory_is_taken_for_the_file_and_once_more_for_the_tensors(path: Path) -> None:
    tensors = {"w": np.ones(4 * 10**6), "v": np.ones(10**6, dtype=np.float32)}
    size = sum(tensor.nbytes for tensor in tensors.values())
    peaks = []
    for step in (lambda: write(path, "model", 1, {}, tensors), lambda: read(path, "model", 1)):
        tracemalloc.start()
        step()
        peaks.append(tracemalloc.get_traced_memory()[1] / size)
        tracemalloc.stop()
    assert peaks[0] < 1.1
    assert peaks[1] < 2.1


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in (tmp_path, tmp_path / "pipe", tmp_path / "link", Path("/dev/null"), Path("/dev/zero")):
        assert refusal(name) == "not a regular file; expected the name of one"


# --- Texts. ---


def document(**changes: Any) -> str:
    known = {"format": "rosenblatt model", "version": 1, "header": {}, "tensors": {}, **changes}
    return json.dumps({key: value for key, value in known.items() if value is not ...})


def tensor(dtype: Any, shape: Any, data: Any, **more: Any) -> str:
    return document(tensors={"w": {"dtype": dtype, "shape": shape, "data": data, **more}})


NONSENSE: list[tuple[str, str]] = [
    ("", "not a rosenblatt model: Expecting value"),
    ("hello", "not a rosenblatt model: Expecting value"),
    ("\ufeff{}", "not a rosenblatt model: Unexpected UTF-8 BOM"),
    ("[]", "not a rosenblatt model: expected a JSON object with format, version, header, tensors"),
    ('"format"', "not a rosenblatt model: expected a JSON object"),
    ("{}", "not a rosenblatt model: expected a JSON object"),
    ("[" * 100_000, "not a rosenblatt model: nested too deeply"),
    ('{"a":' * 100_000, "not a rosenblatt model: nested too deeply"),
    (document(format="rosenblatt checkpoint"), "not a rosenblatt model but another file of ours: "),
    (document(format="pt"), "not a rosenblatt model: its format is 'pt'"),
    (document(format=["rosenblatt model"]), "not a rosenblatt model: its format is ['ros"),
    (document(version=2), "written by a newer rosenblatt (format 2; this one reads up to 1): upgrade"),
    (document(version=2, tensors=..., more=1), "written by a newer rosenblatt (format 2; this one reads up to 1)"),
    *[(document(version=version), "version ") for version in (0, -1, 1.0, True, "1", None, [], ...)],
    (document(header=...), "expected an object with format, version, header, tensors, found ['format', 'version"),
    (document(more=1), "expected an object with format, version, header, tensors, found ['format', 'version"),
    (document(header=[]), "header: expected an object, found []"),
    (document(header={"a": "x" * 10**6}), "header: more than 1000000 bytes"),
    (document(header={"a": "\ud800"}), "header: 'utf-8' codec can't encode"),
    (document(header={"a": float("nan")}), "not a rosenblatt model: 'NaN' as a number"),
    (document(tensors=[]), "tensors: expected an object, found []"),
    (document(tensors={f"{i}": 1 for i in range(65)}), "65 tensors; expected at most 64"),
    (document(tensors={"": 1}), "tensor '': expected a name"),
    (document(tensors={"\ud800": 1}), "tensor '\\ud800': expected a name"),
    (document(tensors={"w": [1.0]}), "tensor 'w': expected an object with dtype, shape, data, found [1.0]"),
    (document(tensors={"w": {"dtype": "bool"}}), "tensor 'w': expected an object with dtype, shape, "),
    (document()[:-1] + ', "version": 1}', "not a rosenblatt model: a key occurs twice"),
    (document(tensors={"w": 1})[:-2] + ', "w": 1}}', "not a rosenblatt model: a key occurs twice"),
    (tensor("bool", [0], [], more=1), "tensor 'w': expected an object with dtype, shape, data, found ['dtype'"),
    *[
        (tensor(dtype, [1], [0]), "tensor 'w': expected a dtype of bool, int8")
        for dtype in ("float16", "F64", "<f8", "object", "", None, 7, ["bool"], {"a": 1})
    ],
    *[
        (tensor("int8", shape, [0]), "tensor 'w': expected a shape of at most 64 whole numbers, found")
        for shape in (1, "1", None, [1.0], [True], [-1, -1], ["1"], [None], [1] * 65, [10**39] * 10**5)
    ],
    *[
        (tensor("int8", shape, data), "tensor 'w': expected a list of data for the shape ")
        for shape, data in (
            ([2], [0]),
            ([], []),
            ([], [1, 2]),
            ([0], [0]),
            ([10**12], [0]),
            ([2**62, 2**62], []),
            ([10**39] * 64, [1]),
            ([1], 0),
            ([1], "0"),
            ([1], {"0": 0}),
            ([1], None),
            ([2, 2], [[1, 2], [3, 4]]),
        )
    ],
    (tensor("int8", [0, 2**63], []), "tensor 'w': Maximum allowed dimension exceeded"),
    (tensor("float64", [0, 2**62], []), "tensor 'w': array is too big"),
    *[
        (tensor(dtype, [2], [0 if dtype != "bool" else False, value]), f"tensor 'w': {value!r} at place 1; ")
        for dtype, values in {
            "bool": [0, 1, 1.0, "true", None],
            "int8": [True, 1.5, 1.0, "1", None, [1], 128, -129],
            "uint8": [-1, 256, False],
            "int32": [2**31, -(2**31) - 1],
            "int64": [2**63, -(2**63) - 1, 1e3, 10**38],
            "float32": [0.1, 1e39, 1e-46, 2**24 + 1, 2**128, 10**39, True, "abc", "Infinity", "1.0"],
            "float64": [True, None, "abc", "NaN", "INF", "", "1.0", [1.0], {}, 2**53 + 1, 10**38 + 1],
        }.items()
        for value in values
    ],
    (tensor("float64", [1], ["?"]).replace('"?"', "1e309"), "not a rosenblatt model: '1e309' as a number"),
    (tensor("float64", [1], ["?"]).replace('"?"', "Infinity"), "not a rosenblatt model: 'Infinity' as a number"),
    (tensor("float64", [1], ["?"]).replace('"?"', "-0"), "not a rosenblatt model: '-0' as a whole number"),
    (tensor("int64", [1], ["?"]).replace('"?"', "1" * 10**6), "not a rosenblatt model: '1111"),
]


@pytest.mark.parametrize(("text", "reason"), NONSENSE, ids=[reason for *_, reason in NONSENSE])
def test_a_text_that_makes_no_sense_is_refused_in_one_line(text: str, reason: str) -> None:
    tracemalloc.start()
    with pytest.raises(InputError) as refused:
        from_text(text, "model", 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    message = str(refused.value)
    assert message.startswith(reason), message
    assert len(message.splitlines()) == 1
    assert len(message) < 250
    assert peak < 10**6 + 50 * len(text)


def test_whole_numbers_will_do_for_floats_that_are_whole() -> None:
    found = from_text(tensor("float64", [3], [1, -(2**53), 10**22]), "model", 1)[2]["w"]
    assert found.tolist() == [1.0, -(2.0**53), 1e22]
    assert from_text(tensor("float32", [2], [2**24, 0.5]), "model", 1)[2]["w"].dtype == np.float32


def test_a_changed_text_is_refused_or_makes_sense() -> None:
    text, rng = to_text("model", 1, HEADER, TENSORS), random.Random(3)
    pieces = [*'{}[]",:019-e.\\ \n', "true", "null", "NaN", "1e400", '"inf"', "\ud800", "\0", ""]
    accepted = 0
    for _ in range(2000):
        changed = text
        for _ in range(rng.choice([1, 1, 2, 3])):
            place = rng.randrange(len(changed))
            changed = changed[:place] + rng.choice(pieces) + changed[place + rng.choice([0, 1, 1]) :]
        found, message = outcome(lambda text: from_text(text, "model", 1), changed)
        assert len(message.splitlines()) == (found is None)
        if found:
            accepted += 1
            assert same(from_text(to_text("model", *found), "model", 1), found)
    assert 50 < accepted < 3000
