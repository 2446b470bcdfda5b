"""Data as a text file, for whoever reads one: svmlight, and the same in Vowpal Wabbit's format."""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from benchmarks.contest import Data
from benchmarks.synthetic import text

_BLOCK = 2000  # rows formatted at a time


@lru_cache(maxsize=1)
def text_file(rows: int, columns: int) -> Data:
    """Rows like documents, about 65 non-zeros each: 1 kB of text a row, in a folder that is gone at the end."""
    data = text(rows, columns, informative=2000, pairs=rows // 1000)
    folder = Path(tempfile.mkdtemp(prefix="rosenblatt-benchmark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with open(folder / "data.svm", "w") as svmlight, open(folder / "data.vw", "w") as vw:
        for block in text_blocks(data):
            svmlight.write(block)
            vw.write(in_vw(block))
    size = (folder / "data.svm").stat().st_size
    files = {"svmlight": str(folder / "data.svm"), "vw": str(folder / "data.vw"), "out": str(folder / "out")}
    return replace(data, title=f"{data.title}, {size / 1e6:.0f} MB of text", files=files)


def text_blocks(data: Data) -> Iterator[str]:
    """Sparse rows with labels ±1 as svmlight text, columns from 1, values with eight decimals; some rows at a time."""
    values, indices, starts = data.rows.data, data.rows.indices + 1, data.rows.indptr
    for first in range(0, len(data.labels), _BLOCK):
        last = min(len(data.labels), first + _BLOCK)
        lengths = np.diff(starts[first : last + 1]).tolist()
        labels = data.labels[first:last].tolist()
        form = "".join(f"{y:+d}{' %d:%.8f' * n}\n" for y, n in zip(labels, lengths, strict=True))
        part = slice(starts[first], starts[last])
        numbers = np.empty(2 * (part.stop - part.start), dtype=object)
        numbers[0::2], numbers[1::2] = indices[part].tolist(), values[part].tolist()
        yield form % tuple(numbers.tolist())


def in_vw(svmlight: str) -> str:
    """Rows with labels ±1 in Vowpal Wabbit's format."""
    return svmlight.replace("+1 ", "+1 | ").replace("-1 ", "-1 | ")
