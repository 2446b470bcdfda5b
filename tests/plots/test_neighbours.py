"""Figures beside each other without a layout: none leaves its own cell of the grid."""

from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from rosenblatt import Hyperplane, datasets, learn, max_margin, network
from rosenblatt.plots import LossDisplay, MistakesDisplay, NetworkDisplay, TheoremDisplay, UpdateDisplay
from rosenblatt.plots.lettering import head
from rosenblatt.plots.placing import fit


def line_run() -> Any:
    return learn(*datasets.get("four-on-a-line"), log=True)


def draw(name: str, ax: Any) -> Any:
    """The figure of this name."""
    run = line_run()
    if name == "theorem":
        return TheoremDisplay.from_run(run, max_margin(*datasets.get("four-on-a-line"), offset=1), ax=ax, panel="norm")
    if name == "network":
        return NetworkDisplay.from_network(network.from_truth_table([0, 1, 1, 0]), ax=ax)
    if name == "neuron":
        return NetworkDisplay.from_hyperplane(Hyperplane([1.0, -2.0], 0.5), ax=ax)
    return {"loss": LossDisplay, "mistakes": MistakesDisplay, "update": UpdateDisplay}[name].from_run(run, ax=ax)


def extents(figure: Any, axes: Any) -> list[Any]:
    """The boxes of all that belongs to each axes, with the axes that share its place."""
    figure.canvas.draw()
    found = []
    for ax in axes.ravel():
        place = ax.get_position(original=True).bounds
        group = [one for one in figure.axes if one.get_position(original=True).bounds == place]
        boxes = [one.get_tightbbox() for one in group]
        found.append(boxes[0].union(boxes))
    return found


@pytest.mark.parametrize("size", [(6.4, 4.8), (12, 9)])
@pytest.mark.parametrize(
    "names", [("loss", "update", "mistakes", "theorem"), ("network", "loss", "neuron", "mistakes")]
)
def test_neighbours_do_not_overlap(names: tuple[str, ...], size: tuple[float, float]) -> None:
    figure, axes = plt.subplots(2, 2, figsize=size)
    for name, ax in zip(names, axes.ravel(), strict=True):
        draw(name, ax)
    boxes = extents(figure, axes)
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1


def test_all_four_panels_keep_to_their_axes() -> None:
    figure, axes = plt.subplots(2, 2, figsize=(9, 7))
    best = max_margin(*datasets.get("four-on-a-line"), offset=1)
    assert TheoremDisplay.from_run(line_run(), best, ax=axes).axes_.tolist() == axes.ravel().tolist()
    for one, other in combinations(extents(figure, axes), 2):
        assert not one.overlaps(other)


def test_axes_that_have_room_or_no_cell_stay() -> None:
    bare = Figure().subplots()
    before = bare.get_position().bounds
    fit(bare)
    assert bare.get_position().bounds == pytest.approx(before)
    free = Figure().add_axes((0.3, 0.3, 0.3, 0.3))
    head(free, "A long title that is broken into several lines", "and a line below")
    fit(free)
    assert free.get_position().bounds == pytest.approx((0.3, 0.3, 0.3, 0.3))


def test_a_layout_that_comes_later_still_works() -> None:
    figure, axes = plt.subplots(2, 2, figsize=(9, 7))
    draw("mistakes", axes[0, 0])
    smaller = axes[0, 0].get_position().bounds
    figure.tight_layout()
    assert not np.allclose(axes[0, 0].get_position().bounds, smaller)
    figure.canvas.draw()
