"""The slow reader in blocks gives the rows and labels of the slow reader that holds them all."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import InputError
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import Options
from rosenblatt.files.reading import Reading
from rosenblatt.files.slow import blocks
from rosenblatt.files.slow.blocks import SlowBlocks
from rosenblatt.files.slow.text import slow_sheet


def of_text(path: Path, text: bytes, **how: Any) -> tuple[Any, SlowBlocks]:
    path.write_bytes(text)
    options = Options(Reading(format="svmlight", **how))
    with InputFile(path) as opened:
        sheet = slow_sheet(opened, options)
    return sheet, SlowBlocks.of(lambda: InputFile(path), options)


@pytest.mark.parametrize("how", [{}, {"base": 0}, {"hash_bits": 4}], ids=str)
@pytest.mark.parametrize(("rows", "numbers"), [(1, 10**6), (3, 10**6), (4096, 2), (4096, 2**20)])
def test_every_row_is_there_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Any, rows: int, numbers: int
) -> None:
    monkeypatch.setattr(blocks, "_ROWS", rows)
    monkeypatch.setattr(blocks, "_NUMBERS", numbers)
    text = b"\xef\xbb\xbf1 1:0.5 3:-2 # one\r\n\n-1\n# nothing\n1 2:1e-300 7:4\n-1 3:0\n1 1:1 2:2"
    sheet, found = of_text(tmp_path / "a.svm", text, **how)
    assert (found.n, found.d, dict(found.counts)) == (sheet.lines.size, sheet.d, {-1.0: 2, 1.0: 3})
    assert found.labels.tolist() == [-1, 1]
    parts = list(found.blocks(1.0))
    assert np.array_equal(np.concatenate([part.toarray() for part, _ in parts]), sheet.matrix().toarray())
    assert np.concatenate([signs for _, signs in parts]).tolist() == sheet.labels.tolist()
    assert len(parts) == {(1, 10**6): 5, (3, 10**6): 2, (4096, 2**20): 1}.get((rows, numbers), len(parts))


@pytest.mark.parametrize(
    ("text", "place"),
    [(b"1 1:1\n1 x\n", ":2:3: "), (b"", ": no rows"), (b"1\n-1\n", ": no features"), (b"1 2:1 1:1\n", ":1:7: ")],
)
def test_faults_have_their_places(tmp_path: Path, text: bytes, place: str) -> None:
    with pytest.raises(InputError) as whole:
        of_text(tmp_path / "a.svm", text)
    with pytest.raises(InputError) as streamed:
        SlowBlocks.of(lambda: InputFile(tmp_path / "a.svm"), Options(Reading(format="svmlight")))
    assert str(whole.value) == str(streamed.value)
    assert place in str(streamed.value)


def test_a_file_that_grew_is_refused(tmp_path: Path) -> None:
    _, found = of_text(tmp_path / "a.svm", b"1 1:1\n-1 2:1\n")
    (tmp_path / "a.svm").write_bytes(b"1 1:1\n-1 9:1\n")
    with pytest.raises(InputError, match="more columns than before"):
        list(found.blocks(1.0))
