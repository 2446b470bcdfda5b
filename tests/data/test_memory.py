"""Files that need more memory than there is: one line says so, whatever the format; nobody calls them damaged."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import InputError, read
from rosenblatt.files.compression import _Zstd

ROWS = 8_000_000
ROOM = 100 * 2**20

# All that is imported is imported first, and a small file of the kind is read: what is left is for the rows.
LIMITED = """
import resource, sys
from rosenblatt.cli import main
small, large, room, *more = sys.argv[1:]
assert main(["show", small, "--threads", "1", *more]) == 0
with open("/proc/self/status") as status:
    size = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmSize:"))
resource.setrlimit(resource.RLIMIT_AS, (size + int(room),) * 2)
sys.exit(main(["show", large, "--threads", "1", *more]))
"""


def table(rows: int) -> pa.Table:
    return pa.table({"x": np.zeros(rows), "z": np.ones(rows), "class": np.arange(rows) % 2})


def write_parquet(path: Path, rows: int) -> None:
    pq.write_table(table(rows), path)


def write_arrow(path: Path, rows: int) -> None:
    found = table(rows)
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(path, found.schema, options=options) as file:
        file.write_table(found)


def write_npz(path: Path, rows: int) -> None:
    np.savez_compressed(path, X=np.zeros((rows, 2)), y=np.arange(rows) % 2)


def write_npy(path: Path, rows: int) -> None:
    with gzip.open(path, "wb", 1) as file:
        np.save(file, np.zeros((rows, 3)))


def write_text(path: Path, rows: int) -> None:
    pair = {"csv": b"0,1,2\n1,0,1\n", "svm": b"1 1:1 3:1\n-1 1:2\n", "vw": b"1 | a:1\n-1 | b c\n"}[
        path.name.split(".")[1]
    ]
    with gzip.open(path, "wb", 1) as file:
        file.write(b"x,z,class\n" if ".csv" in path.name else b"")
        for first in range(0, rows // 2, 10_000):
            file.write(pair * min(10_000, rows // 2 - first))


WRITERS = {
    "parquet": write_parquet, "arrow": write_arrow, "npz": write_npz, "npy.gz": write_npy, "csv.gz": write_text,
    "svm.gz": write_text, "vw.gz": write_text,
}  # fmt: skip


@pytest.mark.serial
@pytest.mark.parametrize("ending", WRITERS)
def test_what_does_not_fit_into_memory_is_said_to(tmp_path: Path, ending: str) -> None:
    small, large = tmp_path / f"small.{ending}", tmp_path / f"large.{ending}"
    WRITERS[ending](small, 100)
    WRITERS[ending](large, ROWS)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, small, large, str(ROOM)],
        # Arrow's usual allocator has reserved a gigabyte before the limit is set.
        env={**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, f"{large}: its rows do not fit into memory\n")


def test_a_damaged_file_that_claims_more_than_any_memory_is_damaged(tmp_path: Path) -> None:
    write_arrow(tmp_path / "a.arrow", 1000)
    data = bytearray((tmp_path / "a.arrow").read_bytes())
    at = data.index((8000).to_bytes(8, "little"))  # how long the numbers of a column are said to be, unpacked
    data[at : at + 8] = (2**60).to_bytes(8, "little")
    (tmp_path / "a.arrow").write_bytes(data)
    with pytest.raises(InputError, match=r"a\.arrow: damaged, or no Arrow data \(malloc of size 1152921504606846976"):
        read(tmp_path / "a.arrow")


def test_no_room_to_unpack_is_no_damage() -> None:
    class Full:
        eof = False

        def decompress(self, data: bytes) -> bytes:
            raise MemoryError

    with pytest.raises(MemoryError):
        list(_Zstd(Full()).feed(b"some"))
