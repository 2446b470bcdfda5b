"""Figures of a run on scaled rows: what is drawn among the rows is in their units, what is of the way says `scaled`."""

import numpy as np
import pytest

from rosenblatt import Run, learn
from rosenblatt.plots.course.animation import frames_of
from rosenblatt.plots.course.loss import LossDisplay
from rosenblatt.plots.course.scene import Scene
from rosenblatt.plots.course.update import UpdateDisplay
from rosenblatt.plots.margins import MarginDistributionDisplay
from rosenblatt.plots.separation.path import weights_of


@pytest.fixture
def run() -> Run:
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(60, 2))
    return learn(Z * [100, 0.1] + [500, 1], np.where(Z.sum(axis=1) > 0.3, 1, -1), scale="standard", log=True)


def test_lines_among_the_rows_are_folded(run: Run) -> None:
    points, _, changes = weights_of(run)
    assert changes == run.state.changes
    assert points[-1] == pytest.approx([*run.hyperplane.w, run.hyperplane.b], rel=1e-12)
    shown = MarginDistributionDisplay.from_run(run)
    first, last = shown.margins_.values()
    X, y = run.examples.rows.arrays[0], run.examples.labels
    assert np.allclose(last, run.hyperplane.geometric_margins(X, y))
    W, b = run.trajectory().weights(int(np.searchsorted(run.trajectory().births, 60, side="right")) - 1)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    w = W[:, 0] / X.std(axis=0)
    assert np.allclose(first, y * (Z @ W[:, 0] + b) / np.linalg.norm(w))


def test_what_is_of_the_way_is_of_the_scaled_rows(run: Run) -> None:
    loss = LossDisplay.from_run(run)
    assert "on the scaled rows" in loss.subtitle
    update = UpdateDisplay.from_run(run)
    assert update.title.endswith(", scaled")
    scene = Scene(run, frames_of(run, 5))
    assert "scaled" in scene.ax.get_xlabel()
    assert np.abs(scene._rows(np.arange(60))).max() < 4
