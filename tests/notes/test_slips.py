"""The slips that the pages of docs/notes name: what the note writes fails on an example, and what is meant holds."""

from fractions import Fraction
from math import sqrt

import numpy as np
from questions import EIGHT, FOUR, LINE, dot, exact, gradient, least, longest2, signed, weights

from rosenblatt import Hyperplane, datasets, learn


def test_s000_the_scaled_hyperplane_is_no_margin_but_gives_it() -> None:
    """(w/‖w‖, b/‖w‖) is a hyperplane; its functional margins are the geometric ones."""
    X, y = FOUR
    plane = Hyperplane([0, 4], 6)
    scaled = Hyperplane(plane.w / 4, plane.b / 4)
    assert scaled.functional_margins(X, y).tolist() == plane.geometric_margins(X, y).tolist()


def test_s000_the_label_multiplies_the_offset_too() -> None:
    """y(w·x) + b is positive at some mistake on a negative row; y(w·x + b) never is."""
    X, y = LINE
    run = learn(X, y, offset="radius", log=True)
    without, within = [], []
    for row, w in zip(run.log.row.tolist(), weights(run, 4), strict=False):
        score, b = w[0] * int(X[row, 0]), 4 * w[1]
        without.append(int(y[row]) * score + b)
        within.append(int(y[row]) * (score + b))
    assert max(without) > 0 >= max(within)


def test_s001_tau_counts_passes_and_the_return_comes_after_the_last() -> None:
    """Ten passes are needed with the 1 appended; τ = 25 steps, or a return within the loop, would be too few."""
    X, y = np.column_stack([LINE[0], np.ones(4)]), LINE[1]

    def through_origin(tau: int, inside: bool) -> np.ndarray:
        theta = np.zeros(2)
        for _ in range(tau):
            changed = False
            for x, label in zip(X, y, strict=True):
                if label * (theta @ x) <= 0:
                    theta, changed = theta + label * x, True
            if not changed or inside:
                break
        return theta

    assert (
        through_origin(11, inside=False).tolist()
        == [-3, 7]
        == learn(X, y, offset=0, max_epochs=11).hyperplane.w.tolist()
    )
    assert (y * (X @ through_origin(11, inside=True)) <= 0).any()
    assert (y * (X @ through_origin(25 // 4, inside=False)) <= 0).any()


def test_s001_the_score_itself_is_not_the_label() -> None:
    X, y = LINE
    plane = Hyperplane([-1], 2.5)
    assert np.sign(plane.scores(X)).tolist() == y.tolist() != plane.scores(X).tolist()


def test_s002_the_offset_is_a_weight_of_the_longer_row() -> None:
    """⟨(b, α), (1, x)⟩ is α·x + b; to add b again is another hyperplane, here one that is wrong."""
    X, y = LINE
    z, v = np.column_stack([np.ones(4), X]), np.array([2.5, -1])
    assert (y * (z @ v) > 0).all()
    assert (y * (z @ v + 2.5) <= 0).any()


def test_s003_after_k_plus_one_updates_the_length_is_bounded_by_k_plus_one() -> None:
    """‖w^(k+1)‖² ≤ kR² fails at the first update, and at every one of the unit vectors; with k + 1 it holds."""
    for rows, run in (
        (signed(*EIGHT), learn(*EIGHT, offset=0, log=True)),
        (signed(np.eye(4), np.ones(4)), learn(np.eye(4), np.ones(4), offset=0, log=True)),
    ):
        for k, w in enumerate(weights(run)[1:]):
            assert dot(w, w) <= (k + 1) * longest2(rows)
        assert dot(weights(run)[1], weights(run)[1]) > 0
    assert all(dot(w, w) > k for k, w in enumerate(weights(run)[1:]))  # R = 1


def test_s003_cauchy_and_schwarz_can_be_equal() -> None:
    """One row: w^1 is that row and w* its direction."""
    w = learn([[3.0, 4.0]], [1], offset=0).hyperplane.w
    assert w @ np.array([3, 4]) / 5 == np.linalg.norm(w) == 5


def test_s003_the_gradient_printed_has_the_wrong_sign() -> None:
    """∇J is −2Σ(t − o)x; with the sign printed a step would make things worse, and the last line has it right again."""
    X, y = EIGHT
    start, rows = exact([-1, 0.25]), signed(X, y)

    def mended(w: list[Fraction]) -> Fraction:
        """Σ(t − o)²·(−t·w·x)."""
        return sum((-4 * dot(w, z) for z in rows if dot(w, z) <= 0), Fraction(0))

    errors = [int(t) - (1 if dot(start, exact(x)) > 0 else -1) for x, t in zip(X, y, strict=True)]
    printed = [2 * dot(errors, exact(column)) for column in X.T]
    assert gradient(mended, start) == [-g for g in printed] != [0, 0]
    assert mended([a - g / 8 for a, g in zip(start, printed, strict=True)]) > mended(start)
    assert mended([a + g / 8 for a, g in zip(start, printed, strict=True)]) < mended(start)


def test_s004_without_the_square_it_is_no_bound() -> None:
    """R²‖θ*‖/γ² falls as θ* grows, below the updates made; so does R²/γ_geom on the unit vectors."""
    X, y = FOUR
    rows, updates = signed(X, y), learn(X, y, offset=0).updates
    for scale in (1, 10):
        theta = [scale, -5 * scale]
        gamma, length = float(least(theta, rows)), sqrt(float(dot(theta, theta)))
        assert updates <= 16 * length**2 / gamma**2
    assert updates > 16 * length / gamma**2
    tight = datasets.tight(5)
    assert tight.margin is not None
    assert learn(*tight, offset=0).updates == 5 > 1 / tight.margin
    assert round(1 / tight.margin**2) == 5
