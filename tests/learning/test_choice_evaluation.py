"""What a choice says of the chosen one: the same as learning it again without the rows that were held out."""

from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris

from rosenblatt import Examples, InputError, learn
from rosenblatt.learning.choose import choose
from rosenblatt.learning.race import format_for, parts_of
from rosenblatt.runs.choice import Choice


@pytest.mark.parametrize("data", [load_breast_cancer, load_iris], ids=["two classes", "three"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_rows_held_out_say_the_same_of_the_chosen_one_learnt_alone(data: Any, weighted: bool) -> None:
    X, y = data(return_X_y=True)
    own = np.random.default_rng(0).integers(1, 3, y.size).astype(float) if weighted else np.ones(y.size)
    examples = Examples.of(X, y)
    _, choice = choose(examples, seed=2, sample_weight=own if weighted else None)
    found = choice.evaluation
    part = parts_of(2, np.arange(y.size), format_for(y.size, X.size))
    predicted, scores, wins, pairs = np.empty(y.size, y.dtype), np.empty(y.size), 0.0, 0.0
    for fold in range(choice.folds):
        run = learn(examples, **choice.plan(), sample_weight=np.where(part == fold, 0.0, own))
        held = part == fold
        predicted[held] = run.predict(X[held])
        if choice.evaluation.auc is not None:
            scores[held] = run.scores(X[held]).reshape(-1)
            weight = np.prod([(y[held] == k).sum() for k in (0, 1)])
            wins += weight * metrics.roc_auc_score(y[held], scores[held])
            pairs += weight
    # The choice goes by weight; what is said of the chosen one counts every row once.
    assert metrics.accuracy_score(y, predicted, sample_weight=own) == pytest.approx(choice.best.accuracy, abs=1e-11)
    assert np.bincount(y, own).max() / own.sum() == pytest.approx(choice.most_common)
    assert found.accuracy == metrics.accuracy_score(y, predicted)
    assert found.baseline == np.bincount(y).max() / y.size
    matrix = metrics.confusion_matrix(y, predicted)
    counted = np.zeros(matrix.shape)
    for label, given, count in found.pairs:
        counted[label, given] = count
    assert counted.tolist() == matrix.tolist()
    assert found.macro_f1 == pytest.approx(metrics.f1_score(y, predicted, average="macro"))
    assert (found.auc is None) == (len(set(y)) > 2)
    assert found.auc is None or found.auc == pytest.approx(wins / pairs)
    assert (choice.weighted, found.n_rows) == (weighted, y.size)
    assert ("by weight" in choice.summary()) is weighted


def test_few_rows_say_nothing_and_a_file_keeps_no_evaluation() -> None:
    X, y = load_iris(return_X_y=True)
    assert choose(Examples.of(X[45:60], y[45:60]))[1].evaluation is None
    _, choice = choose(Examples.of(X, y))
    assert type(choice).of_dict(choice.to_dict()).evaluation is None


def test_a_choice_from_a_file_knows_whether_it_went_by_weight_and_older_files_open() -> None:
    X, y = load_iris(return_X_y=True)
    _, choice = choose(Examples.of(X, y), sample_weight=1.0 + y)
    known = choice.to_dict()
    assert known["weighted"] is Choice.of_dict(known).weighted is True
    del known["weighted"]
    assert Choice.of_dict(known).weighted is False
    with pytest.raises(InputError, match="choice: expected"):
        Choice.of_dict({**known, "weighted": 1})
