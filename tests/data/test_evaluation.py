"""Evaluation: every figure as scikit-learn has it, and the edges: one class, a class never predicted, ties."""

import math
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from rosenblatt import InputError
from rosenblatt.data.chances import sign_test, wilson
from rosenblatt.data.evaluation import Evaluation
from rosenblatt.data.tally import evaluate
from rosenblatt.report.evaluation import figures

LABELS: dict[str, Any] = {
    "numbers": lambda k: np.array([10 * j - 5 for j in range(k)]),
    "text": lambda k: np.array([f"class {j:02d}" for j in range(k)], dtype=object),
    "truth": lambda k: np.array([False, True]),
}


def cases() -> Iterator[Any]:
    for K, kind in [
        (2, "numbers"),
        (2, "text"),
        (2, "truth"),
        (3, "text"),
        (3, "numbers"),
        (40, "text"),
        (40, "numbers"),
    ]:
        yield pytest.param(K, kind, id=f"{K} {kind}")


def made(K: int, kind: str, n: int = 300) -> tuple[Any, ...]:
    chance = np.random.default_rng(K)
    classes = LABELS[kind](K)
    a = chance.choice(K, n, p=chance.dirichlet(np.ones(K)))
    b = np.where(chance.random(n) < 0.6, a, chance.integers(0, max(2, K - 1), n))  # the last is rarely predicted
    scores = np.round(chance.normal(size=n) + a, 1) if K == 2 else None  # with ties
    return classes, a, b, scores


@pytest.mark.parametrize(("K", "kind"), [*cases()])
def test_every_figure_is_scikit_learns(K: int, kind: str) -> None:
    classes, a, b, scores = made(K, kind)
    found = evaluate(classes[a], classes[b], classes, scores=scores)
    kept = np.arange(len(classes))[np.isin(np.arange(len(classes)), np.concatenate([a, b]))]
    assert found.names == classes[kept].tolist()
    assert found.accuracy == pytest.approx(metrics.accuracy_score(a, b), rel=1e-12)
    own = {"labels": kept, "zero_division": 0.0}
    assert found.macro_f1 == pytest.approx(metrics.f1_score(a, b, average="macro", **own), rel=1e-12)
    precision, recall, f1, support = metrics.precision_recall_fscore_support(a, b, **own)
    assert np.nan_to_num(found.precision) == pytest.approx(precision)
    assert np.nan_to_num(found.recall) == pytest.approx(recall)
    assert found.f1 == pytest.approx(f1)
    assert found.rows == pytest.approx(support)
    if set(b) <= set(a):  # else scikit-learn warns of classes without rows
        assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(a, b), rel=1e-12)
    matrix = metrics.confusion_matrix(a, b, labels=kept)
    at = {label: k for k, label in enumerate(found.names)}
    counted = np.zeros_like(matrix, dtype=float)
    for label, predicted, count in found.pairs:
        counted[at[label], at[predicted]] = count
    assert counted == pytest.approx(matrix.astype(float))
    if scores is None:
        assert (found.auc, found.auc_why) == (None, "more than two classes")
    else:
        assert found.auc == pytest.approx(metrics.roc_auc_score(a, scores), rel=1e-12)
        folds = np.arange(a.size) % 3
        own_pairs = [
            (metrics.roc_auc_score(a[part], scores[part]), a[part].sum() * (1 - a[part]).sum())
            for part in (folds == k for k in range(3))
        ]
        together = evaluate(classes[a], classes[b], classes, scores=scores, folds=folds)
        assert together.auc == pytest.approx(sum(auc * n for auc, n in own_pairs) / sum(n for _, n in own_pairs))


def test_the_accuracy_of_each_fold_and_their_spread() -> None:
    labels, predicted, folds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1])
    known = evaluate(labels, predicted, np.array([0, 1]), folds=folds).to_dict("folds")
    assert known["folds"] == {"accuracies": [0.5, 1.0], "mean": 0.75, "spread": pytest.approx(math.sqrt(0.125))}
    said = dict(figures(known))["by fold"]
    assert said == "75.00% ± 35.36 points, mean and standard deviation"
    alone = evaluate(labels, predicted, np.array([0, 1]), folds=np.zeros(4, np.int64)).to_dict("folds")
    assert alone["folds"] == {"accuracies": [0.75], "mean": 0.75, "spread": None}
    assert dict(figures(alone))["by fold"] == "75.00%"


def test_the_docstring_names_the_fields_that_there_are() -> None:
    named = re.findall(r"^    (\w[\w, ]*)$", Evaluation.__doc__ or "", re.MULTILINE)
    assert [one for line in named for one in line.split(", ")] == [field.name for field in fields(Evaluation)]


def test_rows_of_one_class_have_no_auc_and_say_so() -> None:
    found = evaluate(np.array([1, 1, 1]), np.array([1, 0, 1]), np.array([0, 1]), scores=np.array([1.0, -1.0, 2.0]))
    known = found.to_dict("labelled")
    assert (known["auc"], known["auc_why"]) == (None, "rows of one class only")
    assert known["accuracy"] == known["balanced_accuracy"] == pytest.approx(2 / 3)
    assert known["classes"][0] == {
        "label": 0, "rows": 0, "predicted": 1, "right": 0, "precision": 0.0, "recall": None, "f1": 0.0,
    }  # fmt: skip
    assert evaluate(np.array([0, 1]), np.array([0, 0]), np.array([0, 1])).to_dict("labelled")["classes"][1] == {
        "label": 1, "rows": 1, "predicted": 0, "right": 0, "precision": None, "recall": 0.0, "f1": 0.0,
    }  # fmt: skip


def test_labels_that_the_model_does_not_know_are_wrong_and_named() -> None:
    found = evaluate(
        np.array([0, 1, 7, 9]), np.array([0, 1, 1, 0]), np.array([0, 1]), scores=np.array([-1, 1, 2, -3.0])
    )
    assert (found.accuracy, found.unknown, found.disjoint, found.auc) == (0.5, [7, 9], False, 1.0)
    found = evaluate(np.array(["x", "y"]), np.array([0, 1]), np.array([0, 1]))
    assert (found.accuracy, found.unknown, found.disjoint) == (0.0, ["x", "y"], True)


def test_labels_of_another_type_are_compared_as_text() -> None:
    found = evaluate(np.array(["0", "1", "1"]), np.array([0, 1, 0]), np.array([0, 1]), training={0: 5, 1: 9})
    assert (found.accuracy, found.baseline_label, found.baseline, found.unknown) == (2 / 3, "1", 2 / 3, [])


def test_the_baseline_is_of_the_training_rows_where_they_are_known() -> None:
    labels, predicted = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])
    here = evaluate(labels, predicted, np.array([0, 1]))
    there = evaluate(labels, predicted, np.array([0, 1]), training={0: 3, 1: 4})
    assert (here.baseline_label, here.baseline_of, here.baseline) == (0, "labelled", 0.75)
    assert (there.baseline_label, there.baseline_of, there.baseline) == (1, "training", 0.25)
    absent = evaluate(np.array([0]), np.array([0]), np.array([0, 1, 2]), training={2: 1})
    assert (absent.baseline_label, absent.baseline) == (2, 0.0)


def beside(only_right: int, only_baseline: int, both: int = 10) -> Evaluation:
    """So many rows that the predictions alone get right, and the baseline alone."""
    labels = np.array([1] * only_right + [0] * (only_baseline + both + only_right))
    predicted = np.array([1] * only_right + [1] * only_baseline + [0] * (both + only_right))
    return evaluate(labels, predicted, np.array([0, 1]))


@pytest.mark.parametrize(
    ("right", "baseline", "verdict"),
    [
        (6, 0, "better"),
        (5, 0, "chance"),
        (0, 0, "no-better"),
        (3, 3, "no-better"),
        (2, 6, "no-better"),
        (0, 6, "worse"),
    ],
)
def test_better_than_the_baseline_means_beyond_chance(right: int, baseline: int, verdict: str) -> None:
    # A fair coin falls six times of six on one side once in 64, which is less than 2.5 %; five of five once in 32.
    assert beside(right, baseline).verdict == verdict


def test_the_sign_test_and_its_approximation() -> None:
    for ahead, behind in [(8, 1), (60, 40), (520, 480)]:
        n = ahead + behind
        exact = sum(math.comb(n, k) for k in range(ahead, n + 1)) / 2**n
        assert sign_test(ahead, behind) == exact
    exact = sum(math.comb(1100, k) for k in range(590, 1101)) / 2**1100
    assert sign_test(590, 510) == pytest.approx(exact, rel=0.02)


@pytest.mark.parametrize(("share", "n"), [(0.0, 5), (1.0, 5), (0.5, 1), (0.9, 10), (0.999, 100_000)])
def test_wilsons_interval_holds_the_shares_that_the_normal_test_does_not_refuse(share: float, n: int) -> None:
    low, high = wilson(share, n)
    assert 0 <= low <= share <= high <= 1
    for end in {low, high} - {0.0, 1.0}:  # there the test is at its limit
        assert abs(share - end) / math.sqrt(end * (1 - end) / n) == pytest.approx(1.959964, rel=1e-5)


def test_no_rows_are_no_evaluation() -> None:
    with pytest.raises(InputError, match="no rows to judge by"):
        evaluate(np.array([]), np.array([]), np.array([0, 1]))
