"""Diagrams: the edges are the weights, the lines those of the units, and what is left out is said."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from rosenblatt import Hyperplane, InputError, datasets, learn, network
from rosenblatt.plots import NetworkDisplay
from rosenblatt.plots.canvas import NEGATIVE, POSITIVE


def drawn_edges(ax: Any) -> list[tuple[tuple[float, ...], tuple[float, ...], Any, str]]:
    lines = [line for line in ax.lines if len(line.get_xdata()) == 2]
    return [(tuple(one.get_xdata()), tuple(one.get_ydata()), one.get_color(), one.get_linestyle()) for one in lines]


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("table", [[0, 1, 1, 0], [0, 0, 0, 1, 0, 1, 1, 1], [1, 0, 0, 1, 1, 0, 0, 0]])
@pytest.mark.parametrize("coding", ["01", "±1"])
def test_edges_are_the_weights(table: list[int], coding: str) -> None:
    net = network.from_truth_table(table, inputs=coding)
    display = NetworkDisplay.from_network(net)
    display.figure_.canvas.draw()
    found = np.zeros_like(net.hidden.weights)
    for i, j, weight in display.edges_:
        if j != "out":
            found[j, i] = weight
    np.testing.assert_array_equal(found, net.hidden.weights)
    assert [weight for _, j, weight in display.edges_ if j == "out"] == net.output.weights.tolist()
    # And so they are drawn: from the input's height to the unit's, in the colour and style of their sign.
    inputs = np.linspace(1, 0, net.n_inputs)
    h = len(net.implicants)
    units = np.linspace(1, 0, h) if h > 1 else [0.5]
    expected = [
        ((0, 1), (inputs[i], units[j]), POSITIVE if weight > 0 else NEGATIVE, "-" if weight > 0 else "--")
        for i, j, weight in display.edges_
        if j != "out"
    ]
    assert drawn_edges(display.ax_)[: len(expected)] == expected
    assert display.title == net.formula()
    assert display.ax_.get_title("left") == net.formula()


def test_offsets_stand_in_the_units() -> None:
    display = NetworkDisplay.from_network(network.from_truth_table([0, 0, 0, 1, 0, 1, 1, 1]))
    assert texts(display.ax_).count("−1.5") == 3
    assert texts(display.ax_).count("−0.5") == 1


def test_two_inputs_show_the_corners_and_the_lines() -> None:
    net = network.from_truth_table([0, 1, 1, 0])
    display = NetworkDisplay.from_network(net)
    diagram, square = display.axes_
    assert display.ax_ is diagram
    lines = {line.get_label(): np.column_stack(line.get_data()) for line in square.lines}
    assert lines["gives 1"].tolist() == [[0, 1], [1, 0]]
    assert lines["gives 0"].tolist() == [[0, 0], [1, 1]]
    for term, w, b in zip(("x1·¬x2", "¬x1·x2"), *net.hidden, strict=True):
        assert lines[term] @ w + b == pytest.approx([0, 0])
    assert len(NetworkDisplay.from_network(network.from_truth_table([0] * 7 + [1])).axes_) == 1


@pytest.mark.parametrize("table", [[0, 0], [1, 1], [0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])
def test_constants_and_single_inputs(table: list[int]) -> None:
    net = network.from_truth_table(table)
    display = NetworkDisplay.from_network(net)
    display.figure_.canvas.draw()
    assert len([edge for edge in display.edges_ if edge[1] == "out"]) == len(net.implicants)
    assert display.ax_.get_title("left") == net.formula()


def test_many_units_are_thinned_and_that_is_said() -> None:
    display = NetworkDisplay.from_network(network.from_function(lambda *bits: sum(bits) % 2, 7))
    display.figure_.canvas.draw()
    said = " ".join(texts(display.ax_))
    assert "64 AND units" in said
    assert "14 of them drawn" in said
    assert "50 more" in said
    assert len({j for _, j, _ in display.edges_ if j != "out"}) == 14


def test_the_neuron() -> None:
    plane = Hyperplane([1.5, -2.0], 0.25, classes=("no", "yes"))
    display = NetworkDisplay.from_hyperplane(plane, names=["height", "cost $"])
    display.figure_.canvas.draw()
    assert display.edges_ == [(0, "sum", 1.5), (1, "sum", -2.0), ("b", "sum", 0.25)]
    said = texts(display.ax_)
    assert {"+1.5", "−2", "+0.25", "s > 0: yes", "s ≤ 0: no", "height", r"cost \$"} <= set(said)
    edges = drawn_edges(display.ax_)[:3]
    assert [(colour, style) for _, _, colour, style in edges] == [(POSITIVE, "-"), (NEGATIVE, "--"), (POSITIVE, "-")]


def test_weights_beside_their_inputs_stay_apart() -> None:
    display = NetworkDisplay.from_hyperplane(Hyperplane(np.linspace(-1.234, 2.345, 12), 0.5))
    display.figure_.canvas.draw()
    assert {"x0", "x11", "1 (offset b)"} <= set(texts(display.ax_))
    boxes = [text.get_window_extent() for text in display.ax_.texts if text.get_text() and text.get_visible()]
    for k, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[k + 1 :])


def test_a_neuron_of_many_inputs_shows_the_largest_weights() -> None:
    plane = learn(*datasets.separable(200, 30)).hyperplane
    display = NetworkDisplay.from_hyperplane(plane)
    display.figure_.canvas.draw()
    shown = [j for j, _, _ in display.edges_ if j != "b"]
    assert sorted(shown) == sorted(np.argsort(-np.abs(plane.w), kind="stable")[:12].tolist())
    assert "of 30 weights the 12 largest, 18 left out" in " ".join(texts(display.ax_))


def test_names_where_and_what_is_refused() -> None:
    net = network.from_truth_table([0, 1, 1, 0])
    ax = Figure().subplots()
    display = NetworkDisplay.from_network(net, names=["a$b$", "<\n" + "x" * 300], ax=ax)
    assert display.ax_ is ax
    assert len(display.axes_) == 1
    ax.figure.canvas.draw()
    assert "\n" not in display.title
    both = Figure().subplots(1, 2)
    assert list(display.plot(both).axes_) == list(both)
    with pytest.raises(InputError, match="an array of 1"):
        NetworkDisplay.from_network(network.from_truth_table([0] * 7 + [1]), ax=both)
    for size in (1e-150, 1e150):
        NetworkDisplay.from_hyperplane(Hyperplane([size, -size], size)).figure_.canvas.draw()
    with pytest.raises(InputError, match="1 name for 2 inputs"):
        NetworkDisplay.from_network(net, names=["a"])
    with pytest.raises(InputError, match="Network"):
        NetworkDisplay.from_network("xor")  # type: ignore[arg-type]
