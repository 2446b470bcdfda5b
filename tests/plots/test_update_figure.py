"""One update: the arrows add up, and the angles are those of a hand calculation."""

import math
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from rosenblatt import Examples, Hyperplane, InputError, datasets, learn
from rosenblatt.plots import UpdateDisplay


def line(display: UpdateDisplay, label: str) -> Any:
    (found,) = (one for one in display.ax_.lines if one.get_label() == label)
    return np.column_stack(found.get_data())


def test_the_arrows_add_up() -> None:
    """S002, example 1, third update: (3, −1) + (−2, −2) = (1, −3)."""
    sample = datasets.get("four-in-the-plane")
    display = UpdateDisplay.from_run(learn(*sample, **sample.plan, log=True), 3)
    display.figure_.canvas.draw()
    assert line(display, "w before").tolist() == [[0, 0], [3, -1]]
    assert line(display, "y·x, added").tolist() == [[3, -1], [1, -3]]
    assert line(display, "w after").tolist() == [[0, 0], [1, -3]]
    assert line(display, "the row x").tolist() == [[-2, -2]]
    # cos = (3·(−2) + (−1)(−2))/(√10·√8), and after it (1·(−2) + (−3)(−2))/(√10·√8).
    assert display.angles == pytest.approx([math.degrees(math.acos(c / math.sqrt(80))) for c in (-4, 4)])
    assert display.margins == (-4, 4)
    assert {"117°", "63.4°"} <= {text.get_text() for text in display.ax_.texts}
    assert "margin m = −4 before, 4 after" in display.subtitle
    assert display.ax_.get_aspect() == 1
    for label, w in (("boundary before", (3, -1)), ("boundary after", (1, -3))):
        assert line(display, label) @ np.array(w) == pytest.approx([0, 0], abs=1e-9)


def test_an_offset_of_one_column_is_the_second_coordinate() -> None:
    run = learn(*datasets.get("four-on-a-line"), offset=2, log=True)
    path = run.trajectory()
    for k in (2, 3, path.n_changes):
        display = UpdateDisplay.from_run(run, k)
        for label, change in (("w before", k - 1), ("w after", k)):
            W, b = path.weights(change)
            assert line(display, label)[1] == pytest.approx([W[0, 0], b[0] / 2])  # b/ρ
    assert "ρ = 2" in display.ax_.get_ylabel()


@pytest.mark.parametrize("update", [1, 2, 9])
def test_of_many_columns_nothing_is_lost_in_the_plane(update: int) -> None:
    sample = datasets.separable(100, 20)
    run = learn(*sample, log=True)
    path = run.trajectory()
    display = UpdateDisplay.from_run(run, update)
    display.figure_.canvas.draw()
    (W, b), (V, c) = path.weights(update - 1), path.weights(update)
    w, v = np.append(W, b), np.append(V, c)
    x = np.append(sample.X[path.row[update - 1]], 1.0)
    y = int(sample.y[path.row[update - 1]])
    drawn = np.stack([display.w_, display.after_, display.x_])
    exact = np.stack([w, v, x])
    np.testing.assert_allclose(drawn @ drawn.T, exact @ exact.T, atol=1e-12)  # every length and every angle
    assert display.margins == pytest.approx((y * (w @ x), y * (v @ x)))
    assert display.margins[1] - display.margins[0] == pytest.approx(x @ x)  # law 7
    assert "both lie in it" in display.subtitle


def test_steps_other_than_one() -> None:
    display = UpdateDisplay.from_vectors([2, 1], [-1, 1.5], -1, eta=0.5)
    assert display.after_.tolist() == [2.5, 0.25]
    assert display.added == "τ·y·x, τ = 0.5"


def test_a_start_at_zero_and_an_end_there() -> None:
    first = UpdateDisplay.from_run(learn(*datasets.get("xor"), offset=0, log=True), 1)
    first.figure_.canvas.draw()
    assert math.isnan(first.angles[0])
    assert "w = 0 has no direction yet" in first.subtitle
    names = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    assert names == ["boundary after", "w after", "y·x, added", "the row x"]  # no arrow of no length, none hidden
    assert "w + y·x = y·x" in {text.get_text() for text in first.ax_.texts}
    last = UpdateDisplay.from_run(learn(*datasets.get("xor"), offset=0, log=True), 4)
    last.figure_.canvas.draw()
    assert last.after_.tolist() == [0, 0]
    assert "it ends at 0" in last.subtitle
    for w, x in (([0, 0, 0], [0, 0, 0]), ([1, 0, 0], [-2, 0, 0]), ([0], [3]), ([0, 0, 0], [1, 2, 3])):
        UpdateDisplay.from_vectors(w, x, 1).figure_.canvas.draw()


@pytest.mark.parametrize("name", ["slow-steps", "least-squares-trap", "three-margins", "four-in-the-plane"])
def test_letters_stay_inside_and_degrees_off_the_arrows(name: str) -> None:
    sample = datasets.get(name)
    run = learn(*sample, **{**sample.plan, "log": True, "max_epochs": 3})
    for k in range(1, min(3, run.state.changes) + 1):
        display = UpdateDisplay.from_run(run, k)
        ax = display.ax_
        display.figure_.canvas.draw()
        frame, arrows = ax.get_window_extent(), [one for one in ax.lines if one.get_zorder() in (2.5, 3)]
        for text in ax.texts:
            if not text.get_text() or text.get_label() == "_subtitle":
                continue
            box = text.get_window_extent()
            assert frame.x0 <= box.x0 < box.x1 <= frame.x1, text.get_text()
            assert frame.y0 <= box.y0 < box.y1 <= frame.y1, text.get_text()
            if text.get_text().endswith("°"):
                for arrow in arrows:
                    ends = ax.transData.transform(np.column_stack(arrow.get_data()))
                    assert not box.count_contains(np.linspace(*ends, 200)), (k, text.get_text())


def test_a_batch_is_one_sum() -> None:
    sample = datasets.get("eight-in-the-plane")
    display = UpdateDisplay.from_run(learn(*sample, offset=0, batch_size="all", log=True))
    display.figure_.canvas.draw()
    assert display.after_.tolist() == [12, 14]  # twice (1 + 1 + 2 + 2, 1 + 3 + 1 + 2)
    assert "a batch of 8 updates" in display.title


@pytest.mark.parametrize("scale", [1e-150, 1e-6, 1e6, 1e150])
def test_any_size_of_numbers(scale: float) -> None:
    display = UpdateDisplay.from_vectors([scale, 0], [-scale, scale], 1)
    display.figure_.canvas.draw()
    assert display.angles == pytest.approx((135, 0 + 45))
    # (1, 0) + (−1, 1) = (0, 1) makes 45° with (−1, 1).


def test_names_where_and_what_is_refused() -> None:
    ax = Figure().subplots()
    display = UpdateDisplay.from_vectors([1, 0], [0, 1], 1, names=["a$b$", "x\n" * 300], ax=ax)
    assert display.ax_ is ax
    ax.figure.canvas.draw()
    assert ax.get_xlabel() == r"a\$b\$"
    run = learn(*datasets.get("four-in-the-plane"), offset=0, log=True)
    with pytest.raises(InputError, match="update"):
        UpdateDisplay.from_run(run, 4)
    with pytest.raises(InputError, match="no update"):
        UpdateDisplay.from_run(learn([[1.0]], [1], start=Hyperplane([1.0]), log=True))
    with pytest.raises(InputError, match="one length"):
        UpdateDisplay.from_vectors([1, 2], [1], 1)
    with pytest.raises(InputError, match="label y"):
        UpdateDisplay.from_vectors([1], [1], 2)
    examples = Examples.of(*datasets.classes(60, 3, 3))
    with pytest.raises(InputError, match="one-vs-rest"):
        UpdateDisplay.from_run(learn(examples, multiclass="direct", log=True))
    assert UpdateDisplay.from_run(learn(examples, log=True), output=2).y in (-1, 1)
