"""The referee on accuracies: recomputed from weights on rows held out, a seed a repetition, averaged over the sets."""

import numpy as np
import pytest
from sklearn.linear_model import Perceptron

from benchmarks import discovery, referee, results
from benchmarks.contest import AbsentError, Claim, Data, Entry, Fit, Task
from benchmarks.findings import Report

pytestmark = pytest.mark.slow  # the contest that they share

THEIRS, OURS = "theirs", "ours"
POINTS = (Claim(OURS, THEIRS, at_least=1.0, how="points"),)


def overlapping() -> Data:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    y = np.where(X[:, 0] + rng.standard_normal(300) > 0, 1, -1)
    return Data("overlapping", X[:200], y[:200], held_out=Data("held out", X[200:], y[200:]))


def absent() -> Data:
    raise AbsentError("ROSENBLATT_DATA is not set")


def contest(name: str, data) -> Task:
    entries = (
        Entry(THEIRS, "scikit-learn", Fit("accuracy")),
        Entry(OURS, "rosenblatt, estimator", Fit("accuracy")),
    )
    return Task(name, "the same rows", entries, POINTS, data, unit="%", repeats=3)


def average(*names: str) -> Task:
    return Task("average", "all sets", (), POINTS, unit="%", over=names)


@pytest.fixture(scope="module")
def report() -> Report:
    return referee.hold(contest("one", overlapping), discovery.peers())


def test_a_repetition_is_a_seed_and_the_accuracy_is_that_on_the_rows_held_out(report):
    data = overlapping()
    theirs = next(standing for standing in report.standings if standing.label == THEIRS)
    models = [Perceptron(random_state=seed).fit(data.rows, data.labels) for seed in range(3)]
    expected = [100 * model.score(data.held_out.rows, data.held_out.labels) for model in models]
    assert theirs.costs == pytest.approx(expected, abs=1e-12)
    assert len(set(theirs.costs)) > 1


def test_the_figure_is_the_mean_over_the_seeds(report):
    theirs, ours = (np.array(standing.costs) for standing in report.standings)
    assert report.findings[0].median == pytest.approx((ours - theirs).mean())
    assert report.findings[0].met == ((ours - theirs).mean() >= 1)


def test_over_the_sets_each_counts_once_and_those_not_run_are_named(report):
    missing = referee.hold(contest("two", absent), discovery.peers())
    found = referee.gather(average("one", "two"), [report, missing])
    assert found.findings[0].median == pytest.approx(report.findings[0].median)
    assert found.absent == (("two", "not run"),)


def test_of_a_void_set_nothing_is_concluded(report):
    void = Report(contest("two", absent), void=("failed",))
    assert referee.gather(average("one", "two"), [report, void]).void == ("two is void",)


def test_the_section_has_the_figures_or_says_that_it_was_not_run(report):
    title, *lines = results.held_out([report, referee.gather(average("one"), [report])])
    assert "Held-out accuracy" in title
    assert lines[0] == "| data set | theirs | ours | difference |"
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| overlapping", "| mean of 1 sets"]
    missing = referee.hold(contest("two", absent), discovery.peers())
    nothing = [missing, referee.gather(average("two"), [missing])]
    assert results.held_out(nothing)[1] == "Not run: the data (ROSENBLATT_DATA is not set)."
