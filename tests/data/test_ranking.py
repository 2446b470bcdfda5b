"""Rankings: exact while all scores are kept; by bins within the error that is stated, whatever the scores are."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from rosenblatt.data.ranking import EXACT, Pairs, Ranking
from rosenblatt.data.tally import Tally

CHANCE = np.random.default_rng(3)
N = 4000
SIDES = CHANCE.random(N) < 0.3
TINY = np.nextafter(0, 1)

SCORES = {
    "normal": CHANCE.normal(size=N) + SIDES,
    "all equal": np.full(N, 0.7),
    "two values": np.where(CHANCE.random(N) < 0.5 + 0.2 * SIDES, 1.0, -1.0),
    "votes": np.round(CHANCE.normal(size=N) + SIDES, 2),
    "tiny differences": 1 + 1e-12 * (CHANCE.normal(size=N) + SIDES),
    "neighbours": np.where(SIDES, np.nextafter(1, 2), 1.0),
    "neighbours the wrong way": np.where(SIDES, 1.0, np.nextafter(1, 2)),
    "huge": 1e308 * np.tanh(CHANCE.normal(size=N) + SIDES),
    "denormal": TINY * np.round(100 * (CHANCE.normal(size=N) + SIDES)),
    "of every size": np.sign(CHANCE.normal(size=N) + SIDES) * 10.0 ** CHANCE.uniform(-300, 300, N),
    "zeros of both signs": np.where(CHANCE.random(N) < 0.5, 0.0, -0.0),
    "separated": np.where(SIDES, 1e-9, -1e-9),
}


def ranked(scores: np.ndarray, sides: np.ndarray, exact: int | None, cuts: list[int]) -> Pairs:
    ranking = Ranking(exact)
    for part, own in zip(np.split(scores, cuts), np.split(sides, cuts), strict=True):
        ranking.add(part, own)
    return ranking.pairs()


@pytest.mark.parametrize("kind", SCORES)
def test_the_area_is_exact_of_few_scores_and_of_more_within_the_error_stated(kind: str) -> None:
    scores, cuts = SCORES[kind], [0, 1, 700, 2500]
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn sums them up to see that they are finite
        truth = roc_auc_score(SIDES, scores)
    exact = ranked(scores, SIDES, None, cuts)
    assert exact.twice_right / (2 * exact.both) == pytest.approx(truth, abs=1e-12)
    assert exact.unsure == 0
    for kept in (0, 1000, N - 1):  # bins from the first score on, from within a part, and for the last one
        binned = ranked(scores, SIDES, kept, cuts)
        assert binned.both == exact.both
        assert 0 <= binned.unsure <= binned.both
        assert abs(binned.twice_right - exact.twice_right) <= binned.unsure
        assert binned == ranked(scores, SIDES, 0, [])  # however they are cut
    if kind in ("all equal", "two values", "zeros of both signs", "separated"):  # true ties are known to be such
        assert binned.unsure == 0
    if kind == "normal":
        assert binned.unsure / (2 * binned.both) < 5e-4
    if kind.startswith("neighbours"):  # nothing is known of them, and it says so
        assert (binned.twice_right, binned.unsure) == (binned.both, binned.both)


@pytest.mark.parametrize("n", [EXACT, EXACT + 1])
def test_a_tally_keeps_two_million_scores_and_no_more(n: int) -> None:
    tally = Tally(np.array([0, 1]))
    own = (np.arange(n) % 3 == 0).astype(np.int64)
    scores = np.random.default_rng(0).normal(size=n) + own
    for first in range(0, n, 500_000):
        some = slice(first, first + 500_000)
        tally.add(own[some], (scores[some] > 0).astype(np.int64), scores[some])
    found = tally.evaluation()
    assert found.auc is not None
    assert found.auc_error is not None
    assert (found.auc_error == 0) == (n == EXACT)
    assert abs(found.auc - roc_auc_score(own, scores)) <= found.auc_error + 1e-12
    assert found.auc_error < 2e-4


def test_scores_that_are_not_finite_are_refused_and_called_so() -> None:
    for bad in (np.inf, -np.inf, np.nan):
        tally = Tally(np.array([0, 1]))
        tally.add(np.array([0, 1]), np.array([0, 1]), np.array([-1.0, 1.0]))
        tally.add(np.array([0, 1]), np.array([0, 1]), np.array([-1.0, bad]))
        tally.add(np.array([0, 1]), np.array([0, 1]), np.array([-1.0, 1.0]))
        found = tally.evaluation()
        assert (found.auc, found.auc_error, found.auc_why) == (None, None, "scores that are not finite")


def test_more_pairs_than_64_bits_count_are_counted() -> None:
    ranking = Ranking(0)
    ranking.add(np.array([0.0, 1.0, 1.5]), np.array([False, True, False]))
    assert ranking._bins is not None
    ranking._bins.counts *= 4 * 10**9
    assert ranking.pairs() == Pairs(32 * 10**18, 32 * 10**18, 0)
