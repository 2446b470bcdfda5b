"""scikit-learn's callbacks, which it has from 1.9 on. Without them the estimators do the same, and tell nobody."""

import warnings

import pytest
from sklearn.datasets import load_iris

from rosenblatt import Perceptron

IRIS = load_iris(return_X_y=True)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


class Recorder:
    """A callback of scikit-learn's 1.9 protocol, that stops after some epochs."""

    def __init__(self, stop=None):
        self.calls, self.stop = [], stop

    def setup(self, estimator, context):
        self.calls.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.calls.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.calls.append(f"end {context.task_name}")
        self.score = fitted_estimator.score(*IRIS)
        return context.task_name == "epoch" and self.calls.count("end epoch") == self.stop

    def teardown(self, estimator, context):
        self.calls.append("teardown")


def test_callbacks_see_every_epoch_and_may_stop_the_run():
    recorder = Recorder()
    model = Perceptron(max_iter=3, tol=None).set_callbacks(recorder).fit(*IRIS)
    epochs = ["begin epoch", "end epoch"] * 3
    assert recorder.calls == ["setup", "begin fit", *epochs, "end fit", "teardown"]
    assert recorder.score == model.score(*IRIS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it was the callback's wish
        model = Perceptron(max_iter=9, tol=None).set_callbacks(Recorder(stop=2)).fit(*IRIS)
    assert model.n_iter_ == 2
    assert str(model.status_) == "stopped: the callback ended the run in epoch 2; partial_fit goes on"


def test_a_vote_is_shown_to_callbacks_when_it_is_counted():
    class Looker(Recorder):
        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            self.calls.append(fitted_estimator is None)

    looker = Looker()
    Perceptron(readout="voted", max_iter=2, tol=None).set_callbacks(looker).fit(*IRIS)
    assert looker.calls.count(True) == 2
    assert looker.calls[-2:] == [False, "teardown"]


def test_callbacks_of_scikit_learn_itself(capsys):
    from sklearn.callback import ScoringMonitor

    monitor = ScoringMonitor(scoring="accuracy")
    model = Perceptron(max_iter=4, tol=None, verbose=1).set_callbacks(monitor).fit(*IRIS)
    assert capsys.readouterr().out.splitlines()[0].startswith("epoch 1: ")
    assert model.n_iter_ == 4
