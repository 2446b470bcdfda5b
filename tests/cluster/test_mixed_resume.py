"""A run over shards that was stopped goes on to the bits of one that was not; under other conditions it is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_shards import assert_same_run, cut, even, learn_here, three_classes, two_classes

from rosenblatt import InputError, Model, Run, cluster, learn, stream
from rosenblatt.cli.input_facts import InputFacts, check_same_input
from rosenblatt.cluster.engine import Here
from rosenblatt.learning.transfer import with_other_rows
from rosenblatt.models.build import model_of_run

SIZES = [10, 31, 19]
PLANS: dict[str, dict[str, Any]] = {
    "default": {},
    "by mistakes": {"mixing": "mistakes", "order": "cyclic", "scale": "none"},
    "plateau": {"tol": 1e-3, "patience": 2, "seed": 4},
    "shrinking": {"schedule": "1/sqrt(k)", "rule": "margin", "beta": 0.05},
    "batches": {"batch_size": 4, "scale": "max"},
    "delta": {"rule": "delta", "eta": 1e-3, "step_tol": 1e-9},
    "dynamic": {"rule": "dynamic-margin", "beta": 0.3},
    "full batch": {"batch_size": "all"},
}


def end(whole: Run, rest: Run) -> None:
    assert whole.status == rest.status
    for name in ("weights", "offsets", "visited", "epoch", "plateau_best", "plateau_length", "outputs"):
        assert np.array_equal(getattr(whole.state, name), getattr(rest.state, name)), name


def saved(run: Run, folder: Path) -> Any:
    """The state of its model, from a file."""
    path = folder / "half.model"
    model_of_run(run, run.state, run.status).save(path)
    return Model.load(path).state


@pytest.mark.parametrize("multiclass", ["binary", "ovr", "direct"])
@pytest.mark.parametrize("name", PLANS)
def test_a_run_that_was_stopped_goes_on_to_the_same_bits(name: str, multiclass: str, tmp_path: Path) -> None:
    if multiclass == "direct" and name == "delta":
        multiclass = "ovr"  # it has no direct form
    X, y = two_classes(1, noise=0.2) if multiclass == "binary" else three_classes(1)
    plan = {**PLANS[name], "multiclass": "ovr" if multiclass == "binary" else multiclass}
    whole = learn_here(X, y, SIZES, max_epochs=7, **plan)
    first = learn_here(X, y, SIZES, max_epochs=2, **plan)
    stopped = learn_here(X, y, SIZES, max_epochs=7, callback=lambda now: now.finished and now.epoch == 2, **plan)
    assert stopped.status.name == "stopped"
    for start in (first, stopped):
        rest = learn_here(X, y, SIZES, max_epochs=7, start=start, **plan)
        assert_same_run(whole, rest)
        end(whole, rest)
    end(whole, learn_here(X, y, SIZES, max_epochs=7, start=saved(stopped, tmp_path), **plan))


def test_every_epoch_is_a_place_to_stop_and_a_state_taken_on_the_way_one_to_go_on_from() -> None:
    X, y = two_classes(2, noise=0.2)
    states = []
    learn_here(X, y, SIZES, max_epochs=5, callback=lambda now: states.append(now.state()))
    assert {state.epoch for state in states} == set(range(6))
    whole = learn_here(X, y, SIZES, max_epochs=6)
    for state in states:
        end(whole, learn_here(X, y, SIZES, max_epochs=6, start=state))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"sizes": [10, 30, 20]}, "cannot resume: the rows or labels are not those"),
        (
            {"sizes": [30]},
            "cannot resume: the run was over 3 shards, and these are 2; give the same ones, or one",
        ),
        ({"mixing": "mistakes"}, "cannot resume with another plan: mixing was 'uniform', and now is 'mistakes'"),
        ({"seed": 5}, "cannot resume with another plan: seed"),
        ({"batch_size": 2}, "cannot resume with another plan: batch_size"),
        ({"scale": "none"}, "cannot resume"),
        ({"order": "cyclic"}, "cannot resume with another plan: order"),
        ({"batch_size": "all"}, "cannot resume"),
        ({"sample_weight": np.ones(60)}, "cannot resume: the sample weights are not those"),
    ],
)
def test_other_conditions_are_refused(change: dict[str, Any], named: str) -> None:
    X, y = two_classes(3)
    run = learn_here(X, y, SIZES, max_epochs=2)
    with pytest.raises(InputError) as refused:
        learn_here(X, y, change.pop("sizes", SIZES), max_epochs=4, start=run, **change)
    assert str(refused.value).startswith(named)


def test_other_rows_are_refused_and_a_state_for_other_rows_goes_on_with_them_in_any_shards() -> None:
    X, y = two_classes(3, noise=0.2)
    run = learn_here(X, y, SIZES, max_epochs=2)
    with pytest.raises(InputError, match="cannot resume: the rows or labels are not those"):
        learn_here(X + 1, y, SIZES, max_epochs=4, start=run)
    other = learn_here(X + 1, y, [7, 7, 7], max_epochs=4, start=with_other_rows(run.state))
    assert (other.epochs, other.state.visited) == (4, 240)


@pytest.mark.parametrize("batch_size", [1, "all"])
@pytest.mark.parametrize("kind", ["run", "state"])
def test_a_state_of_one_machine_goes_on_there(kind: str, batch_size: Any) -> None:
    X, y = two_classes(4, noise=0.2)
    order = "cyclic" if batch_size == "all" else "shuffled"
    whole = learn(X, y, order=order, readout="averaged", scale="standard", max_epochs=2, batch_size=batch_size)
    with pytest.raises(InputError, match="^cannot resume: the run was on one machine" if batch_size == 1 else "resume"):
        learn_here(X, y, SIZES, max_epochs=4, batch_size=batch_size, start=whole if kind == "run" else whole.state)


def test_a_state_of_shards_is_refused_on_one_machine() -> None:
    X, y = two_classes(4, noise=0.2)
    run = learn_here(X, y, SIZES, max_epochs=2)
    with pytest.raises(InputError, match="cannot resume"):
        learn(X, y, order="shuffled", readout="averaged", scale="standard", max_epochs=4, start=run.state)


def test_a_state_in_the_middle_of_an_epoch_is_refused() -> None:
    """Of a full batch alone: another one is known to be of one machine by its conditions."""
    X, y = two_classes(4, 5000, noise=0.2)
    plan: dict[str, Any] = {"order": "cyclic", "readout": "averaged", "scale": "none", "batch_size": "all"}
    middle = learn(X, y, max_epochs=2, marks=[100], callback=lambda now: True, **plan)
    assert middle.state.epoch_rows
    with pytest.raises(InputError, match="cannot resume"):
        cluster.learn(Here(), [X], [y], max_epochs=2, start=middle.state, **plan)


# --- Ctrl-C, and callbacks that end a run while shards are at work. ---


@pytest.mark.parametrize("batch_size", [1, "all"])
def test_a_callback_that_returns_true_while_shards_work_ends_the_run_as_it_was_before_the_epoch(
    batch_size: Any,
) -> None:
    X, y = two_classes(5, noise=0.2)
    calls = []

    def within_the_third(now: Any) -> bool:
        calls.append((now.epoch, now.finished))
        return bool(now.epoch == 3 and not now.finished)

    run = learn_here(X, y, SIZES, max_epochs=9, callback=within_the_third, batch_size=batch_size)
    assert run.status.name == "stopped"
    assert run.epochs == len(run.history) == 2
    assert calls[-1] == (3, False)
    assert_same_run(
        learn_here(X, y, SIZES, max_epochs=9, batch_size=batch_size),
        learn_here(X, y, SIZES, max_epochs=9, batch_size=batch_size, start=run),
    )


def test_a_callback_that_raises_leaves_an_engine_that_works() -> None:
    X, y = two_classes(5)
    engine = Here()

    def interrupted(now: Any) -> None:
        if now.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cluster.learn(engine, cut(X, SIZES), cut(y, SIZES), callback=interrupted)
    assert engine.waiting is None
    assert cluster.learn(engine, cut(X, SIZES), cut(y, SIZES), max_epochs=3).epochs == 3


def test_a_callback_hears_of_every_epoch_and_of_what_was_met() -> None:
    X, y = two_classes(6, noise=0.2)
    seen = []
    run = learn_here(
        X, y, even(60, 5), max_epochs=4, order="cyclic",
        callback=lambda now: seen.append((now.epoch, now.visited, now.updates, now.last)) if now.finished else None,
    )  # fmt: skip
    assert [one[:2] for one in seen] == [(epoch, 60 * epoch) for epoch in range(1, 5)]
    assert [one[2] for one in seen] == np.cumsum(run.history.updates).tolist()
    assert [one[3] for one in seen] == [False, False, False, True]


def test_a_callback_may_ask_all_rows_while_shards_learn() -> None:
    X, y = two_classes(4, 300)
    asked = []

    def ask(progress: Any) -> None:
        if not progress.finished:
            asked.append(progress.run().survey("averaged")[1])

    learn_here(X, y, even(300, 3), max_epochs=2, tol=None, callback=ask)
    assert len(asked) >= 2


def test_one_shard_goes_on_with_other_rows_as_one_machine_does() -> None:
    """1,000 rows after 10,000 count a tenth of them in the average, and steps go on where they were."""
    X, y = two_classes(5, 11_000, noise=0.3)
    first, other = (X[:10_000], y[:10_000]), (X[10_000:], y[10_000:])
    for schedule in ("constant", "1/sqrt(k)"):
        plan: Any = {"order": "shuffled", "readout": "averaged", "schedule": schedule, "tol": None}
        here = learn(*first, max_epochs=2, **plan)
        here = learn(*other, max_epochs=3, start=with_other_rows(here.state), **plan)
        there = cluster.learn(Here(), [first[0]], [first[1]], max_epochs=2, scale="none", **plan)
        start = with_other_rows(there.state)
        there = cluster.learn(Here(), [other[0]], [other[1]], max_epochs=3, start=start, scale="none", **plan)
        np.testing.assert_array_equal(there.state.weights, here.state.weights)
        np.testing.assert_allclose(there.hyperplane.w, here.hyperplane.w, rtol=1e-12)


def test_a_checkpoint_of_other_shards_says_that_it_is_and_not_that_rows_have_changed(tmp_path: Path) -> None:
    X, y = two_classes(1)
    np.save(tmp_path / "all.npy", np.column_stack([X, y]))
    np.save(tmp_path / "other.npy", np.column_stack([X + 1, y]))
    path = str(tmp_path / "all.npy")

    def opened(shards: int, name: str = "all.npy") -> Any:
        return cluster.sharded(Here(), str(tmp_path / name), label=-1, shards=shards)

    run = cluster.learn(Here(), opened(3), max_epochs=2)
    made = model_of_run(run, run.state, run.status)
    there = replace(made, provenance={**made.provenance, **InputFacts(opened(3), path).known})
    here = replace(made, provenance={**made.provenance, **InputFacts(stream(path, label=-1), path).known})
    check_same_input(there, "a.checkpoint", opened(3), "all.npy", path)
    for model, source, said in (
        (there, opened(2), "the rows are in 2 shards, and were in 3: --shards 3 cuts them so"),
        (there, stream(path, label=-1), "it was learnt on a cluster; go on with it there, with --dask"),
        (here, opened(3), "it was learnt on one machine; go on with it there, without --dask"),
        (there, opened(3, "other.npy"), "the values of some rows have changed"),
    ):
        with pytest.raises(InputError, match=f"^all.npy: cannot resume from a.checkpoint: {said}"):
            check_same_input(model, "a.checkpoint", source, "all.npy", path)
