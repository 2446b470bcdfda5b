"""Animations: the frames are the run's weights, all of them or every so many, and the file is whole or not there."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rosenblatt import Examples, InputError, datasets, learn
from rosenblatt.plots import animate
from rosenblatt.plots.course.animation import every, frames_of
from rosenblatt.plots.course.scene import Scene


def run_of(name: str, **more: Any) -> Any:
    sample = datasets.get(name)
    return learn(*sample, **{**sample.plan, "log": True, **more})


def pauses(path: Path) -> list[int]:
    """The pause after each frame of a GIF, in milliseconds."""
    found = []
    with Image.open(io.BytesIO(path.read_bytes())) as image:
        for k in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(k)
            found.append(int(image.info["duration"]))
    return found


def test_a_frame_for_every_update(tmp_path: Path) -> None:
    run = run_of("four-on-a-line")
    frames = animate(run, tmp_path / "run.gif", seconds=2.6)
    path = run.trajectory()
    assert [frame.change for frame in frames] == list(range(26))
    for frame in (frames[0], frames[13], frames[-1]):
        W, b = path.weights(frame.change)
        assert (frame.w.tolist(), frame.b) == (W[:, 0].tolist(), b[0])
    assert (frames[-1].w.tolist(), frames[-1].b, frames[-1].mistakes) == ([-3.0], 7.0, 25)
    assert pauses(tmp_path / "run.gif") == [100] * 25 + [3100]
    assert (tmp_path / "run.gif").stat().st_size < 300_000


def test_the_counter_counts() -> None:
    """S002, example 1: rows 0, 1 and 3 are mistakes in the first epoch."""
    frames = frames_of(run_of("four-in-the-plane"))
    assert [frame.row for frame in frames] == [None, 0, 1, 3]
    assert [frame.round for frame in frames] == [0, 1, 2, 4]
    assert [frame.mistakes for frame in frames] == [0, 1, 2, 3]
    assert {frame.epoch for frame in frames} == {1}


def test_what_a_frame_draws() -> None:
    run = run_of("four-in-the-plane")
    frames = frames_of(run)
    scene = Scene(run, frames)
    assert scene.image(0).shape[2] == 3
    assert scene.line.get_xdata() == []  # w = 0: no line yet
    scene.show(3)
    on_line = np.column_stack(scene.line.get_data())
    assert on_line @ np.array([1, -3]) == pytest.approx([0, 0], abs=1e-9)
    assert np.column_stack(scene.ring.get_data()).tolist() == [[-2, -2]]
    along = np.array(scene.arrow.xy) - np.array(scene.arrow.get_position())
    assert along / np.hypot(*along) == pytest.approx(np.array([1, -3]) / np.sqrt(10))
    assert scene.words(3) == ["round 8 (epoch 2, the end), mistakes 3", "clean: epoch 2 made no update"]
    drawn = {line.get_label(): np.column_stack(line.get_data()).tolist() for line in scene.ax.lines}
    assert drawn["+1"] == [[4, 0], [-2, -2]]
    assert drawn["−1"] == [[1, 1], [0, 1]]


def test_a_loop_is_shown_to_return() -> None:
    run = run_of("xor")
    frames = frames_of(run)
    assert frames[0].w.tolist() == frames[-1].w.tolist() == [0, 0]
    words = Scene(run, frames).words(4)
    assert "the weights after epoch 1 are those at the start" in " ".join(words)
    assert words[0] == "round 4 (epoch 1, the end), mistakes 4"
    assert all(len(line) <= 62 for line in words)


def test_classes_and_columns_are_called_by_their_names() -> None:
    run = learn(Examples.of([[1.0, 2.0], [-1.0, 1.0]], [1, 0]), log=True)
    scene = Scene(run, frames_of(run))
    assert {"0", "1"} <= {line.get_label() for line in scene.ax.lines}
    assert (scene.ax.get_xlabel(), scene.ax.get_ylabel()) == ("x0", "x1")


def test_of_many_updates_some_are_left_out_and_that_is_said() -> None:
    run = learn(*datasets.noisy(3000, 2), log=True, max_epochs=5)
    frames = frames_of(run, 7)
    stride = every(run.updates, 7)
    assert [frame.change for frame in frames] == [*range(0, run.updates, stride), run.updates]
    assert len(frames) <= 7
    assert frames[-1].w.tolist() == run.hyperplane.w.tolist()
    title = Scene(run, frames).title()
    assert f"every {stride}" in title
    assert "every 2nd row" in title
    for changes, most in ((0, 2), (1, 2), (100_000, 200), (199, 200), (200, 200)):
        assert len(range(0, changes, every(changes, most))) + 1 <= most


def test_few_updates_batches_huge_numbers_and_names(tmp_path: Path) -> None:
    none = learn([[1.0, 2.0]], [1], start=([1.0, 0.0], 0.0), offset=0, log=True)
    assert len(animate(none, tmp_path / "none.gif")) == 1
    batch = run_of("eight-in-the-plane", batch_size="all")
    assert animate(batch, tmp_path / "batch.gif")[-1].w.tolist() == [12, 14]
    names = ["a$b$", "<\n" + "x" * 300]
    for scale in (1e-150, 1e-60, 1e60, 1e150):
        examples = Examples.of([[scale, 0.0], [0.0, scale]], ["no $", "y" * 300], feature_names=names)
        animate(learn(examples, log=True, max_epochs=2), tmp_path / "huge.gif", most=3)
    delta = learn([[1.0], [2.0]], [1, -1], rule="delta", eta=1e3, log=True, max_epochs=60)
    animate(delta, tmp_path / "delta.gif", most=3)


def test_what_is_refused(tmp_path: Path) -> None:
    run = run_of("xor")
    with pytest.raises(InputError, match=r"\.gif"):
        animate(run, tmp_path / "run.mp4")
    with pytest.raises(InputError, match="3"):
        animate(learn(*datasets.separable(20, 3), log=True), tmp_path / "run.gif")
    with pytest.raises(InputError, match="log=True"):
        animate(learn(*datasets.get("xor")), tmp_path / "run.gif")
    many = datasets.classes(60, 3, 3)
    with pytest.raises(InputError, match="two classes"):
        animate(learn(Examples.of(many.X[:, :2], many.y), log=True, max_epochs=2), tmp_path / "run.gif")
    with pytest.raises(InputError, match="most"):
        animate(run, tmp_path / "run.gif", most=1)
    with pytest.raises(InputError, match="seconds"):
        animate(run, tmp_path / "run.gif", seconds=0)
    assert list(tmp_path.iterdir()) == []
