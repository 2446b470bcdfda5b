"""Several displays in one figure: each keeps to its cell, and all call things by the same names."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt

from rosenblatt import Examples, datasets, learn, max_margin, separability
from rosenblatt.plots import MarginDistributionDisplay, ReadoutsDisplay, SeparationDisplay, WeightsDisplay
from rosenblatt.plots.lettering import class_name, column_name


def four_displays(axes: Any) -> None:
    cancer = datasets.get("breast-cancer").examples()
    run = learn(cancer, max_epochs=3, readout="averaged", log=True)
    SeparationDisplay.from_run(run, ax=axes[0, 0])
    MarginDistributionDisplay.from_run(run, ax=axes[0, 1])
    WeightsDisplay(run.hyperplane.w[:, None], ("benign", "malignant"), cancer.feature_names, most=9).plot(axes[1, 0])
    SeparationDisplay.from_verdict(separability(*datasets.get("xor")), ax=axes[1, 1])


@pytest.mark.parametrize("size", [(6.4, 4.8), (10, 8)])
@pytest.mark.parametrize("layout", ["none", "constrained"])
def test_four_displays_keep_to_their_cells(size: tuple[float, float], layout: str) -> None:
    figure, axes = plt.subplots(2, 2, figsize=size, layout=layout)
    four_displays(axes)
    figure.canvas.draw()
    boxes = [ax.get_tightbbox() for ax in axes.ravel()]
    for one, other in combinations(boxes, 2):
        assert min(one.x1, other.x1) <= max(one.x0, other.x0) or min(one.y1, other.y1) <= max(one.y0, other.y0)
    for ax, box in zip(axes.ravel(), boxes, strict=True):
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
        legend, own = ax.get_legend().get_window_extent(), ax.get_window_extent()
        inside = own.x0 <= legend.x0 and legend.x1 <= own.x1 and own.y0 <= legend.y0 and legend.y1 <= own.y1
        assert inside == (layout == "none" or size == (6.4, 4.8))  # beside small axes there is no room, either


def test_axes_of_no_grid_stay_where_they_are() -> None:
    figure = plt.figure()
    ax = figure.add_axes((0.2, 0.2, 0.5, 0.5))
    SeparationDisplay.from_margin(max_margin(*datasets.get("four-in-the-plane")), ax=ax)
    assert ax.get_position(original=True).bounds == pytest.approx((0.2, 0.2, 0.5, 0.5))


def test_columns_have_the_same_names_everywhere() -> None:
    sample = datasets.get("eight-in-the-plane")
    for names in (None, ("age", "$size$")):
        said = [column_name(names, j) for j in range(2)]
        assert said == (["x0", "x1"] if names is None else ["age", r"\$size\$"])
        run = learn(Examples.of(sample.X, sample.y, names), readout=("last", "averaged", "voted"))
        for display in (SeparationDisplay.from_run(run), ReadoutsDisplay.from_run(run)):
            assert [display.ax_.get_xlabel(), display.ax_.get_ylabel()] == said
        weights = WeightsDisplay(run.hyperplane.w[:, None], (-1, 1), names).plot()
        assert sorted(text.get_text() for text in weights.ax_.get_yticklabels()) == sorted(said)


@pytest.mark.parametrize(("labels", "said"), [((-1, 1), ["−1", "+1"]), ((0, 1), ["0", "1"]), ((1, 2), ["1", "2"])])
def test_classes_have_the_same_names_everywhere(labels: tuple[int, int], said: list[str]) -> None:
    assert [class_name(code, labels) for code in (0, 1)] == said
    sample = datasets.get("eight-in-the-plane")
    y = np.where(sample.y > 0, labels[1], labels[0])
    run = learn(Examples.of(sample.X, y))
    texts = SeparationDisplay.from_run(run).ax_.get_legend().get_texts()
    assert [text.get_text().partition(" (")[0] for text in texts[:2]] == said
    weights = WeightsDisplay(run.hyperplane.w[:, None], labels).plot()
    assert {text.get_text() for text in weights.ax_.get_legend().get_texts()} == {f"for {name}" for name in said}


def test_weights_are_titled_before_they_are_drawn_and_drawn_twice() -> None:
    display = WeightsDisplay(np.array([[2.0], [0.0], [-3e9], [1.0]]), ("no", "yes"), most=2)
    assert display.title == "Weights: 3 of 4 columns; the 2 largest"
    _, (left, right) = plt.subplots(1, 2)
    assert display.plot(ax=left).ax_ is left
    assert display.plot(ax=right).ax_ is right
    assert [bar.get_width() for bar in right.patches] == [bar.get_width() for bar in left.patches] == [-3, 2e-9]
    assert right.get_xlabel() == "weight  [1e9]"
