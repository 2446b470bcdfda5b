"""Cards for notebooks: well-formed, the numbers of the dictionary, users' text as text, and no search."""

import json
import time
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import Hyperplane, datasets, learn, least_mistakes, logistic_clinic, max_margin, network, separability
from rosenblatt.data.examples import Examples
from rosenblatt.data.rows import rows_of
from rosenblatt.data.source import Weighted
from rosenblatt.models.build import model_of_run
from rosenblatt.report.html import Listing, card, escaped, label
from rosenblatt.report.html_cards import run_card
from rosenblatt.report.html_tables import cells_of, columns_left, weights_table
from rosenblatt.report.text import number

FOUR = [[1.0], [2.0], [3.0], [4.0]], [1, 1, -1, -1]
HOSTILE = '<script>alert("1")</script>\x07&amp;'
SHOWN = '<script>alert("1")</script>\\x07&amp;'


class Reader(HTMLParser):
    """The tables of a piece of HTML as cells of text; every element is closed in its place."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.rows: list[list[str]] = []
        self.captions: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes += attrs
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "caption":
            self.captions.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        elif self.open[-1] == "caption":
            self.captions[-1] += data

    @property
    def facts(self) -> dict[str, str]:
        return {row[0]: row[1] for row in self.rows if len(row) == 2}


def read(result: Any) -> Reader:
    found = Reader(result._repr_html_())
    assert found.tags <= {"div", "table", "caption", "tr", "th", "td"}
    assert {name for name, _ in found.attributes} <= {"style", "scope", "colspan"}
    return found


def model_of(X: Any, y: Any, **choices: Any) -> Any:
    run = learn(Examples.of(np.asarray(X, dtype=float), y), **choices)
    return model_of_run(run, run.state, run.status, facts=True)


def hostile_examples(y: Any) -> Examples:
    signs = np.where(np.asarray(y) > 0, 1, -1).astype(np.int8)
    classes = np.array(["", HOSTILE], dtype=object)
    rows = rows_of(np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]))
    return Examples(rows, signs, classes, (HOSTILE, '\'onload="x"'))


def test_the_card_of_a_run_has_the_numbers_of_its_dictionary() -> None:
    run = learn(*FOUR, log=True)
    found, known = read(run), run.to_dict()
    assert found.rows[0] == ["Clean: epoch 11 made no update."]
    assert found.facts["epochs"] == str(known["epochs"]) == "11"
    assert found.facts["updates"] == str(known["updates"]) == "25"
    assert found.facts["mistakes in the first epoch"] == "2"
    assert found.facts["mistakes in the last epoch"] == "0"
    assert "at most (R'/margin)^2 = 986" in found.facts["against the theorem"]
    assert found.facts["learnt by"] == "perceptron, last readout, cyclic order"


def test_the_summary_of_a_run_says_what_train_would_say() -> None:
    said = learn(*FOUR).summary().splitlines()
    assert said[0] == "100.00% of the 4 training rows right; always answering -1 gets 50.00%."
    assert said[1] == "Clean: epoch 11 made no update; nothing can change any more."
    assert said[2] == "4 rows × 1 column; classes -1 (2 rows), 1 (2 rows)."
    assert "Learnt by perceptron, last readout, cyclic order: 11 epochs, 25 updates." in said
    assert max(map(len, said)) <= 80
    assert not any(line.startswith("Written") for line in said)
    guess = learn(*datasets.get("xor")).summary()
    assert "50.00% of the 4 training rows right, no better than always answering -1" in guess
    three = learn(Examples.of([[0.0], [1.0], [2.0]], ["a", "b", "c"]), seed=3, order="shuffled").summary()
    assert "classes a (1 row), b (1 row), c (1 row)" in three
    assert "shuffled order, seed 3" in three
    voted = learn(*FOUR, readout="voted").summary()
    assert "voted readout" in voted


def test_the_summary_counts_classes_only_of_rows_in_memory() -> None:
    class Elsewhere(Weighted):
        def __init__(self, source: Examples) -> None:
            super().__init__(source, np.ones(source.n_rows))
            self.in_memory = False

    run = learn(*FOUR)
    far = type(run)(**{**vars(run), "source": Elsewhere(run.examples)})
    assert far.summary().splitlines()[1] == "4 rows × 1 column."
    found = read(far)
    assert found.facts["data"] == "4 rows × 1 column"
    assert "against the theorem" not in found.facts  # it takes a pass over the rows


def test_the_card_of_a_verdict_shows_the_witness_and_asks_for_no_coefficients() -> None:
    verdict = separability(*datasets.get("xor"))
    found = read(verdict)
    assert "_logistic_regression" not in vars(verdict)
    assert found.rows[0] == ["Not separable: the classes overlap."]
    assert found.facts["logistic regression"] == "summary() tells"
    witness = verdict.to_dict()["witness"]
    shown = [row for row in found.rows if len(row) == 4][1:]
    expected = [[str(w["row"]), str(w["label"]), number(w["multiplier"]), w["exact"]] for w in witness]
    assert shown == expected
    assert len(shown) == 4
    assert read(verdict).facts["logistic regression"] == "a finite estimate"  # since to_dict asked


def test_a_separable_verdict_says_what_follows_at_once_and_which_coefficients_once_asked() -> None:
    verdict = separability(*FOUR)
    assert read(verdict).facts["logistic regression"].startswith("no finite estimate")
    verdict.to_dict()
    found = read(verdict)
    assert found.facts["margin of the one found"] == number(verdict.margin)
    assert ["x0", "-inf"] in found.rows
    assert ["(Intercept)", "+inf"] in found.rows


def test_a_quasi_separable_and_an_undecided_verdict_have_cards_of_their_own() -> None:
    quasi = read(separability([[0.0], [1.0], [1.0], [2.0]], [-1, -1, 1, 1]))
    assert quasi.rows[0] == ["Not separable: quasi-separable (quasi-complete separation)."]
    assert quasi.facts["on every boundary"] == "2 rows"
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 60))
    late = read(separability(X, np.where(X[:, 0] > 0, 1, -1), time_limit=1e-9))
    assert late.rows[0] == ["Undecided."]
    assert late.facts["search"]


def test_the_card_of_the_largest_margin() -> None:
    best = max_margin(*FOUR, offset=1)
    found, known = read(best), best.to_dict()
    assert found.facts["margin"] == number(known["margin"], 9) == "0.185695338"
    assert found.facts["none above"] == number(known["margin_upper"], 9)
    assert found.facts["a perceptron's updates"] == "at most 493"
    assert found.facts["(offset)"] == number(known["hyperplane"]["offset"])
    assert "2 rows hold it" in found.captions
    none = read(max_margin(*datasets.get("xor")))
    assert none.rows[0] == ["No margin: no hyperplane separates the rows."]


def test_the_card_of_the_fewest_mistakes_names_the_suspects() -> None:
    found = least_mistakes(*datasets.get("xor"))
    shown, known = read(found), found.to_dict()
    assert shown.facts["fewest mistakes"] == "1"
    first = known["suspects"][0]
    assert [str(first["row"]), str(first["label"]), f"{first['cost']:.2f}"] in [row[:3] for row in shown.rows]
    many = least_mistakes([[0.0]] * 60, [1, -1] * 30)
    assert many._repr_html_().count("<tr>") < 40
    assert f"and {len(many.suspects) - 10} more" in many._repr_html_()


def test_the_card_of_the_clinic() -> None:
    clinic = logistic_clinic([[0.0], [1.0], [1.0], [2.0]], [-1, -1, 1, 1])
    found, known = read(clinic), clinic.to_dict()
    assert found.rows[0] == ["No finite estimate: quasi-complete separation (the data are quasi-separable)."]
    assert found.facts["log-likelihood, in the limit"] == number(known["log_likelihood"])
    assert ["x0", "+inf"] in found.rows  # nothing is estimated, so no column is
    assert {tuple(row) for row in found.rows if len(row) == 2} >= {("0", "-1"), ("3", "1")}
    overlap = read(logistic_clinic(*datasets.get("xor")))
    assert ["coefficient", "status", "estimate", "std. error"] in overlap.rows
    assert ["x0", "finite", "0", "1"] in overlap.rows  # by symmetry; Σ x²/4 = 1


def test_the_card_of_a_model() -> None:
    model = model_of(*FOUR)
    found, known = read(model), model.to_dict()
    assert found.rows[0] == ["Model: Perceptron"]
    assert found.facts["x0"] == number(known["outputs"][0]["largest"][0]["weight"])
    assert found.facts["margin"] == number(known["facts"]["margin"])
    three = read(model_of([[0.0], [1.0], [2.0]], ["a", "", "c"], max_epochs=3))
    assert "Largest weights of class ''" in three.captions
    assert three.facts["margin, class by class"].count(",") == 2
    assert "vote" in read(model_of(*FOUR, readout="voted")).facts["weights"]


def test_an_audit_and_its_kin_in_plain_values_in_words_and_as_cards() -> None:
    run, best = learn(*FOUR, log=True), max_margin(*FOUR, offset=1)
    assert best.hyperplane is not None
    audit, bounds, bracket = run.audit(best.hyperplane), run.against(best), run.margin_bracket()
    known = json.loads(json.dumps(audit.to_dict(5), allow_nan=False))
    assert known["curves"]["updates"] == [0, 6, 12, 19, 25]
    assert known["curves"]["cosine"][0] is None  # w = 0 has no direction
    assert known["curves"]["norm2"][-1] == audit.norm2[-1]
    assert len(audit.to_dict()["curves"]["updates"]) == 26
    assert known["laws"][0]["bound"] == 493  # (√17 / γ′)², γ′² = 17/493
    assert ["1", "updates", "25", "at most 493"] in read(audit).rows
    json.dumps(bounds.to_dict(), allow_nan=False)
    assert bounds.to_dict()["difficulty"] == bounds.difficulty
    assert ["3", "cosine", "0.999703", "at least 0.225189"] in read(bounds).rows
    assert bounds.summary().startswith("25 updates, 25 mistakes, against a difficulty R′/γ′ of 22.2036.")
    assert "at most 493" in audit.summary()
    spread = bracket.to_dict(2)
    assert [entry["row"] for entry in spread["witness"]] == [2, 0]
    assert spread["witness_rows"] == 3
    assert sum(entry["multiplier"] for entry in bracket.to_dict()["witness"]) == 25
    assert read(bracket).facts["at most"] == number(bracket.upper)
    assert "on 3 rows" in bracket.summary()
    unlogged = learn(*FOUR).margin_bracket()
    assert unlogged.to_dict()["witness"] is None
    assert "steps" not in unlogged.summary()
    read(unlogged)


def test_a_law_without_a_bound_says_why() -> None:
    run = learn(*FOUR, log=True, max_epochs=2)
    bounds = run.against(Hyperplane([1.0], 0.0))
    assert bounds.to_dict()["difficulty"] is None
    assert "none: it does not separate the rows" in {row[-1] for row in read(bounds).rows}
    assert "infinity" in bounds.summary()


def test_a_network_in_plain_values_in_words_and_as_a_card() -> None:
    net = network.from_truth_table([0, 1, 1, 0])
    known = json.loads(json.dumps(net.to_dict()))
    assert known["formula"] == "x1·¬x2 + ¬x1·x2"
    assert known["hidden"] == [
        {"implicant": "10", "weights": [1.0, -1.0], "offset": -0.5},
        {"implicant": "01", "weights": [-1.0, 1.0], "offset": -0.5},
    ]
    found = read(net)
    assert found.facts["hidden units"] == "2, the fewest"
    assert ["1", "10", "1 -1", "-0.5"] in found.rows
    assert net.summary().startswith("An OR of 2 ANDs (the fewest): x1·¬x2 + ¬x1·x2")
    parity = network.from_function(lambda *bits: sum(bits) % 2, 6)
    assert "… and 12 more" in parity.summary()
    assert max(map(len, parity.summary().splitlines())) <= 80
    assert "and 22 more" in parity._repr_html_()
    assert read(network.from_truth_table([0, 0])).facts["formula"] == "0"


@pytest.mark.parametrize("y", [[1, 1, -1, -1], [1, -1, 1, -1]])
def test_what_a_user_named_is_text(y: list[int]) -> None:
    examples = hostile_examples(y)
    results = [separability(examples), least_mistakes(examples), logistic_clinic(examples), learn(examples)]
    results[0].to_dict()
    if separability(examples).separable:
        results += [max_margin(examples), model_of(np.eye(2), ["", HOSTILE])]
    for result in results:
        found = read(result)
        texts = [cell for row in found.rows for cell in row]
        assert any(SHOWN in text or "<script>" in text for text in texts), result
        assert all(text.isprintable() for text in texts)


def test_a_suspect_whose_label_is_empty_shows_quotes() -> None:
    rows = rows_of(np.array([[0.0], [1.0], [2.0], [3.0], [9.0]]))
    classes = np.array(["", HOSTILE], dtype=object)
    examples = Examples(rows, np.array([-1, -1, 1, 1, -1], dtype=np.int8), classes, (HOSTILE,))
    result = least_mistakes(examples)  # one mistake is enough only if it is the last row, of class ""
    assert next((suspect.row, suspect.label) for suspect in result.suspects) == (4, "")
    assert "''" in [cell for row in read(result).rows for cell in row]


@given(st.text())
def test_any_text_comes_back_as_itself(said: str) -> None:
    found = Reader(card(said, [(said, said)], Listing(said, [said], [[said]], 37)))
    shown = escaped(said)
    assert not set(shown) & set("<>\"'")
    assert found.rows[0][0] == found.rows[1][1] == found.rows[3][0]
    assert found.rows[0][0].isprintable()
    assert label(said)


def test_values_of_rows_are_columns_where_names_agree() -> None:
    one = {"cells": [{"name": "a", "value": 1.5}, {"name": "", "value": "x"}], "cells_hidden": 3}
    assert cells_of([one, one]) == (["a", "''"], [["1.5", "x"]] * 2)
    assert columns_left([one, one]) == "; 3 more columns not shown"
    other = {"cells": [{"name": "b", "value": 0}], "cells_hidden": 0}
    assert cells_of([one, other]) == (["values"], [["a 1.5, '' x and 3 more"], ["b 0"]])
    assert columns_left([one, other]) == columns_left([]) == columns_left([other]) == ""
    assert cells_of([{}]) == ([], [[]])


def test_weights_that_are_not_shown_are_counted() -> None:
    plane = {"largest": [{"name": f"x{j}", "weight": 9.0 - j} for j in range(9)], "nonzero": 30, "offset": 0.0}
    assert weights_table(plane, 4).hidden == 26
    assert weights_table(plane, 4).rows[-1] == ["(offset)", "0"]


def test_null_wherever_it_may_be_is_shown_as_unknown() -> None:
    data = {"rows": 0, "columns": 0, "classes": None}
    run = learn(*FOUR).to_dict() | {"bound": None, "advice": "", "mistakes": {"first_epoch": None, "last_epoch": None}}
    assert "mistakes in the last epoch" not in Reader(run_card(data, run)).facts


@pytest.mark.serial
@pytest.mark.slow
def test_a_card_of_many_rows_and_columns_is_cheap_and_small() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50_000, 20))
    y = np.where(X @ rng.normal(size=20) > 0, 1, -1)
    run, verdict = learn(X, y, max_epochs=3), separability(X, y)
    wide = model_of(rng.normal(size=(4, 10_000)), [0, 1, 0, 1])
    for result in (run, verdict, wide):
        began = time.process_time()
        assert len(result._repr_html_()) < 20_000
        assert time.process_time() - began < 2
