"""Loss surfaces: what is drawn is what the definitions give at every point, and the path is the run's."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from rosenblatt import Examples, InputError, datasets, learn
from rosenblatt.plots import LossDisplay
from rosenblatt.plots.course.cone import Cone
from rosenblatt.plots.course.loss_levels import levels_of
from rosenblatt.plots.course.loss_surface import loss_surface, side_of
from rosenblatt.plots.course.weight_path import plane_of, weight_path


def brute_force(X: Any, y: Any, w: Any, b: float) -> tuple[float, float, float]:
    margins = [label * (sum(p * q for p, q in zip(x, w, strict=True)) + b) for x, label in zip(X, y, strict=True)]
    wrong = [m for m in margins if m <= 0]
    return len(wrong), -sum(wrong), sum((1 - m) ** 2 for m in margins)


def run_of(name: str, **more: Any) -> Any:
    sample = datasets.get(name)
    return learn(*sample, **{**sample.plan, "log": True, "max_epochs": 50, **more})


@pytest.mark.parametrize("name", ["four-in-the-plane", "four-on-a-line", "low-margin", "xor"])
def test_surfaces_are_the_losses(name: str) -> None:
    sample = datasets.get(name)
    display = LossDisplay.from_run(run_of(name), loss="all")
    surface, plane = display.surface, display.plane
    rng = np.random.default_rng(1)
    for i, j in rng.integers(0, surface.mistakes.shape[0], (60, 2)):
        v = plane.weights(*(c[i, j] for c in surface.coordinates))
        mistakes, perceptron, squared = brute_force(sample.X.tolist(), sample.y.tolist(), v[:-1], v[-1])
        assert surface.mistakes[i, j] == mistakes
        assert surface.perceptron_loss[i, j] == pytest.approx(perceptron, abs=1e-12)
        assert surface.squared_loss[i, j] == pytest.approx(squared)


@pytest.mark.parametrize("choices", [{}, {"batch_size": 2}, {"offset": "radius"}, {"rule": "delta", "eta": 0.01}])
@pytest.mark.parametrize("name", ["four-in-the-plane", "four-on-a-line", "one-example"])
def test_the_path_is_the_trajectory(name: str, choices: dict[str, Any]) -> None:
    path = run_of(name, **choices).trajectory()
    points, changes = weight_path(path)
    assert changes.tolist() == list(range(path.n_changes + 1))
    for change, point in enumerate(points):
        W, b = path.weights(change)
        np.testing.assert_array_equal(point, [*W[:, 0], b[0]])


def test_path_points_are_drawn_where_the_weights_were() -> None:
    display = LossDisplay.from_run(run_of("four-in-the-plane"), loss="all")
    display.figure_.canvas.draw()
    for line in display.paths_:
        assert np.column_stack(line.get_data()).tolist() == [[0, 0], [4, 0], [3, -1], [1, -3]]
    assert [ax.get_xlabel() for ax in display.axes_] == ["w0"] * 3
    assert all(ax.get_aspect() == 1 for ax in display.axes_)


def test_of_many_weights_a_plane_through_start_and_end_is_drawn() -> None:
    sample = datasets.separable(200, 20)
    run = learn(*sample, log=True)
    path = run.trajectory()
    plane = plane_of(path)
    points, _ = weight_path(path)
    np.testing.assert_allclose(plane.weights(*plane.path[0]), points[0], atol=1e-12)
    np.testing.assert_allclose(plane.weights(*plane.path[-1]), points[-1], atol=1e-12)
    np.testing.assert_allclose(plane.directions @ plane.directions.T, np.eye(2), atol=1e-9)  # ρ = 1
    # No other second direction shows more: the leading singular vector of what is left says so.
    moved = points - points[0]
    first = moved[-1] / np.linalg.norm(moved[-1])
    across = moved - np.outer(moved @ first, first)
    best = np.linalg.svd(across)[1][0] ** 2 + np.square(moved @ first).sum()
    assert plane.share == pytest.approx(best / np.square(moved).sum(), rel=1e-6)
    display = LossDisplay.from_run(run)
    assert f"of 21 weights, a plane that shows {100 * plane.share:.0f} % of how they moved" in display.subtitle
    surface, i, j = display.surface, 40, 70
    v = display.plane.weights(*(c[i, j] for c in surface.coordinates))
    found = surface.mistakes[i, j], surface.perceptron_loss[i, j], surface.squared_loss[i, j]
    assert found == pytest.approx(brute_force(sample.X, sample.y, v[:-1], v[-1]))


def test_least_squares_are_marked_where_they_are() -> None:
    run = run_of("least-squares-trap", max_epochs=2000)
    display = LossDisplay.from_run(run, loss="squared")
    (star,) = (line for line in display.ax_.lines if line.get_label() == "least squares")
    assert [float(part[0]) for part in star.get_data()] == pytest.approx([20 / 43, -5 / 43])
    sample = datasets.get("least-squares-trap")
    assert (sample.y * (sample.X[:, 0] * 20 / 43 - 5 / 43)).min() < 0  # outside the cone of solutions
    many = LossDisplay.from_run(learn(*datasets.separable(60, 5), log=True), loss="squared")
    assert "least squares" not in {line.get_label() for line in many.ax_.lines}  # least in this plane at most


def inside(corners: Any, points: Any) -> Any:
    """Whether points lie in a convex polygon: on the same side of every edge."""
    if not len(corners):
        return np.zeros(len(points), dtype=bool)
    edges = np.roll(corners, -1, axis=0) - corners
    away = points[:, None] - corners
    turns = edges[:, 0] * away[:, :, 1] - edges[:, 1] * away[:, :, 0]
    return np.all(turns > 0, axis=1) | np.all(turns < 0, axis=1)


def test_the_cone_of_solutions_is_that_of_all_rows() -> None:
    rng = np.random.default_rng(2)
    for n in (2, 3, 300):
        sample = datasets.separable(n, 2)
        surface = LossDisplay.from_run(learn(*sample, log=True, offset=0)).surface
        points = np.column_stack([rng.uniform(c.min(), c.max(), 2000) for c in surface.coordinates])
        exact = (sample.y * (points @ sample.X.T)).min(axis=1) > 0
        np.testing.assert_array_equal(inside(surface.cone, points), exact)


def test_a_cone_of_any_half_planes() -> None:
    """Brute force: of random rows in random frames, with and without a common point."""
    rng = np.random.default_rng(3)
    found = 0
    for trial in range(60):
        rows = rng.normal(size=(rng.integers(1, 9), 3)) + np.array([trial % 3, 0, 0])
        low = rng.normal(size=2)
        cone = Cone(low, low + rng.uniform(0.1, 3, 2))
        points = low + rng.uniform(0, 1, (500, 2)) * (cone.corners.max(axis=0) - low)
        for part in np.array_split(rows, 2):  # as chunks come
            cone.cut(part)
        exact = (rows[:, :1] + rows[:, 1:] @ points.T).min(axis=0) > 0
        found += exact.any()
        np.testing.assert_array_equal(inside(cone.corners, points), exact)
    assert 10 < found < 60


@pytest.mark.parametrize("thin", [1e-2, 1e-3, 1e-5])
def test_a_thin_cone_is_drawn(thin: float) -> None:
    run = learn([[1, thin], [-1, thin]], [1, 1], log=True, offset=0)
    assert run.status.name == "clean"
    display = LossDisplay.from_run(run)
    assert "every row right" in {line.get_label() for line in display.ax_.lines}
    corners = display.surface.cone
    height = corners[:, 1].max()
    assert np.ptp(corners[:, 0]) == pytest.approx(2 * thin * height, rel=1e-3)  # |w0| < thin·w1
    assert corners.min(axis=0)[1] == pytest.approx(0, abs=1e-3 * height)


def test_where_no_weights_are_right_there_is_no_cone() -> None:
    for X, y in (([[1, 1], [1, 1]], [1, -1]), ([[0, 0], [1, 1]], [1, 1]), datasets.get("xor")):
        display = LossDisplay.from_run(learn(X, y, log=True, offset=0, max_epochs=5))
        assert not len(display.surface.cone)
        assert "every row right" not in {line.get_label() for line in display.ax_.lines}


def test_levels_are_round_and_a_constant_loss_is_said() -> None:
    assert levels_of(np.array([0.0, 5.0]), "zero-one")[1].tolist() == [0, 1, 2, 3, 4, 5]
    assert levels_of(np.array([0.0, 8.4]), "perceptron")[2]
    levels, _, even = levels_of(np.array([0.0, 90.0]), "squared")
    assert not even
    assert levels.tolist() == [0, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
    flat = LossDisplay.from_run(run_of("never-repeats", offset=0), loss="zero-one").ax_
    assert flat.texts[0].get_text().replace("\n", " ").endswith("the loss is 1 everywhere here")
    assert flat.get_ylim() == (0, 2)
    xor = LossDisplay.from_run(run_of("xor"), loss="all")
    assert [text.get_text() for text in xor.axes_[1].texts if text.get_label() == "_subtitle"] == [
        "the loss is 2 everywhere here"
    ]
    assert [text.get_text() for text in xor.axes_[0].texts if text.get_label() == "_subtitle"] == []
    assert xor.figure_.get_suptitle() == "perceptron, 4 changes of the weights"


def test_one_weight_is_a_curve() -> None:
    display = LossDisplay.from_run(run_of("never-repeats"), loss="zero-one")
    display.figure_.canvas.draw()
    assert display.plane.names == ("w",)
    assert "mistakes" in display.ax_.get_title("left")


def test_of_one_vs_rest_one_output() -> None:
    sample = datasets.classes(60, 3, 3)
    examples = Examples.of(sample.X[:, :2], sample.y)
    run = learn(examples, log=True, max_epochs=3, offset=0)
    display = LossDisplay.from_run(run, output=1)
    surface, i, j = display.surface, 10, 20
    v = display.plane.weights(*(c[i, j] for c in surface.coordinates))
    y = np.where(sample.y == 1, 1, -1)
    assert surface.mistakes[i, j] == brute_force(sample.X[:, :2], y, v[:-1], v[-1])[0]
    direct = learn(examples, log=True, max_epochs=3, multiclass="direct")
    with pytest.raises(InputError, match="one-vs-rest"):
        LossDisplay.from_run(direct)


def test_many_and_no_updates_and_huge_numbers() -> None:
    noisy = datasets.noisy(2000, 2)
    run = learn(*noisy, log=True, offset=0, max_epochs=100)
    assert run.updates > 20_000
    display = LossDisplay.from_run(run)
    assert display.paths_[0].get_xdata().size <= 2_000
    LossDisplay.from_run(learn([[1.0, 2.0]], [1], start=([1.0, 0.0], 0.0), offset=0, log=True)).figure_.canvas.draw()
    for scale in (1e-150, 1e-60, 1e60, 1e150):
        huge = learn([[scale, 0.0], [scale, scale]], [1, -1], log=True, offset=0, max_epochs=3)
        LossDisplay.from_run(huge, loss="all").figure_.canvas.draw()
    assert side_of(10**6) ** 2 * 10**6 < 2e9


def test_names_where_and_what_is_refused() -> None:
    examples = Examples.of([[4, 0], [1, 1]], [1, 0], feature_names=["cost $", "a\nb" + "x" * 300])
    run = learn(examples, log=True, offset=0)
    ax = Figure().subplots()
    display = LossDisplay.from_run(run, ax=ax)
    assert display.ax_ is ax
    ax.figure.canvas.draw()
    assert ax.get_xlabel() == r"weight of cost \$"
    assert len(ax.get_ylabel()) < 50
    assert len(LossDisplay.from_run(run, loss="all", ax=Figure().subplots(1, 3)).axes_) == 3
    with pytest.raises(InputError, match="loss"):
        LossDisplay.from_run(run, loss="hinge")
    with pytest.raises(InputError, match="an array of 3"):
        LossDisplay.from_run(run, loss="all", ax=ax)
    with pytest.raises(InputError, match="log=True"):
        LossDisplay.from_run(learn([[1, 2]], [1]))


def test_a_surface_is_the_same_in_any_shape() -> None:
    run = run_of("four-in-the-plane")
    plane = plane_of(run.trajectory())
    grid = np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-2, 2, 7))
    whole, flat = (loss_surface(run.source, None, plane, *c) for c in (grid, [c.ravel() for c in grid]))
    np.testing.assert_array_equal(whole.squared_loss.ravel(), flat.squared_loss)
