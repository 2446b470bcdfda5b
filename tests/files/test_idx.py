"""IDX, as MNIST has it: images in one file, labels in another beside it."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rosenblatt import InputError, read
from rosenblatt.cli import main
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of

_CODES = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}
IMAGES = np.arange(24, dtype=np.uint8).reshape(4, 2, 3)


def idx(values: NDArray[np.generic], kind: str = "u1") -> bytes:
    """As the format is described: a head, the sides, then the numbers with the largest byte first."""
    sides = b"".join(struct.pack(">I", side) for side in values.shape)
    return bytes([0, 0, _CODES[kind], values.ndim]) + sides + values.astype(f">{kind}").tobytes()


def written(folder: Path, labels: list[int]) -> Path:
    """Images packed, their labels beside them plain."""
    path = folder / "tiny-images-idx3-ubyte.gz"
    path.write_bytes(gzip.compress(idx(IMAGES)))
    (folder / "tiny-labels-idx1-ubyte").write_bytes(idx(np.array(labels)))
    return path


@pytest.mark.parametrize("kind", _CODES)
def test_every_type_of_number_is_read_exactly(tmp_path: Path, kind: str) -> None:
    values = np.array([[1, -2, 100], [0, 3, -7]]) if kind != "u1" else np.array([[1, 2, 255], [0, 3, 7]])
    (tmp_path / "images.idx").write_bytes(idx(values, kind))
    (tmp_path / "labels.idx").write_bytes(idx(np.array([0, 1])))
    examples = read(tmp_path / "images.idx")
    assert np.asarray(examples.rows.arrays[0]).tolist() == values.tolist()
    assert examples.classes.tolist() == [0, 1]


def test_labels_are_found_beside_the_images(tmp_path: Path) -> None:
    sheet = sheet_of(written(tmp_path, [3, 5, 3, 5]), options_of())
    assert sheet.format == sheet.reading.format == "idx"
    assert (sheet.rows.n, sheet.rows.d) == (4, 6)
    assert np.asarray(sheet.rows.arrays[0]).tolist() == IMAGES.reshape(4, 6).tolist()
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [3, 5, 3, 5]
    assert "tiny-labels-idx1-ubyte" in sheet.notes[0]


def test_a_model_predicts_on_images_without_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, model = written(tmp_path, [3, 3, 5, 5]), tmp_path / "m.model"
    assert (
        main(
            ["train", str(path), "-m", str(model), "--rule", "perceptron", "--readout", "last", "--tol", "never", "-q"]
        )
        == 0
    )
    (tmp_path / "tiny-labels-idx1-ubyte").unlink()
    capsys.readouterr()
    assert main(["predict", str(model), str(path)]) == 0
    assert capsys.readouterr().out.split() == ["3", "3", "5", "5"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (idx(IMAGES)[:-1], "23 bytes of numbers; expected 24 for the shape (4, 2, 3)"),
        (idx(IMAGES) + b"\0", "25 bytes of numbers; expected 24"),
        (b"\0\0\x08\x03\0\0", "6 bytes; expected a head of 16"),
        (b"\0\0\x07\x03" + bytes(20), "not IDX"),
        (b"\0\0\x08\x03" + b"\xff" * 12, "0 bytes of numbers; expected"),
        (idx(np.zeros((0, 2, 3), dtype=np.uint8)), "0 bytes of numbers"),
        (idx(np.array([1, 2, 3])), "one number a row, as labels are"),
        (b"", "not IDX"),
    ],
)
def test_what_is_damaged_is_refused_in_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "bad-images-idx3-ubyte"
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        read(path)
    assert said in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_labels_that_do_not_fit_or_are_not_there_are_said(tmp_path: Path) -> None:
    path = written(tmp_path, [3, 5, 3])
    with pytest.raises(InputError, match=r"tiny-labels-idx1-ubyte: shape \(3,\); expected 4 labels"):
        read(path)
    (tmp_path / "tiny-labels-idx1-ubyte").unlink()
    with pytest.raises(InputError, match=r"no labels; expected them beside it, in .*tiny-labels-idx1-ubyte"):
        read(path)
    with pytest.raises(InputError, match="IDX has no label to choose"):
        read(path, label=0)
