"""Mistakes per epoch: what is drawn is the history."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

from rosenblatt import datasets, learn
from rosenblatt.plots import MistakesDisplay
from rosenblatt.plots.canvas import display_name
from rosenblatt.plots.curves import divided, power_of, thinned
from rosenblatt.runs.history import History


def history_of(mistakes: list[int]) -> History:
    n = len(mistakes)
    counts, floats = np.array(mistakes, dtype=np.int64), np.zeros(n)
    return History(np.arange(1, n + 1), counts, counts, floats, floats, floats, floats, floats)


def drawn(display: MistakesDisplay) -> MistakesDisplay:
    display.figure_.canvas.draw()
    return display


def test_importing_the_figures_imports_no_matplotlib() -> None:
    code = "import sys, rosenblatt.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_bars_are_the_mistakes() -> None:
    run = learn(*datasets.get("four-on-a-line"))
    display = drawn(MistakesDisplay.from_run(run))
    assert [bar.get_height() for bar in display.bars_] == run.history.mistakes.tolist()
    assert [bar.get_x() + bar.get_width() / 2 for bar in display.bars_] == pytest.approx(range(1, 12))
    assert display.total_line_.get_ydata()[-1] == 25
    assert (display.clean_.get_xdata()[0], display.clean_.get_ydata()[0]) == (11, 0)
    assert display.subtitle == "clean: epoch 11 made no update; 25 updates in all"


def updates_by_hand(epochs: int) -> int:
    """The perceptron on x = 1 + and x = √2 −, through the origin."""
    w, found = 0.0, 0
    for z in (1.0, -np.sqrt(2)) * epochs:
        if w * z <= 0:
            w, found = w + z, found + 1
    return found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "xor",
            "loop: the weights after epoch 1 are those at the start, so the run repeats for ever; 4 updates in all",
        ),
        ("never-repeats", f"budget: 30 epochs spent; {updates_by_hand(30)} updates in all"),
    ],
)
def test_how_it_ended_is_said(name: str, said: str) -> None:
    display = drawn(MistakesDisplay.from_run(learn(*datasets.get(name), offset=0, max_epochs=30)))
    assert display.subtitle == said
    assert display.clean_ is None


def test_many_epochs_are_a_line_that_keeps_its_peaks() -> None:
    mistakes = np.full(100_000, 7)
    mistakes[[12_345, 77_777]] = 400, 1
    display = drawn(MistakesDisplay.from_history(history_of(mistakes.tolist())))
    x, y = display.line_.get_data()
    assert display.bars_ is None
    assert x.size <= 2_000
    assert y.max() == 400
    assert y.min() == 1
    assert x[y.argmax()] == 12_346
    assert (x[0], x[-1]) == (1, 100_000)


def test_decades_take_a_log_scale_and_say_so() -> None:
    display = drawn(MistakesDisplay.from_history(history_of([5000, 300, 20, 1, 0])))
    assert display.ax_.get_yscale() == "symlog"
    assert "log scale" in display.ax_.get_ylabel()
    assert display.clean_ is not None
    plain_one = drawn(MistakesDisplay.from_history(history_of([50, 20, 1])))
    assert plain_one.ax_.get_yscale() == "linear"


def test_no_epoch_is_said() -> None:
    display = drawn(MistakesDisplay.from_history(history_of([])))
    assert "no epoch was finished" in [text.get_text() for text in display.ax_.texts]


def test_it_draws_where_it_is_told() -> None:
    ax = Figure().subplots()
    display = MistakesDisplay.from_history(history_of([1]), ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure


def test_it_may_be_drawn_again() -> None:
    display = MistakesDisplay(np.arange(1, 5), np.array([3, 2, 1, 0]))
    assert (display.ax_, display.figure_, display.bars_) == (None, None, None)
    one, other = Figure().subplots(1, 2)
    assert display.plot(one) is display
    assert display.plot(other).ax_ is other
    assert len(one.figure.axes) == 4  # each with the axis at its right
    display.plot(other)
    assert len(one.figure.axes) == 4


def test_outputs_are_summed_and_that_is_said() -> None:
    from rosenblatt import Examples

    run = learn(Examples.of(*datasets.classes(60, 3, 3)), max_epochs=3)
    assert "3 outputs summed" in MistakesDisplay.from_run(run).ax_.get_ylabel()


# --- What the figures share. ---


def test_thinning_keeps_every_extreme() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.normal(size=50_000), rng.normal(size=50_000)
    one[777], two[31_000] = 99, -99
    at = thinned(one, two)
    assert at.size <= 2_000
    assert {0, 777, 31_000, 49_999} <= set(at.tolist())
    assert thinned(np.full(5_000, np.nan)).size <= 2_000


def test_huge_and_tiny_numbers_are_divided() -> None:
    assert power_of([3e150]) == 150
    assert divided([3e150], 150) == pytest.approx([3.0])
    assert divided([2e-300], power_of([2e-300])) == pytest.approx([2.0])
    assert power_of([np.inf, np.nan, 1.0]) == 0


@pytest.mark.parametrize("name", ["a$b$c", "<b>&amp;", "two\nlines\x1b[31m", "x" * 300, "漢字", "\\$"])
def test_names_are_text(name: str) -> None:
    fig = Figure()
    text = fig.text(0, 0, display_name(name))
    fig.canvas.draw()
    kind = text._preprocess_math(text.get_text())
    assert kind[1] is False
    assert "\n" not in kind[0]
    assert len(kind[0]) <= 28
