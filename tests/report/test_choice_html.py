"""What a choice shows of itself in a notebook, alone and with its model."""

import re
from html import unescape
from typing import Any

import numpy as np
import pytest

from rosenblatt import Examples, LinearClassifier, Perceptron, datasets
from rosenblatt.learning.choose import choose
from rosenblatt.report.choice import headline, judged
from rosenblatt.runs.choice import Candidate, Choice, Tried


def cells(html: str) -> list[str]:
    return [unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", html)]


def made(right: float | None = 0.9, guess: float | None = 0.6, **more: Any) -> Choice:
    """Two candidates, the second of which was chosen; a third left float64."""
    tried = (
        Tried(Candidate("coin"), 3, 0.85, 6, "stale"),
        Tried(Candidate("relative-margin", 1.0, "standard"), 2, right, 4, "epochs"),
        Tried(Candidate("scinol"), 0, None, 1, "fault"),
    )
    known = {"rows": 100, "seed": 0, "folds": 5, "held_out": 100, "lead": 0.05, "lead_error": 0.02} | more
    return Choice(**known, most_common=guess, tried=tried, chosen=1)


def test_a_card_shows_the_candidates_the_chosen_one_first() -> None:
    shown = cells(made()._repr_html_())
    assert shown[0] == (
        "The best linear model gets 90.00% of the rows held out right; a guess at the most common class, 60.00%."
    )
    at = shown.index("candidate")
    assert shown[at : at + 4] == ["candidate", "accuracy", "epochs", "ended"]
    rows = [shown[k : k + 4] for k in range(at + 4, at + 16, 4)]
    assert [row[:3] for row in rows] == [
        ["relative-margin 1, standardised", "90.00%", "2"], ["coin", "85.00%", "3"], ["scinol", "–", "–"],
    ]  # fmt: skip
    assert [row[3] for row in rows][::2] == ["chosen", "its numbers left float64"]
    assert "100, in 5 folds" in shown
    assert "5.00 ± 2.00 points" in shown


def test_what_it_was_judged_by_is_one_sentence_and_weights_are_said() -> None:
    said = judged(made().to_dict())
    assert said.startswith(
        "Accuracy by 5 folds of 100 rows; the best of several looks a little better than it is. Chosen"
    )
    heavy = made(weighted=True)
    assert judged(heavy.to_dict()).startswith("Accuracy by 5 folds of 100 rows, by weight; the best")
    assert "90.00%, by weight" in cells(heavy._repr_html_())


def test_without_a_next_best_there_is_no_lead() -> None:
    assert "ahead of the next by" not in made(lead=None, lead_error=None)._repr_html_()


@pytest.mark.parametrize(("right", "better"), [(0.61, True), (0.6, False), (0.5, False)])
def test_one_that_is_no_better_than_a_guess_is_said_to_be_none(right: float, better: bool) -> None:
    assert ("no better than that" in headline(made(right).to_dict())) != better


def test_of_too_few_rows_there_is_no_table() -> None:
    tried = (Tried(Candidate("relative-margin", 1.0, "standard"), 10, None, 0, "epochs"),)
    shown = Choice(8, 0, 0, 0, None, tried, 0, None, None)._repr_html_()
    assert "8 rows are too few to choose by" in shown
    assert "candidate" not in shown


def test_a_model_shows_its_choice_and_one_that_was_not_chosen_none() -> None:
    sample = datasets.noisy(60, 3, noise=0.1, seed=2)
    fitted = LinearClassifier().fit(*sample)
    _, choice = choose(Examples.of(*sample))
    shown = cells(fitted._model._repr_html_())
    for one in choice.tried:
        at = shown.index(one.candidate.name)
        assert shown[at + 1 : at + 3] == [f"{one.accuracy:.2%}", str(one.epochs)]
    assert shown.index("candidate") < shown.index("weight of")
    plain = Perceptron(max_iter=2, tol=None).fit(np.array([[0.0], [1.0]]), [0, 1])
    assert "candidate" not in plain._model._repr_html_()
