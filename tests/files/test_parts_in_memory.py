"""Small files that unpack into large ones, and rows without end: in parts they stay below the cap."""

import gzip
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

CAP = 256  # MB
CHILD = """
import re, sys
from rosenblatt import InputError
from rosenblatt.files.options import options_of
from rosenblatt.files.parts.door import input_of

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) // 1024

try:
    found = input_of(sys.argv[1], options_of(threads=2, **eval(sys.argv[2])))
    found.survey()
    said = sum(sheet.rows.n for sheet in found.sheets())
except InputError as error:
    said = error
print(peak(), said)
"""


def _read(path: Path, **options: Any) -> tuple[int, str]:
    """The peak of memory in MB, and how many rows there are, or why not."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), repr(options)], capture_output=True, text=True, check=True
    )
    peak, _, said = done.stdout.strip().partition(" ")
    return int(peak), said


def _packed(head: bytes, piece: bytes, times: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(head)
            for _ in range(times):
                file.write(piece)

    return write


def _one_page(path: Path) -> None:
    table = pa.table({"a": np.zeros(20_000_000), "y": np.zeros(20_000_000, dtype=np.int8)})
    rows = len(table)
    pq.write_table(
        table, path, use_dictionary=False, compression="zstd", data_page_size=2**30, row_group_size=rows,
        max_rows_per_page=rows,
    )  # fmt: skip


def _one_text(path: Path) -> None:
    """A text of 4 kB that is there once, and is meant a million times."""
    n = 1_000_000
    text = pa.DictionaryArray.from_arrays(np.zeros(n, dtype=np.int32), pa.array(["x" * 4000]))
    pq.write_table(pa.table({"s": text, "a": np.arange(n) % 7.0, "y": np.arange(n) % 2}), path, store_schema=False)


def _batch(compression: str | None) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        table = pa.table({"a": np.zeros(10_000_000), "y": np.arange(10_000_000) % 2})
        options = pa.ipc.IpcWriteOptions(compression=compression)
        with pa.ipc.new_file(path, table.schema, options=options) as sink:
            sink.write_table(table)

    return write


LINE = ":2:1: the line is longer than 16 MiB"
BOMBS = {
    "line.csv.gz": (_packed(b"a,y\n", b"1" * 2**20, 300), LINE),
    "fields.csv.gz": (_packed(b"a,y\n", b"1," * 2**19, 300), LINE),
    "quote.csv.gz": (_packed(b'a,y\n"', b"x\n" * 2**19, 300), LINE),
    "blank.csv.gz": (_packed(b"", b"\n" * 2**20, 300), ": more than 65536 blank lines"),
    "rows.csv.gz": (_packed(b"a,y\n", b"1,0\n2,1\n" * 2**17, 40), "10485760"),
    "page.parquet": (_one_page, ": row group 0: pages that unpack to more than 128 MB at once"),
    "text.parquet": (_one_text, "1000000"),
    "batch.arrow": (_batch(None), "10000000"),
    "packed.arrow": (_batch("zstd"), ": a record batch or dictionary of 160000000 bytes; expected at most 67108864"),
    "archive.npz.gz": (_packed(b"PK\x03\x04", b"\0" * 2**20, 300), ": more than 33554432 bytes, and it is read whole"),
}


@pytest.mark.serial
@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_memory_stays_below_the_cap(name: str, tmp_path: Path) -> None:
    write, expected = BOMBS[name]
    write(tmp_path / name)
    peak, said = _read(tmp_path / name)
    assert peak < CAP
    assert said.removeprefix(str(tmp_path / name)).startswith(expected), said


@pytest.mark.serial
def test_what_never_ends_is_refused_by_its_beginning() -> None:
    for format, said in {
        "csv": "/dev/zero:1:1: a NUL byte",
        "arrow": "/dev/zero: no Arrow data, zeros",
        "parquet": "/dev/zero: Parquet, packed or piped",
        "npy": "/dev/zero: not a .npy array",
    }.items():
        peak, found = _read(Path("/dev/zero"), format=format)
        assert peak < CAP
        assert found.startswith(said)


@pytest.fixture(scope="module")
def endless() -> Iterator[Any]:
    """Rows that somebody writes for ever."""
    writer = subprocess.Popen(["yes", "1,2,0"], stdout=subprocess.PIPE)
    yield writer.stdout
    assert writer.stdout is not None
    writer.stdout.close()
    writer.wait(10)


@pytest.mark.serial
def test_rows_may_go_on_for_ever(endless: Any) -> None:
    child = CHILD.replace("found.sheets()", "__import__('itertools').islice(found.sheets(), 6)")
    options = repr({"format": "csv", "header": False, "label": -1})
    done = subprocess.run(
        [sys.executable, "-c", child, "-", options], stdin=endless, capture_output=True, text=True, check=True
    )
    peak, _, said = done.stdout.strip().partition(" ")
    assert int(peak) < CAP
    assert int(said) >= 2**20  # six parts of very short rows
