"""When a checkpoint is written: by the clock, and at the ends of epochs that it costs less than 1 % of."""

import time
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import Examples, Model, datasets, learn
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
    assert (checkpoints.count, checkpoints.failures) == (7, 0)  # not at its end, from which nothing goes on
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
