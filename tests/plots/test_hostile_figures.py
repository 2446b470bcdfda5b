"""Figures of names, labels and numbers that nobody hopes for: drawn, without a warning, as text."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rosenblatt import Examples, Hyperplane, InputError, learn, max_margin, separability
from rosenblatt.plots import SeparationDisplay
from rosenblatt.plots.separation.plane import plane_of_rows
from rosenblatt.plots.table import Table


def drawn(display: SeparationDisplay) -> bytes:
    """The figure as it is written: warnings are errors here."""
    out = io.BytesIO()
    display.figure_.savefig(out, format="png", dpi=40)
    return out.getvalue()


HOSTILE = ["$x^2$ \\frac{", "<b>bold</b>\nsecond", "x" * 300, "", "_hidden", "人口", "\x00\x1b[31m"]


@pytest.mark.parametrize(("name", "columns"), [*((name, 2) for name in HOSTILE), (HOSTILE[0], 1), (HOSTILE[2], 3)])
def test_names_and_labels_are_shown_as_text(name: str, columns: int) -> None:
    X = np.array([[0.0, 1, 2], [1, 0, 3], [4, 5, 1], [5, 4, 0]])[:, :columns]
    labels = [name, name, "other", "other"]
    examples = Examples.of(X, labels, feature_names=[name] * columns)
    display = SeparationDisplay.from_margin(max_margin(examples))
    assert len(drawn(display)) > 2000
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    own = next(text for text in texts if not text.startswith("other"))
    assert len(own) < 32
    assert "\n" not in own
    assert len(display.ax_.get_xlabel()) < 60


def test_dollars_are_not_mathematics() -> None:
    display = SeparationDisplay.from_run(learn(Examples.of([[0.0, 1], [1, 0]], ["$a$", "b"], ["$u$", "v"])))
    assert display.ax_.get_xlabel() == r"\$u\$"  # which matplotlib shows as $u$
    from matplotlib.cbook import is_math_text

    assert not is_math_text(display.ax_.get_xlabel())


DEGENERATE = {
    "one row": ([[1.0, 2.0]], [1]),
    "all equal": ([[3.0, 4.0]] * 5, [1, -1, 1, -1, 1]),
    "constant column": ([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [4.0, 7.0]], [-1, -1, 1, 1]),
    "huge": ([[1e150, 2e150], [-1e150, 1e150], [2e150, -1e150], [-2e150, -1e150]], [1, -1, 1, -1]),
    "tiny": ([[1e-150, 2e-150], [-1e-150, 1e-150], [2e-150, -1e-150]], [1, -1, 1]),
    "huge and tiny": ([[1e150, 1e-150], [-1e150, 2e-150], [2e150, -1e-150]], [1, -1, 1]),
    "far away": ([[1e12, 1e12], [1e12 + 1, 1e12], [1e12, 1e12 + 1]], [1, -1, 1]),
    "zeros": ([[0.0, 0.0], [0.0, 0.0]], [1, -1]),
}


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize("columns", [1, 2, 4])
def test_degenerate_rows_are_drawn(case: str, columns: int) -> None:
    rows, y = DEGENERATE[case]
    X = np.hstack([np.array(rows)[:, : min(columns, 2)], np.zeros((len(rows), max(columns - 2, 0)))])
    drawn(SeparationDisplay.from_run(learn(X, y, max_epochs=3)))
    drawn(SeparationDisplay.from_verdict(separability(X, y)))
    plane = Hyperplane([1e-3] * columns, 1e6)
    drawn(SeparationDisplay(Table.of(Examples.signed(X, y)), [plane], title="far: away").plot())
    if columns == 2 and len(set(y)) == 2:
        best = max_margin(X, y)
        display = SeparationDisplay.from_margin(best)
        if best.separable:
            ends = display.artists_["line"].get_xydata() * plane_of_rows(display.table, [best.hyperplane]).units
            assert_allclose(best.hyperplane.scores(ends) / best.hyperplane.norm, 0, atol=1e-9 * np.abs(X).max())


@pytest.mark.parametrize("scales", [(1e-300, 1e300), (5e-324, 1.0), (1.7e308, 1.7e308)])
def test_what_no_distance_can_be_told_of_is_refused_in_a_line(scales: tuple[float, float]) -> None:
    X = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]]) * scales
    with pytest.raises(InputError, match=r"cannot be drawn: rescale them first"):
        SeparationDisplay.from_verdict(separability(X, [1, -1, 1]))
