"""Scores, margins and predictions of a hyperplane, against plain NumPy and the geometry itself."""

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Hyperplane, InputError

RNG = np.random.default_rng(4)
X = RNG.normal(size=(50, 6))
Y = np.where(RNG.random(50) < 0.5, 1, -1)
PLANE = Hyperplane(RNG.normal(size=6), 0.3)


def test_scikit_learns_shapes_are_taken() -> None:
    plane = Hyperplane(np.array([[1.0, -1.0]]), np.array([1.0]))
    assert (plane.w.tolist(), plane.b) == ([1, -1], 1)
    with pytest.raises(InputError, match="one finite weight for each feature"):
        Hyperplane(np.eye(2), 1.0)


def test_scores_are_w_x_plus_b() -> None:
    np.testing.assert_allclose(PLANE.scores(X), X @ PLANE.w + PLANE.b, rtol=1e-12)
    np.testing.assert_allclose(PLANE.scores(sp.csr_array(X)), X @ PLANE.w + PLANE.b, rtol=1e-12)


def test_functional_and_geometric_margins_differ_by_the_norm() -> None:
    functional = PLANE.functional_margins(X, Y)
    np.testing.assert_allclose(functional, Y * (X @ PLANE.w + PLANE.b), rtol=1e-12)
    np.testing.assert_allclose(PLANE.geometric_margins(X, Y), functional / np.linalg.norm(PLANE.w), rtol=1e-12)
    assert PLANE.margin(X, Y) == PLANE.geometric_margins(X, Y).min()
    assert PLANE.unsigned_margin(X) == np.abs(PLANE.geometric_margins(X, Y)).min()


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, np.ndarray.tolist])
def test_the_projection_lies_on_the_hyperplane_at_the_geometric_distance(form: object) -> None:
    foot = PLANE.project(form(X))  # type: ignore[operator]
    np.testing.assert_allclose(PLANE.scores(foot), 0, atol=1e-12)
    np.testing.assert_allclose(
        np.linalg.norm(X - foot, axis=1), np.abs(PLANE.geometric_margins(X, Y)), rtol=1e-10, atol=1e-12
    )


def test_a_score_of_zero_is_negative() -> None:
    assert Hyperplane([1.0, 0.0]).predict([[0.0, 5.0], [1e-9, 0.0]]).tolist() == [-1, 1]


def test_scaling_a_hyperplane_scales_scores_but_no_distance() -> None:
    double = Hyperplane(2 * PLANE.w, 2 * PLANE.b)
    assert np.array_equal(double.scores(X), 2 * PLANE.scores(X))
    assert double.margin(X, Y) == PLANE.margin(X, Y)


def test_huge_and_tiny_weights_have_distances_too() -> None:
    for scale in (1e-200, 1e200):
        assert Hyperplane([scale, 0.0]).margin([[2.0, 1.0]], [1]) == pytest.approx(2.0)


def test_what_is_no_hyperplane_is_refused() -> None:
    for w, b in (([np.nan], 0.0), ([], 0.0), ([[1.0], [2.0]], 0.0), ([1.0], np.inf)):
        with pytest.raises(InputError):
            Hyperplane(w, b)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="w = 0"):
        Hyperplane([0.0], 1.0).margin([[1.0]], [1])
    with pytest.raises(InputError, match="rows have 2 features, the weights 6"):
        PLANE.scores([[1.0, 2.0]])


def test_a_hyperplane_cannot_be_changed_and_keeps_its_own_weights() -> None:
    w = np.array([1.0, 2.0])
    plane = Hyperplane(w)
    w[0] = 9
    assert plane.w.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        plane.w[0] = 3


def test_scores_of_many_rows_on_many_threads_are_the_same_bits() -> None:
    from rosenblatt.data.hyperplane import scores

    rows = RNG.normal(size=(20_000, 6))
    W, b = RNG.normal(size=(6, 3)), RNG.normal(size=3)
    one = scores(rows, W, b, threads=1)
    assert np.array_equal(one, scores(rows, W, b, threads=4))
    np.testing.assert_allclose(one, rows @ W + b, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(scores(sp.csr_array(rows), W, b), one, rtol=1e-10, atol=1e-12)


# --- Losses. ---


def test_losses_are_those_of_the_notes_by_hand() -> None:
    """m = −1, 2, 0, 3: two mistakes of which one costs 1, and (1 − m)² = 4 + 1 + 1 + 4."""
    plane = Hyperplane([1.0], 0.0)
    found = plane.losses([[-1], [2], [0], [-3]], [1, 1, -1, -1])
    assert found == (2, 0.5, 1.0, 10.0)
    assert found._fields == ("mistakes", "error_rate", "perceptron_loss", "squared_loss")


def test_zero_weights_have_losses_and_no_losses_are_a_plain_zero() -> None:
    assert Hyperplane([0.0, 0.0]).losses([[1, 2], [3, 4]], [1, -1]) == (2, 1.0, 0.0, 2.0)
    assert repr(Hyperplane([1.0]).losses([[1]], [1]).perceptron_loss) == "0.0"
    named = Hyperplane([1.0], classes=("no", "yes"))
    assert named.losses([[1], [2]], ["yes", "no"]).mistakes == 1


def test_losses_are_those_of_the_trajectory_and_go_by_its_name() -> None:
    from rosenblatt import datasets, learn
    from rosenblatt.data.losses import Losses
    from rosenblatt.runs import trajectory

    assert trajectory.Losses is Losses
    sample = datasets.four_on_a_line()
    run = learn(*sample, log=True)
    path = run.trajectory()
    for change in range(path.n_changes + 1):
        W, b = path.weights(change)
        assert Hyperplane(W[:, 0], b[0]).losses(*sample) == path.losses(change)


def test_a_hyperplane_has_no_negative_zero() -> None:
    assert repr(Hyperplane([-0.0, 1.0], -0.0)) == "Hyperplane(w=array([0., 1.]), b=0.0, classes=None)"
