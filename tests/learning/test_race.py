"""Choosing by rows held out: the race told again in plain words, by nothing but `learn`, one run for each epoch."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gathered_source import GatheredSource

from rosenblatt import Examples, learn
from rosenblatt.learning import race as module
from rosenblatt.learning.candidates import candidates_for
from rosenblatt.learning.choose import choose
from rosenblatt.learning.race import Format, Race, format_for, parts_of
from rosenblatt.runs.choice import Candidate, Choice
from rosenblatt.runs.run import Run


def rows(n: int = 150, K: int = 2, seed: int = 0, d: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Columns of different sizes, classes that no hyperplane tells apart."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    scores = X @ rng.normal(size=(d, K)) + rng.normal(size=(n, K))
    return X * 10.0 ** np.linspace(-1, 1, d) + np.linspace(0, 2, d), scores.argmax(axis=1)


class Told:
    """A candidate in the race as it is told: its share after each epoch, and which rows were right at the best."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate, self.shares, self.end = candidate, [], ""
        self.best, self.right = -1, np.zeros(0)


def told(
    X: Any, y: np.ndarray, candidates: tuple[Candidate, ...], form: Format, seed: int, own: np.ndarray, offset: float
) -> list[Told]:
    part, source = parts_of(seed, np.arange(len(y)), form), Examples.of(X, y)
    judged = part >= 0
    weight = own[judged] / own[judged].sum()
    lanes = [Told(one) for one in candidates]

    def ahead(one: Told, other: Told) -> tuple[float, float]:
        gap = one.right - other.right
        mean = (weight * gap).sum()
        return mean, math.sqrt((weight**2 * (gap - mean) ** 2).sum())

    for epoch in range(1, form.epochs + 1):
        running = [lane for lane in lanes if not lane.end]
        for lane in running:
            right = np.zeros(len(y))
            for fold in range(form.folds):
                out = part == fold
                run = learn(
                    source, sample_weight=np.where(out, 0.0, own), seed=seed, max_epochs=epoch, offset=offset,
                    **lane.candidate.plan(),
                )  # fmt: skip
                assert run.epochs == epoch or run.status.name == "clean"  # where a run would end, its learner does
                right[out] = run.predict(X[out]) == y[out]
            lane.shares.append((weight * right[judged]).sum())
            if lane.best < 0 or lane.shares[-1] > lane.shares[lane.best] + 1e-9:
                lane.best, lane.right = epoch - 1, right[judged]
        leader = max(lanes, key=lambda lane: round(lane.shares[lane.best], 9))
        for lane in running:
            if epoch - 1 - lane.best >= form.patience:
                lane.end = "stale"
            elif epoch >= 2 and lane is not leader:
                gap, error = ahead(leader, lane)
                gain = max(0, lane.shares[-1] - lane.shares[-2])
                if gap > 2 * error and gap > form.look * gain:
                    lane.end = "behind"
    for lane in lanes:
        lane.end = lane.end or "epochs"
    return lanes


FOLDS = Format(folds=5, share=0.2, epochs=7, patience=3, look=10)
ONE = Format(folds=1, share=0.3, epochs=6, patience=2, look=4)
CASES: dict[str, dict[str, Any]] = {
    "two classes, folds": {"seed": 0},
    "two classes, one part": {"form": ONE, "n": 400, "seed": 3},
    "three classes": {"K": 3, "seed": 1},
    "five classes, one part": {"K": 5, "n": 400, "form": ONE},
    "sparse": {"sparse": True, "K": 3},
    "float32": {"dtype": np.float32},
    "weights": {"weighted": True, "K": 3},
    "weights, one part": {"weighted": True, "form": ONE, "n": 300},
    "no offset": {"offset": 0.0, "seed": 2**64 - 1},
}


@pytest.mark.parametrize("case", CASES)
def test_the_race_is_what_plain_runs_tell(case: str) -> None:
    given = {"n": 150, "K": 2, "seed": 0, "form": FOLDS, "offset": 1.0, **CASES[case]}
    X, y = rows(given["n"], given["K"])
    X = X.astype(given.get("dtype", np.float64))
    X = sp.csr_array(X * (np.random.default_rng(1).random(X.shape) < 0.5)) if "sparse" in given else X
    rng = np.random.default_rng(2)
    own = rng.integers(0, 4, len(y)).astype(float) if "weighted" in given else np.ones(len(y))
    candidates = candidates_for("sparse" in given, X.shape[1], given["K"], few=True)
    source: Any = Examples.of(X, y)
    if "weighted" in given:
        from rosenblatt.data.source import Weighted

        source = Weighted(source, own)
    race = Race(source, candidates, given["form"], given["seed"], given["offset"], 2)
    heard: list[tuple[int, int]] = []
    race.run(lambda epoch, running: heard.append((epoch, running)))
    lanes = told(X, y, candidates, given["form"], given["seed"], own, given["offset"])
    for ours, plain in zip(race.lanes, lanes, strict=True):
        assert ours.shares == pytest.approx(plain.shares, abs=1e-12), ours.candidate.name
        assert (ours.best, ours.end) == (plain.best, plain.end), ours.candidate.name
    best = max(range(len(lanes)), key=lambda i: round(lanes[i].shares[lanes[i].best], 9))
    assert race.leader is race.lanes[best]
    alive = {epoch: sum(len(lane.shares) >= epoch for lane in lanes) for epoch in range(1, 20)}
    assert set(heard) == {(epoch, running) for epoch, running in alive.items() if running}


def test_candidates_retire_for_every_reason() -> None:
    """The cases above meet all of them, or they would tell little."""
    ends = set()
    for seed in range(3):
        X, y = rows(400, 3, seed)
        race = Race(Examples.of(X, y), candidates_for(False, 5, 3, few=True), ONE, seed, 1.0, 1)
        race.run(lambda epoch, running: None)
        ends |= {lane.end for lane in race.lanes}
    assert ends == {"stale", "behind", "epochs"}


@pytest.mark.parametrize(("form", "K"), [(FOLDS, 2), (ONE, 3)])
def test_rows_are_scored_once_more_only_for_a_leader_at_its_best(
    form: Format, K: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = rows(400, K)
    scored: list[Any] = []
    plain = module._answered
    monkeypatch.setattr(module, "_answered", lambda learner, held: scored.append(learner) or plain(learner, held))
    race = Race(Examples.of(X, y), candidates_for(False, 5, K, few=True), form, 0, 1.0, 1)
    race.run(lambda epoch, running: None)
    led = 0
    for epoch in range(form.epochs):
        so_far = [lane.shares[: epoch + 1] for lane in race.lanes]
        leader = so_far[int(np.argmax([max(shares) for shares in so_far]))]
        led += len(leader) == epoch + 1 and leader.index(max(leader)) == epoch
    assert len(scored) == led * form.folds < sum(len(lane.shares) for lane in race.lanes) * form.folds / 2


@pytest.mark.parametrize(("form", "K"), [(FOLDS, 2), (ONE, 3)])
def test_the_answers_are_those_of_the_leaders_best_epoch_though_another_led_and_left_float64(
    form: Format, K: int
) -> None:
    X, y = rows(400, K)
    race = Race(Examples.of(X, y), candidates_for(False, 5, K, few=True), form, 0, 1.0, 1)
    race.run(lambda epoch, running: None)
    part = parts_of(0, np.arange(len(y)), form)
    labels = np.concatenate([y[part == fold] for fold in range(form.folds)])
    for _ in range(len(race.lanes) - 1):
        leader = race.leader
        codes, scores = race.answers()
        assert ((codes == labels) == leader.right).all()
        assert (scores is None) == (K > 2)
        leader.end = "fault"
    assert all(lane.end == "fault" for lane in race.lanes if lane is not race.leader)


# Which rows are held out.


@pytest.mark.parametrize("form", [FOLDS, ONE, format_for(20_000, 1e5), format_for(400_000, 1e6)])
@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_which_rows_are_held_out_is_a_pure_function_of_seed_and_row(form: Format, seed: int) -> None:
    few, many = parts_of(seed, np.arange(1000), form), parts_of(seed, np.arange(40_000), form)
    assert (few == many[:1000]).all()
    assert set(many) == set(range(form.folds)) | (set() if form.folds == 5 else {-1})
    for fold in range(form.folds):
        expected, spread = 40_000 * form.share, math.sqrt(40_000 * form.share * (1 - form.share))
        assert abs((many == fold).sum() - expected) < 5 * spread
    assert (parts_of(seed + 1 if seed < 2**64 - 1 else 0, np.arange(1000), form) != few).any()


def test_how_it_is_judged_depends_on_the_rows_alone() -> None:
    assert [format_for(n, 1e4).folds for n in (20, 4999, 5000, 10**6)] == [5, 5, 1, 1]
    assert format_for(4999, 1e6 + 1).folds == 1  # where five would be dear
    assert [format_for(n, 1e7).share * n for n in (4000, 10_000, 150_000, 10**7)] == [800, 1000, 15_000, 15_000]


def test_more_rows_at_the_end_leave_the_others_where_they_were() -> None:
    """A row is held out or not whatever else there is: half the rows of weight 0 at the end, and each row judges on."""
    X, y = rows(200)
    source = Examples.of(X, y)
    weight = np.r_[np.ones(100), np.zeros(100)]
    _, choice = choose(source, sample_weight=weight)
    part = parts_of(0, np.arange(100), format_for(200, 1000.0))
    right = 0.0
    for fold in range(5):
        own = np.where(parts_of(0, np.arange(200), format_for(200, 1000.0)) == fold, 0.0, weight)
        run = learn(source, sample_weight=own, **choice.plan())
        right += float((run.predict(X[:100])[part == fold] == y[:100][part == fold]).sum())
    assert choice.best.accuracy == pytest.approx(right / 100)


# The last run, and what changes nothing.


def same(one: tuple[Run, Choice], other: tuple[Run, Choice]) -> bool:
    pairs = zip(one[0].state.folded("averaged"), other[0].state.folded("averaged"), strict=True)
    return one[1].to_dict() == other[1].to_dict() and all(np.array_equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_last_run_is_learn_with_the_plan_bit_for_bit(K: int, sparse: bool) -> None:
    X, y = rows(300, K)
    source = Examples.of(sp.csr_array(X) if sparse else X, y)
    weight = np.random.default_rng(0).random(300) + 0.5
    run, choice = choose(source, seed=5, sample_weight=weight)
    again = learn(source, **choice.plan(), sample_weight=weight)
    assert np.array_equal(run.state.weights, again.state.weights)
    assert np.array_equal(run.state.read("averaged")[0], again.state.read("averaged")[0])
    assert run.epochs == again.epochs == choice.best.epochs
    assert run.status.name == "chosen"
    assert choice.rows == choice.held_out == 300
    assert choice.folds == 5
    assert choice.best.accuracy == max(one.accuracy for one in choice.tried)
    assert choice.most_common == pytest.approx(np.bincount(y, weight).max() / weight.sum())


@pytest.mark.parametrize(("n", "K"), [(300, 2), (300, 3), (6000, 2), (6000, 4)])
def test_threads_change_no_bit(n: int, K: int) -> None:
    X, y = rows(n, K)
    one, two, four = (choose(Examples.of(X, y), threads=threads) for threads in (1, 2, 4))
    assert same(one, two)
    assert same(one, four)
    assert one[1].folds == (5 if n < 5000 else 1)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("n", "K"), [(4500, 2), (9000, 3)])
def test_rows_that_are_not_in_memory_give_the_same_choice_and_bits(n: int, K: int, sparse: bool) -> None:
    X, y = rows(n, K, d=4)
    X = sp.csr_array(np.round(X)) if sparse else X
    assert same(choose(GatheredSource(X, y), seed=1), choose(Examples.of(X, y), seed=1))


def test_a_callback_and_the_race_are_heard() -> None:
    X, y = rows(300)
    epochs, last = [], []
    _, choice = choose(
        Examples.of(X, y), callback=lambda now: last.append(now), racing=lambda epoch, running: epochs.append(epoch)
    )
    assert max(epochs) == max(one.met for one in choice.tried)
    assert sorted(epochs) == epochs
    assert last
