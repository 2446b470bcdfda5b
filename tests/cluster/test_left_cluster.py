"""A cluster that fails, or is left: what was learnt by then is there, and a run is a value of its own."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from in_shards import assert_same_run, cut, even, learn_here, two_classes

from rosenblatt import DistributedPerceptron, InputError, Run, cluster
from rosenblatt.cluster.engine import Engine, Here
from rosenblatt.errors import ClusterError, LostClusterError
from rosenblatt.estimators import distributed
from rosenblatt.estimators.perceptron import model_after

X, Y = two_classes(1, 400, noise=0.2)
SIZES = even(400, 5)
PLANS: dict[str, dict[str, Any]] = {
    "plateau": {"tol": 1e-9, "patience": 4, "max_epochs": 12},
    "last": {"readout": ("last", "averaged"), "scale": "none", "tol": 1e-3, "patience": 3, "max_epochs": 9},
    "full batch": {"batch_size": "all", "max_epochs": 8},
}


def learnt_with(engine: Engine, **choices: Any) -> Run:
    return cluster.learn(engine, cut(X, SIZES), cut(Y, SIZES), **choices)


class FailsAt(Here):
    """A cluster that is lost at a certain call, or on which a shard fails then."""

    def __init__(self, call: int, error: Exception) -> None:
        self.left, self.error = call, error

    def _counted(self, call: Any, *given: Any, **more: Any) -> Any:
        self.left -= 1
        if not self.left:
            if isinstance(self.error, LostClusterError):
                raise self.error
            return super().each(self._fails, [None])
        return call(*given, **more)

    def _fails(self, *_: Any) -> None:
        raise self.error

    def joined(self, *given: Any) -> Any:
        return self._counted(super().joined, *given)

    def chained(self, *given: Any) -> Any:
        return self._counted(super().chained, *given)


@pytest.mark.parametrize("error", [LostClusterError("gone"), FileNotFoundError(2, "no such file", "b.svm")], ids=str)
@pytest.mark.parametrize("name", PLANS)
def test_whenever_a_cluster_fails_a_run_goes_on_from_what_was_learnt_to_the_same_bits(
    name: str, error: Exception
) -> None:
    plan = PLANS[name]
    whole, kept = learn_here(X, Y, SIZES, **plan), 0
    for call in range(1, 100):
        found, failed = attempt(FailsAt(call, error), plan)
        if found is not None:
            assert_same_run(found, whole)
            break
        assert failed is not None
        assert str(failed) == "gone" or "b.svm: no such file" in str(failed)
        assert str(failed).startswith(("gone", "shard 0"))
        if failed.run is not None:  # else before the first epoch
            kept += 1
            assert failed.run.status.name == "stopped"
            assert len(failed.run.history) == failed.run.epochs < whole.epochs
            assert_same_run(learn_here(X, Y, SIZES, start=failed.run, **plan), whole)
            failed.run = None
    assert kept >= whole.epochs


def attempt(engine: Engine, plan: dict[str, Any]) -> tuple[Run | None, ClusterError | None]:
    """A run, or what it failed with."""
    try:
        return learnt_with(engine, **plan), None
    except ClusterError as error:
        return None, error


class Closing(Here):
    """A cluster that can be left."""

    closed = False

    @property
    def is_closed(self) -> bool:
        return self.closed


def test_a_run_outlives_its_cluster() -> None:
    engine = Closing()
    run = learnt_with(engine, max_epochs=3)
    engine.closed = True
    assert run.source.gone
    assert run.to_dict()["bound"] is None
    assert "3 epochs spent" in run.summary()
    assert "3 epochs spent" in copy.deepcopy(run).summary()
    assert np.array_equal(run.predict(X), learn_here(X, Y, SIZES, max_epochs=3).predict(X))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda run: pickle.loads(pickle.dumps(run))], ids=["copy", "pickle"])  # noqa: S301
def test_a_run_goes_elsewhere_without_its_rows(copied: Any) -> None:
    run = learn_here(X, Y, SIZES, max_epochs=3)
    there = copied(run)
    assert (there.source.n_rows, there.source.n_columns, there.source.is_sparse) == (400, 5, False)
    assert there.source.classes.tolist() == [-1, 1]
    assert np.array_equal(there.predict(X), run.predict(X))
    assert there.to_dict()["bound"] is None
    with pytest.raises(InputError, match=r"^rows on a cluster: they were left on a cluster; open them again"):
        there.survey("last")
    onward = learn_here(X, Y, SIZES, max_epochs=5, start=there)
    assert_same_run(onward, learn_here(X, Y, SIZES, max_epochs=5, start=run))


@pytest.mark.parametrize("plan", [{}, {"batch_size": "all"}], ids=["mixing", "full batch"])
def test_rows_that_are_met_never_become_fewer(plan: dict[str, Any]) -> None:
    visited = list[int]()
    learnt_with(Here(), max_epochs=3, callback=lambda now: visited.append(now.visited) or False, **plan)
    assert visited == sorted(visited)
    assert visited[-1] == 1200


def test_marks_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="marks are counts of the rows of one run"):
        learnt_with(Here(), marks=[1, 10])


class Emptied(Here):
    """A cluster that can be asked things, and has no workers any more."""

    empty = False

    def joined(self, *given: Any) -> Any:
        if self.empty:
            raise LostClusterError("the Dask cluster has no workers, and nothing can be computed")
        return super().joined(*given)


@pytest.mark.parametrize("scale", ["none", "standard"])
def test_a_run_is_looked_at_while_its_cluster_has_no_workers(scale: str) -> None:
    engine = Emptied()
    assert learnt_with(engine, max_epochs=3, scale=scale).to_dict()["bound"] is not None
    run = learnt_with(engine, max_epochs=3, scale=scale)
    engine.empty = True
    assert run.to_dict()["bound"] is None
    assert "3 epochs spent" in run.summary()


def test_a_fit_that_is_through_when_the_cluster_goes_leaves_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Emptied()

    def lost(run: Run, watch: Any) -> Any:
        engine.empty = True
        return model_after(run, watch)

    monkeypatch.setattr(distributed, "model_after", lost)
    model = DistributedPerceptron(engine, max_iter=3, tol=None)
    with pytest.raises(LostClusterError) as failed:
        model.fit(cut(X, SIZES), cut(Y, SIZES))
    assert_same_run(failed.value.run, learnt_with(Here(), max_epochs=3, seed=0))
    assert not hasattr(model, "coef_")
