"""Last, averaged, voted, pocket: each against the exact oracle, and none of them disturbs what follows."""

import itertools
from fractions import Fraction
from typing import Any

import laws
import numpy as np
import pytest
import reference
import scipy.sparse as sp

from rosenblatt import Examples, InputError, Run, learn
from rosenblatt.choices import READOUTS
from rosenblatt.learning import driver
from rosenblatt.runs import visits
from rosenblatt.runs.state import State

ALL = ("last", "averaged", "voted", "pocket")
EXACT = ("perceptron", "target-output", "fixed-margin")


def whole(seed: int, n: int = 25, d: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Small whole numbers, so that every sum is exact: rows, labels, and rows to predict."""
    X, y = laws.integers(seed, n=n, d=d, noise=0.15)
    return X, y, np.random.default_rng(seed + 1).integers(-6, 7, size=(40, d)).astype(float)


def oracle(X: np.ndarray, y: np.ndarray, rule: str, run: Run) -> reference.Trace:
    plan, n = run.plan, len(y)
    return reference.learn(
        X.tolist(),
        y.tolist(),
        update=reference.rule(rule, beta=2),
        visits=lambda epoch: visits.row_order(plan.order, plan.seed, epoch, n).tolist(),
        batch_size=plan.batch_size,
        rho2=Fraction(run.state.rho2),
        start=([-2.0, 1.0, 0.5], 1.0) if run.state.start else None,
        max_epochs=run.epochs,
    )


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def voted(trace: reference.Trace, x: np.ndarray) -> int:
    point = reference.vector(x)
    scores = (reference.dot(w, point) + b for w, b in trace.weights)
    return sum(c * sign(s) for c, s in zip(trace.survival, scores, strict=True))


def mistakes(weights: tuple[Any, Fraction], X: np.ndarray, y: np.ndarray) -> int:
    w, b = weights
    return sum(int(label) * (reference.dot(w, reference.vector(x)) + b) <= 0 for x, label in zip(X, y, strict=True))


def gallant(trace: reference.Trace, X: np.ndarray, y: np.ndarray) -> tuple[tuple[Any, Fraction], int, int]:
    """The pocket with ratchet, row by row: the weights, their mistakes, and how many weight vectors were candidates.

    The last weights are read if they are better, candidate or not.
    """
    updates = {entry.visit for entry in trace.log}
    born, record, scans = 0, 0, 0
    best: tuple[Any, Fraction] | None = None
    fewest = 0
    for weights, lived in zip(trace.weights, trace.survival, strict=True):
        met = range(born + 1, min(born + lived, sum(trace.survival) - 1) + 1)
        born += lived
        streak = longest = 0
        for visit in met:
            streak = 0 if visit in updates else streak + 1
            longest = max(longest, streak)
        if best is not None and longest <= record:
            continue
        record, scans = max(record, longest), scans + 1
        count = mistakes(weights, X, y)
        if best is None or count < fewest:
            best, fewest = weights, count
    assert best is not None
    if mistakes(trace.weights[-1], X, y) < fewest:
        best, fewest = trace.weights[-1], mistakes(trace.weights[-1], X, y)
    return best, fewest, scans


PLANS: list[dict[str, Any]] = [
    {},
    {"order": "shuffled", "seed": 3},
    {"batch_size": 4},
    {"batch_size": "all"},
    {"offset": 0},
    {"start": ([-2.0, 1.0, 0.5], 1.0)},
    {"batch_size": 4, "order": "shuffled", "offset": 2.0},
]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.parametrize("rule", EXACT)
def test_every_readout_is_the_oracles(rule: str, plan: dict[str, Any], form: Any) -> None:
    parameters = {"beta": 2.0} if rule == "fixed-margin" else {}
    for seed in range(4):
        X, y, Z = whole(seed)
        run = learn(form(X), y, rule=rule, max_epochs=6, readout=ALL, **plan, **parameters)
        trace = oracle(X, y, rule, run)
        moments = sum(trace.survival)
        # Votes are whole numbers over one denominator, so float64 rounds them once.
        assert run.read("voted").scores(form(Z)).tolist() == [voted(trace, x) / moments for x in Z]
        w, b = trace.average
        averaged = run.read("averaged").hyperplane
        np.testing.assert_allclose([*averaged.w, averaged.b], [float(v) for v in (*w, b)], rtol=1e-13, atol=1e-13)
        (w, b), fewest, _ = gallant(trace, X, y)
        pocket = run.read("pocket").hyperplane
        assert (pocket.w.tolist(), pocket.b) == ([float(v) for v in w], float(b))
        assert run.state.pocket_mistakes.tolist() == [fewest]
        last = run.read("last").hyperplane
        assert (last.w.tolist(), last.b) == ([float(v) for v in trace.w], float(trace.b))


@pytest.mark.slow
def test_mistakes_are_counted_only_when_a_streak_beats_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[list[int]] = []
    count = driver.Driver._count
    monkeypatch.setattr(driver.Driver, "_count", lambda self, k: counted.append(count(self, k)) or counted[-1])
    X, y, _ = whole(5, n=200)
    run = learn(X, y, max_epochs=30, readout="pocket")
    _, _, expected = gallant(oracle(X, y, "perceptron", run), X, y)
    assert sum(map(len, counted)) == expected + 1  # the last weights are counted in any case
    assert expected < run.updates / 20
    assert len(counted) <= expected / 8 + 1  # several in one pass over the rows


@pytest.mark.parametrize("batch_size", [1, 7, "all"])
@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_with_many_classes_too(multiclass: str, batch_size: Any, form: Any) -> None:
    """Against every weight vector of the path, applied one by one."""
    rng = np.random.default_rng(2)
    X, labels = rng.integers(-5, 6, size=(60, 4)).astype(float), rng.integers(0, 4, size=60)
    Z = rng.integers(-6, 7, size=(30, 4)).astype(float)
    examples = Examples.of(form(X), labels)
    run = learn(examples, multiclass=multiclass, batch_size=batch_size, max_epochs=5, readout=ALL)
    found, votes = run.read("voted").scores(form(Z)), np.zeros((30, 4))
    if multiclass == "direct":
        path = run.trajectory()
        for change, lived in enumerate(path.survival):
            W, b = path.weights(change)
            scores = Z @ W + b
            largest = scores == scores.max(axis=1, keepdims=True)
            votes += lived * (largest & (largest.sum(axis=1, keepdims=True) == 1))  # on a tie, for none
    else:
        for k in range(4):
            path = run.trajectory(k)
            for change, lived in enumerate(path.survival):
                W, b = path.weights(change)
                votes[:, k] += lived * np.sign(Z @ W + b)[:, 0]
    assert np.array_equal(found, votes / (run.state.visited + 1))
    assert np.array_equal(run.read("voted").predict(Z), votes.argmax(axis=1))

    W, b = run.state.read("pocket")
    scores = X @ W + b
    if multiclass == "ovr":
        wrong = np.where(labels[:, None] == np.arange(4), scores, -scores) <= 0
        assert run.state.pocket_mistakes.tolist() == wrong.sum(axis=0).tolist()
        for k in range(4):
            alone = learn(
                form(X), np.where(labels == k, 1, -1), batch_size=batch_size, max_epochs=5, readout=("last", "pocket")
            )
            assert np.array_equal(alone.state.read("pocket")[0][:, 0], W[:, k])
    else:
        own = scores[np.arange(60), labels]
        scores[np.arange(60), labels] = -np.inf
        assert run.state.pocket_mistakes.tolist() == [(own <= scores.max(axis=1)).sum()]


def direct_scores(W: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.column_stack([rows, np.ones(len(rows), dtype=int)]) @ W.T


def direct_mistakes(W: np.ndarray, X: np.ndarray, labels: np.ndarray) -> int:
    found, rows = direct_scores(W, X), np.arange(len(labels))
    own = found[rows, labels].copy()
    found[rows, labels] = -(10**9)
    return int((own <= found.max(axis=1)).sum())


def direct_choice(W: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """One vote for the class with the largest score; on a tie, none."""
    found = direct_scores(W, Z)
    largest = found == found.max(axis=1, keepdims=True)
    return np.asarray(largest & (largest.sum(axis=1, keepdims=True) == 1), dtype=int)


@pytest.mark.parametrize("seed", range(5))
def test_the_direct_perceptron_by_a_loop_of_its_own(seed: int) -> None:
    """Every readout against whole numbers in plain Python, sharing nothing with the path."""
    rng = np.random.default_rng(seed)
    X, labels, Z = rng.integers(-4, 5, size=(40, 3)), rng.integers(0, 4, size=40), rng.integers(-5, 6, size=(20, 3))
    W = np.zeros((4, 4), dtype=int)
    total, votes, streak, record, best, fewest = W.copy(), direct_choice(W, Z), 0, 0, W.copy(), 40
    for x, own in [(x, own) for _ in range(4) for x, own in zip(X, labels, strict=True)]:
        s = direct_scores(W, x[None])[0]
        rival = max((k for k in range(4) if k != own), key=lambda k, s=s: (s[k], -k))
        streak += 1
        if s[own] <= s[rival]:
            if streak - 1 > record:
                record = streak - 1
                if direct_mistakes(W, X, labels) < fewest:
                    best, fewest = W.copy(), direct_mistakes(W, X, labels)
            W[own] += [*x, 1]
            W[rival] -= [*x, 1]
            streak = 0
        votes += direct_choice(W, Z)
        total += W
    if direct_mistakes(W, X, labels) < fewest:
        best, fewest = W.copy(), direct_mistakes(W, X, labels)
    run = learn(Examples.of(X, labels), multiclass="direct", max_epochs=4, readout=ALL)
    assert run.epochs == 4
    assert np.array_equal(run.read("voted").scores(Z), votes / 161)
    assert run.state.pocket_mistakes.tolist() == [fewest]
    assert np.array_equal(np.vstack(run.state.read("pocket")).T, best)
    np.testing.assert_allclose(np.vstack(run.state.read("averaged")).T, total / 161, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("plan", [*PLANS[:4], {"rule": "pa-1"}, {"rule": "margin", "beta": 0.1}], ids=str)
def test_read_go_on_and_it_is_as_if_never_read(plan: dict[str, Any]) -> None:
    X, y = laws.reals(11, n=300)
    uninterrupted = learn(X, y, max_epochs=9, readout=ALL, **plan)
    run = learn(X, y, max_epochs=2, readout=ALL, **plan)
    for epochs in (3, 7, 9):
        for readout in ALL:
            run.read(readout).predict(X)
        run.state.read("pocket")
        run = learn(X, y, max_epochs=epochs, readout=ALL, start=run, **plan)
    laws.assert_same_run(uninterrupted, run)
    for readout in ALL:
        assert np.array_equal(uninterrupted.read(readout).scores(X), run.read(readout).scores(X))


def test_snapshots_on_the_way_change_nothing() -> None:
    X, y = laws.reals(12, n=300)
    states: list[State] = []
    watched = learn(X, y, max_epochs=8, readout=ALL, callback=lambda progress: states.append(progress.state()))
    assert len(states) >= 8
    laws.assert_same_run(watched, learn(X, y, max_epochs=8, readout=ALL))
    # Every snapshot has a pocket to read, never worse than what stands; without that, it only ever gets better.
    for state in states:
        w, b = state.read("pocket")
        assert state.pocket_mistakes[0] == ((X @ w[:, 0] + b) * y <= 0).sum()
        assert state.pocket_mistakes[0] <= ((X @ state.weights[:, 0] + state.offsets) * y <= 0).sum()
    counts = [state.outputs[0].pocket_mistakes for state in states]
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_no_readout(threads: int) -> None:
    X, y = laws.reals(13, n=30_000, d=20)
    one, many = (learn(X, y, max_epochs=3, readout=ALL, threads=t) for t in (1, threads))
    laws.assert_same_run(one, many)
    assert np.array_equal(one.read("voted").scores(X[:500]), many.read("voted").scores(X[:500]))


def test_the_pocket_makes_fewer_mistakes_than_the_last_weights_on_noisy_rows() -> None:
    X, y = laws.reals(14, n=2_000, d=10, noise=0.1)
    run = learn(X, y, order="shuffled", max_epochs=20, readout=("pocket", "last"))
    wrong = {name: int((run.read(name).predict(X) != y).sum()) for name in ("pocket", "last")}
    assert wrong["pocket"] == run.state.pocket_mistakes[0]
    assert wrong["pocket"] < wrong["last"]
    assert wrong["pocket"] < 0.25 * len(y)


def test_a_clean_run_has_its_weights_in_the_pocket() -> None:
    run = learn([[1], [2], [3], [4]], [1, 1, -1, -1], readout="pocket")
    assert run.status.name == "clean"
    assert run.state.pocket_mistakes.tolist() == [0]
    assert (run.hyperplane.w.tolist(), run.hyperplane.b) == ([-3], 7)


def test_before_any_row_the_pocket_holds_the_start() -> None:
    states: list[State] = []
    X = np.zeros((3, 2))
    run = learn(X, [1, -1, 1], offset=0, readout="pocket", callback=lambda p: states.append(p.state()))
    assert run.state.pocket_mistakes.tolist() == [3]  # w = 0 is wrong on every row, and nothing ever moves it
    assert run.hyperplane.w.tolist() == [0, 0]


def test_the_averaged_weights_are_the_naive_average_of_every_moment() -> None:
    X, y = laws.reals(15, n=120, d=4)
    moments: list[np.ndarray] = [np.zeros(5)]
    w = np.zeros(5)
    for _ in range(4):
        for x, label in zip(np.column_stack([X, np.ones(120)]), y, strict=True):
            if label * (w @ x) <= 0:
                w = w + label * x
            moments.append(w)
    plane = learn(X, y, max_epochs=4, readout="averaged").hyperplane
    np.testing.assert_allclose([*plane.w, plane.b], np.mean(moments, axis=0), rtol=1e-12)


def test_what_was_not_kept_says_so_and_how_to_get_it() -> None:
    X, y = laws.reals(1)
    run = learn(X, y, max_epochs=2)
    for readout in ("averaged", "pocket"):
        with pytest.raises(InputError, match=rf"kept no {readout[:6]}.*: learn\(\.\.\., readout='{readout}'\)"):
            run.read(readout)
        with pytest.raises(InputError, match=f"readout='{readout}'"):
            run.state.read(readout)
    with pytest.raises(InputError, match=r"needs the log of the run: learn\(\.\.\., readout='voted'\)"):
        run.read("voted")
    with pytest.raises(InputError, match=r"needs the log: run\.read\('voted'\)"):
        run.state.read("voted")
    with pytest.raises(InputError, match="unknown readout 'mean'"):
        run.read("mean")
    with pytest.raises(InputError, match="unknown readout 'mean'; expected one of last, averaged, voted, pocket"):
        learn(X, y, readout=("last", "mean"))
    with pytest.raises(InputError, match="unknown readout"):
        learn(X, y, readout=())
    voted = learn(X, y, max_epochs=2, readout="voted")
    with pytest.raises(InputError, match=r"a vote is no hyperplane.*run\.read\('last'\)\.hyperplane"):
        _ = voted.hyperplane
    resumed = learn(X, y, max_epochs=3, readout="voted", start=voted.state)
    with pytest.raises(InputError, match=r"start=run \(not run\.state\)"):
        resumed.predict(X)
    assert set(ALL) == set(READOUTS)


def test_a_log_is_enough_to_vote_after_the_fact() -> None:
    X, y = laws.reals(1)
    asked, kept = learn(X, y, max_epochs=3, readout="voted"), learn(X, y, max_epochs=3, log=True)
    assert np.array_equal(asked.scores(X), kept.read("voted").scores(X))


def test_a_vote_keeps_the_mistaken_rows_and_nothing_like_the_weights() -> None:
    X, y = laws.reals(3, n=3_000, d=40, noise=0.1)
    run = learn(X, y, max_epochs=20, readout="voted")
    vote = run.vote
    distinct = np.unique(run.log.row).size  # type: ignore[union-attr]
    assert vote.rows.shape == (distinct, 40)
    held = sum(array.nbytes for array in (vote.rows, vote.which, vote.output, vote.step, vote.count))
    assert held == distinct * 40 * 8 + 4 * 8 * run.updates
    assert held < run.updates * 40 * 8 / 3  # of the weight vectors themselves
    # The copy is the vote's own: the caller may do with the rows what he likes.
    before = vote.scores(X[:50])
    probe = X[:50].copy()
    X *= -1
    assert np.array_equal(vote.scores(probe), before)


def test_rows_changed_since_the_run_are_noticed() -> None:
    X, y = laws.reals(3)
    run = learn(X, y, max_epochs=2, log=True)
    X += 1
    for look in (lambda: run.read("voted"), lambda: run.trajectory(), lambda: run.margin_bracket()):
        with pytest.raises(InputError, match="changed since the run learnt from them"):
            look()


def test_one_changed_row_is_noticed_too() -> None:
    X, y = laws.reals(3, n=3_000)
    run = learn(X, y, max_epochs=2, readout="voted")
    X[1_001, 3] += 1  # not one of the rows that a quick look takes
    with pytest.raises(InputError, match="changed since the run learnt from them"):
        run.predict(X)


def test_what_the_core_has_checked_cannot_be_written_any_more() -> None:
    vote = learn(*laws.reals(3), max_epochs=2, readout="voted").vote
    for column in (vote.which, vote.output, vote.step, vote.count):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 10**9


def test_a_vote_checks_what_it_is_given() -> None:
    X, y = laws.reals(3)
    for form in (np.asarray, sp.csr_array):
        run = learn(form(X), y, max_epochs=2, readout="voted")
        bad = X[:5].copy()
        bad[3, 7] = np.nan
        with pytest.raises(InputError, match="row 3, column 7: not a finite number"):
            run.predict(form(bad))
        with pytest.raises(InputError, match="rows have 12 features, the weights 13"):
            run.predict(form(X[:5, :12]))


def test_rows_of_either_kind_may_be_put_to_the_vote() -> None:
    X, y, Z = whole(3)
    kinds = [np.asarray, lambda A: A.astype(np.float32), sp.csr_array, lambda A: sp.csr_array(A.astype(np.float32))]
    found = [learn(train(X), y, max_epochs=5, readout="voted").scores(test(Z)) for train in kinds for test in kinds]
    for votes in found[1:]:
        assert np.array_equal(found[0], votes)


def test_a_row_has_the_same_votes_alone_and_among_others() -> None:
    """On tenths, where scores of 0 are rounded, a sum in another order would decide otherwise."""
    rng = np.random.default_rng(5)
    for d in (3, 12, 40):
        X = rng.integers(-9, 10, size=(200, d)) / 10
        y = np.where(rng.random(200) < 0.5, 1, -1)
        many = [learn(form(X), y, max_epochs=10, readout="voted") for form in (np.asarray, sp.csr_array)]
        votes = many[0].scores(X)
        for i in range(0, 200, 7):
            assert many[0].scores(X[i : i + 1])[0] == votes[i]
        assert np.array_equal(many[0].scores(sp.csr_array(X)), votes)
        assert np.array_equal(many[0].vote.scores(X, threads=3)[:, 0], votes)


def test_a_vote_of_a_run_without_updates_is_the_starts() -> None:
    run = learn([[1.0], [-1.0]], [1, -1], start=([1.0], 0.0), readout="voted")
    assert run.updates == 0
    assert run.scores([[2.0], [-3.0], [0.0]]).tolist() == [1, -1, 0]
    assert run.predict([[2.0], [-3.0], [0.0]]).tolist() == [1, -1, -1]
    X = sp.csr_array([[1.0, 0], [0, -1.0]])
    assert learn(X, [1, -1], start=([1.0, 1.0], 0.0), readout="voted").predict(X).tolist() == [1, -1]


@pytest.mark.slow
def test_a_stop_within_a_batch_leaves_its_updates_out_of_the_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "SLICE", 0.0)
    X, y = laws.reals(7, n=9_000, d=150)
    calls = itertools.count()
    run = learn(X, y, batch_size=5_000, max_epochs=3, readout=ALL, callback=lambda _: next(calls) == 1)
    assert run.status.name == "stopped"
    assert run.state.batch_rows > 0
    path = run.trajectory()
    assert path.n_changes == run.state.changes
    assert path.survival.sum() == run.state.visited + 1
    np.testing.assert_allclose(path.weights(path.n_changes)[0], run.state.weights, rtol=1e-9)
    assert np.isin(run.read("voted").predict(X), [-1, 1]).all()


# --- The list of weights and counts. ---


def test_the_vote_lists_what_the_notes_print() -> None:
    """S002: ((0,0), 1), ((4,0), 1), ((3,−1), 2), ((1,−3), 1) after one pass."""
    X, y = [[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1]
    vote = learn(X, y, offset=0, max_epochs=1, readout="voted").vote
    listed = [(w.tolist(), b, c) for w, b, c in vote.weights()]
    assert listed == [([0, 0], 0, 1), ([4, 0], 0, 1), ([3, -1], 0, 2), ([1, -3], 0, 1)]
    assert vote.n_weights() == 4
    assert [c for *_, c in vote.weights(most=3)] == [1, 1, 2]
    assert len(vote.weights(most=1)) == 1
    with pytest.raises(InputError, match="most must be a whole number >= 1"):
        vote.weights(most=0)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("batch_size", [1, 4])
def test_the_list_is_that_of_the_trajectory(batch_size: int, form: Any) -> None:
    X, y, _ = whole(3)
    run = learn(form(X), y, order="shuffled", batch_size=batch_size, max_epochs=3, readout="voted")
    path, listed = run.trajectory(), run.vote.weights(10**6)
    assert len(listed) == path.n_changes + 1 == run.vote.n_weights()
    assert [c for *_, c in listed] == path.survival.tolist()
    for change, (w, b, _) in enumerate(listed):
        W, offset = path.weights(change)
        assert (w.tolist(), b) == (W[:, 0].tolist(), offset[0])


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_the_list_of_each_class_or_of_all_together(multiclass: str) -> None:
    chance = np.random.default_rng(0)
    X, labels = chance.integers(-4, 5, (40, 3)).astype(float), chance.integers(0, 3, 40)
    run = learn(Examples.of(X, labels), multiclass=multiclass, max_epochs=2, readout="voted")
    for output in range(3) if multiclass == "ovr" else [None]:
        path, listed = run.trajectory(output), run.vote.weights(10**6, output)
        assert [c for *_, c in listed] == path.survival.tolist()
        W, b = path.weights(path.n_changes)
        assert np.array_equal(listed[-1].w.reshape(W.shape), W)
        assert np.array_equal(np.ravel(listed[-1].b), b)
    with pytest.raises(InputError, match="each class has its own vote" if multiclass == "ovr" else "leave it out"):
        run.vote.weights(output=None if multiclass == "ovr" else 1)
