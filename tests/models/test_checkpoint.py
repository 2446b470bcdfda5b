"""When a checkpoint is written: by the clock, and at the ends of epochs that it costs less than 1 % of."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Examples, InputError, Model, datasets, learn
from rosenblatt.models.build import model_of_run
from rosenblatt.models.checkpoint import Checkpoints, newest_checkpoint


class Clock:
    """A clock that is set by the test; making a model takes `cost` seconds of it."""

    def __init__(self, patch: pytest.MonkeyPatch, cost: float) -> None:
        self.now, self.cost = 1000.0, cost
        patch.setattr(time, "monotonic", lambda: self.now)

    def model(self, progress: Any) -> Model:
        self.now += self.cost
        run = progress.run()
        return model_of_run(run, run.state, run.status)


@pytest.mark.serial
@pytest.mark.parametrize(
    ("every", "cost", "epoch", "expected"),
    [
        (600, 0.05, 3.0, 49),  # 10 s pass before the first, for it may take 0.1 s; then 5
        (600, 2.0, 3.0, 2),  # dear: 200 s must pass
        (600, 2.0, 250.0, 100),
        (60, 2.0, 30.0, 50),
        (1, 2.0, 3.0, 100),
        (None, 0.0, 1000.0, 0),
    ],
)
def test_the_interval_and_the_share_of_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: float | None, cost: float, epoch: float, expected: int
) -> None:
    clock = Clock(monkeypatch, cost)
    checkpoints = Checkpoints(tmp_path / "c", clock.model, every=every)
    begin = clock.now

    def watch(progress: Any) -> None:
        clock.now += epoch if progress.finished else 0
        checkpoints(progress)

    learn(Examples.of([[0.0], [1.0], [2.0]], [0, 1, 0]), order="shuffled", max_epochs=101, callback=watch)
    assert abs(checkpoints.count - expected) <= (expected > 2)
    assert checkpoints.seconds == pytest.approx(checkpoints.count * cost)
    if every == 600 and checkpoints.count:
        assert checkpoints.seconds <= 0.011 * (clock.now - begin) + cost


def test_a_callback_of_learn_keeps_states_to_go_on_from(tmp_path: Path) -> None:
    sample, path = datasets.get("breast-cancer"), tmp_path / "run.checkpoint"
    plan: dict[str, Any] = {"order": "shuffled", "max_epochs": 8, "readout": "averaged"}

    def model(progress: Any) -> Model:
        run = progress.run()
        return model_of_run(run, run.state, run.status)

    checkpoints = Checkpoints(path, model, every=1e-9)
    whole = learn(*sample, **plan, callback=checkpoints)
    # One after each epoch but the last, from which nothing goes on; and within epochs, where those take long.
    assert checkpoints.count >= 7
    assert not checkpoints.failures
    found = newest_checkpoint(path)
    assert found == (str(path), ())
    kept = Model.load(path)
    assert (kept.n_iter_, len(kept.history_)) == (7, 7)
    rest = learn(*sample, **plan, start=kept.state)
    assert rest.state.weights.tobytes() == whole.state.weights.tobytes()
    checkpoints.remove()
    assert list(tmp_path.iterdir()) == []
    assert newest_checkpoint(path) == (None, ())


def test_an_error_of_the_system_is_told_or_raised(tmp_path: Path) -> None:
    told: list[OSError] = []
    for failed in (None, told.append):
        checkpoints = Checkpoints(tmp_path / "none" / "c", lambda p: model_of_run(p.run(), p.state(), p.run().status),
                                  every=1e-9, failed=failed)  # fmt: skip
        if failed is None:
            with pytest.raises(FileNotFoundError):
                learn([[0.0], [1.0], [2.0]], [0, 1, 0], max_epochs=4, callback=checkpoints)
        else:
            learn([[0.0], [1.0], [2.0]], [0, 1, 0], max_epochs=4, callback=checkpoints)
            assert (len(told), checkpoints.failures, checkpoints.count) == (3, 3, 0)


def test_a_run_cannot_be_had_after_the_callback(tmp_path: Path) -> None:
    seen: list[Any] = []
    learn([[0.0], [1.0]], [0, 1], callback=seen.append)
    with pytest.raises(RuntimeError, match="the run has gone on since"):
        seen[0].run()


@pytest.mark.parametrize("batch_size", [1, 50])
def test_a_log_that_reaches_its_limit_ends_the_run_behind_a_chunk(batch_size: int) -> None:
    chance = np.random.default_rng(0)
    X = chance.standard_normal((9000, 3))
    y = X[:, 0] + chance.standard_normal(9000) > 0
    plan: dict[str, Any] = {"order": "shuffled", "readout": "voted", "max_epochs": 5, "batch_size": batch_size}
    whole = learn(X, y, **plan)
    limit = 40 * (whole.updates // 2)
    runs = [learn(X, y, **plan, log_limit=limit, threads=threads) for threads in (1, 3)]
    for run in runs:
        assert run.status.name == "log"
        assert run.state.visited % 9000 in (0, 4096, 8192)
        assert run.log is not None
        assert limit <= 40 * len(run.log) < limit + 40 * 4096
        assert run.status.reason.startswith(f"its log of {run.updates} updates has reached its limit, ")
        assert "readout='averaged' keeps none" in run.status.advice
        assert run.vote.moments == run.state.visited + 1
    assert runs[0].state.visited == runs[1].state.visited < whole.state.visited
    rest = learn(X, y, **plan, start=runs[0])
    assert rest.state.weights.tobytes() == whole.state.weights.tobytes()
    assert learn(X, y, **plan, start=runs[0], log_limit=limit).updates == runs[0].updates


def test_a_log_goes_on_behind_the_one_of_a_checkpoint(tmp_path: Path) -> None:
    sample = datasets.get("breast-cancer")
    plan: dict[str, Any] = {"order": "shuffled", "readout": "voted", "max_epochs": 4}
    whole, first = learn(*sample, **plan), learn(*sample, **{**plan, "max_epochs": 2})
    kept = model_of_run(first.read("last"), first.state, first.status)
    replace(kept, log=first.log).save(tmp_path / "c")
    again = Model.load(tmp_path / "c")
    assert again.log is not None
    rest = learn(*sample, **plan, start=again.state, log=again.log)
    for name in ("which", "output", "step", "count", "first"):
        assert getattr(rest.vote, name).tobytes() == getattr(whole.vote, name).tobytes()
    for start, log in ((whole.state, again.log), (None, again.log)):
        with pytest.raises(InputError, match="the log is not that of the state"):
            learn(*sample, **plan, start=start, log=log)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("row", 569, "a number of row"),
        ("output", 1, "a number of output"),
        ("visit", 0, "visits in order"),
        ("step", np.inf, "not finite"),
        ("change", None, "differ in length"),
    ],
)
def test_a_log_in_a_file_is_a_claim(tmp_path: Path, column: str, value: float | None, said: str) -> None:
    run = learn(*datasets.get("breast-cancer"), readout="voted", max_epochs=1)
    assert run.log is not None
    entries = getattr(run.log, column).copy()
    changed: Any = entries[1:] if value is None else np.concatenate([entries[:-1], [value]]).astype(entries.dtype)
    model = model_of_run(run.read("last"), run.state, run.status)
    replace(model, log=replace(run.log, **{column: changed})).save(tmp_path / "c")
    with pytest.raises(InputError, match=f"not a sound model: .*{said}"):
        Model.load(tmp_path / "c")
