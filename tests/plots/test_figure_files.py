"""Figures as files: the same bytes each time, text as text, in three formats."""

from pathlib import Path

import numpy as np
import pytest

from rosenblatt import InputError, Perceptron, datasets, max_margin
from rosenblatt.plots import SeparationDisplay, WeightsDisplay
from rosenblatt.plots.files import figure_bytes, format_of, write_figure


def figure() -> object:
    return SeparationDisplay.from_margin(max_margin(*datasets.get("low-margin"))).figure_


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_the_same_figure_gives_the_same_bytes(format: str) -> None:
    one, other = figure_bytes(figure(), format), figure_bytes(figure(), format)
    assert one == other
    assert one.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[format])
    assert len(one) < 100_000
    if format == "svg":
        assert b"<dc:date>" not in one
        assert b">holds the margin (3)</text>" in one


def test_the_name_says_the_format(tmp_path: Path) -> None:
    assert write_figure(figure(), tmp_path / "a.PDF") == "pdf"
    assert [path.name for path in tmp_path.iterdir()] == ["a.PDF"]
    for name in ("a.jpg", "png", "a.svg.gz"):
        with pytest.raises(InputError, match=r"ends in \.png, \.svg or \.pdf"):
            format_of(name)


def test_the_largest_weights_are_on_top() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 30))
    model = Perceptron().fit(X, X[:, 3] - 2 * X[:, 7] > 0)
    display = WeightsDisplay.from_estimator(model)
    w = model.coef_[0]
    assert display.columns_.tolist() == np.argsort(-np.abs(w), kind="stable")[:20].tolist()
    assert [bar.get_width() for bar in display.bars_[0]] == w[display.columns_].tolist()
    assert display.title == "Weights: 30 of 30 columns; the 20 largest"
    with pytest.raises(InputError, match="a vote has no weights"):
        WeightsDisplay.from_estimator(Perceptron(readout="voted").fit(X, X[:, 3] > 0))


def test_weights_of_classes_and_of_nothing() -> None:
    X = np.repeat(np.eye(4), 5, axis=0)
    model = Perceptron().fit(X, X.argmax(axis=1))
    display = WeightsDisplay.from_estimator(model)
    assert len(display.bars_) == 4
    nothing = WeightsDisplay(np.zeros((3, 1)), ("no", "yes")).plot()
    assert nothing.title.startswith("All weights are 0")
    figure_bytes(nothing.figure_, "png")
