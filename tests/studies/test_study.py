"""A study: each part is what its own function says, the dictionary keeps to its schema, and no part is invented."""

import json
from importlib.resources import files
from itertools import product
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest

import rosenblatt
from rosenblatt import Examples, InputError, datasets, learn, least_mistakes, max_margin, separability, study
from rosenblatt.report.plain import spread
from rosenblatt.studies.learning import VISITS, epochs_for

SCHEMA = json.loads((files("rosenblatt.cli") / "schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator({"$ref": "#/$defs/study.result", "$defs": SCHEMA["$defs"]})


def report_of(found: Any) -> dict[str, Any]:
    """The report, which must be JSON and keep to its schema."""
    report = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    VALIDATOR.validate(report)
    return report


def as_meant(name: str) -> Any:
    sample = datasets.get(name)
    plan = {"order": "cyclic", **sample.plan} if sample.y.size <= 20 else {}
    return study(sample.examples(), name=name, **plan)


@pytest.mark.parametrize("name", [name for name in datasets.names() if name not in ("breast-cancer", "iris")])
def test_every_example_can_be_studied(name: str) -> None:
    found = as_meant(name)
    report = report_of(found)
    assert report["title"] == name
    assert report["training"]["status"] == found.run.status.name
    assert max(map(len, found.summary().splitlines())) <= 80
    assert "-0 " not in found.summary()


def test_separable_rows_give_the_numbers_of_the_functions() -> None:
    X, y = datasets.get("four-on-a-line")
    found = study(X, y, order="cyclic")
    report = report_of(found)
    run = learn(X, y, log=True)
    assert report["verdict"]["kind"] == "separable"
    assert report["margin"]["margin"] == max_margin(X, y).margin == pytest.approx(0.5)
    assert report["augmented"]["most_updates"] == 493
    assert report["training"]["updates"] == run.updates == 25
    assert report["training"]["history"]["mistakes"] == run.history.mistakes.tolist()
    assert next((law["law"], law["value"]) for law in report["theorem"]["laws"]) == ("1", 25)
    curves = report["theorem"]["curves"]
    audit = run.audit(max_margin(X, y, offset=1).hyperplane)
    assert curves["norm2"] == audit.norm2.tolist()
    assert all(a >= b for a, b in zip(curves["cosine"][1:], curves["cosine_floor"][1:], strict=True))
    assert report["mistakes"] is None
    assert report["clinic"]["kind"] == "separable"


def test_the_distribution_of_margins_counts_every_row_once() -> None:
    sample = datasets.noisy(300, 5, noise=0.05, seed=3)
    found = study(*sample, time_limit=2)
    margins = report_of(found)["margins"]
    plane = found.run.hyperplane
    true = plane.geometric_margins(sample.X, sample.y)
    for part in ("before", "after"):
        assert sum(margins[part]["histogram"]["counts"]) == 300
    assert margins["after"]["wrong"] == int((true <= 0).sum())
    assert margins["after"]["quantiles"]["0"] == pytest.approx(true.min())
    assert margins["after"]["quantiles"]["0.5"] == pytest.approx(np.median(true))
    # The first epoch alone, learnt again, ends where the run was then.
    first = learn(*sample, order="shuffled", max_epochs=1)
    assert margins["before"]["quantiles"]["1"] == pytest.approx(first.hyperplane.geometric_margins(*sample).max())


def test_inseparable_rows_get_witness_bracket_readouts_and_cycle() -> None:
    X, y = datasets.get("xor")
    report = report_of(study(X, y, order="cyclic", offset=0))
    assert [row["row"] for row in report["verdict"]["witness"]] == [0, 1, 2, 3]
    cells = report["verdict"]["witness"][1]["cells"]
    assert [(cell["name"], cell["value"]) for cell in cells] == [("x0", 1.0), ("x1", -1.0)]
    # A half-plane gets at most three corners of the diagonals right: by all lines through midpoints, it is one mistake.
    assert (report["mistakes"]["lower"], report["mistakes"]["upper"]) == (1, 1)
    assert report["training"]["cycle"]["epochs"] == 1
    assert {one["readout"] for one in report["training"]["readouts"]} == {"last", "averaged", "pocket", "voted"}
    assert report["margin"] is None
    assert report["theorem"] is None
    assert [note["part"] for note in report["notes"]] == ["training", "theorem"]
    assert "differ in size" not in report["notes"][0]["text"]


def test_a_run_no_better_than_a_guess_is_told_to_scale_where_columns_differ() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2)) * [1, 1e4]
    y = np.where(X[:, 0] > 1, 1, -1)
    notes = {note["part"]: note["text"] for note in study(X, y, time_limit=1, max_epochs=3).to_dict()["notes"]}
    assert "no fewer than a guess" in notes["training"]
    assert "columns differ in size, which the perceptron minds; to predict, take the best" in notes["training"]
    few = study(X[:15], y[:15], time_limit=1, max_epochs=3).to_dict()  # no model was chosen to point to
    assert "divide each by its spread" in few["notes"][0]["text"]


def test_a_shuffled_run_is_asked_for_its_cycle_in_a_fixed_order() -> None:
    X, y = datasets.get("xor")
    found = study(X, y)
    assert found.run.plan.order == "shuffled"
    assert found.cycle is not None
    assert found.cycle.plan.order == "cyclic"
    assert found.cycle.status.name == "loop"


def test_readouts_are_counted_as_predict_counts() -> None:
    sample = datasets.noisy(120, 3, noise=0.1, seed=1)
    found = study(*sample, time_limit=1)
    for one in found.to_dict()["training"]["readouts"]:
        wrong = int((found.run.read(one["readout"]).predict(sample.X) != sample.y).sum())
        assert one["wrong"] == wrong, one


def test_of_three_classes_each_is_asked_about_and_the_first_that_overlaps_is_gone_into() -> None:
    iris = datasets.get("iris")
    found = study(iris.examples(), time_limit=1)
    report = report_of(found)
    kinds = {one["class"]: one["kind"] for one in report["classes"]}
    assert kinds == {"setosa": "separable", "versicolor": "overlapping", "virginica": "overlapping"}
    assert report["data"]["positive"] == "versicolor"
    assert len(found.model.classes) == 3
    other = study(iris.examples(), positive="setosa", time_limit=1)
    assert other.verdict.kind == "separable"
    assert other.positive == "setosa"


def test_the_class_asked_about_is_the_positive_one() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    assert study(X, y).positive == "b"
    turned = study(X, y, positive="a")
    assert turned.positive == "a"
    assert turned.run.hyperplane.w[0] < 0
    with pytest.raises(InputError, match="no row has the label 'c'; the labels are"):
        study(X, y, positive="c")


def test_the_same_rows_give_the_same_study() -> None:
    sample = datasets.noisy(200, 4, noise=0.02, seed=2)

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: timeless(entry) for name, entry in value.items() if name != "seconds"}
        return [timeless(entry) for entry in value] if isinstance(value, list) else value

    once, again = (timeless(study(*sample, time_limit=30).to_dict()) for _ in range(2))
    assert once["training"] == again["training"]
    assert once["margins"] == again["margins"]
    assert once["verdict"] == again["verdict"]


def test_cells_of_sparse_rows_are_those_of_dense_ones() -> None:
    sample = datasets.noisy(60, 40, noise=0.2, seed=5)
    X = np.where(np.abs(sample.X) < 0.1, 0.0, sample.X)
    import scipy.sparse as sp

    dense, sparse = (study(rows, sample.y, time_limit=1).to_dict() for rows in (X, sp.csr_array(X)))
    assert dense["verdict"]["kind"] == sparse["verdict"]["kind"]
    for entry in sparse["verdict"]["witness"] or sparse["margin"]["support"]:
        if "cells" in entry:
            assert [cell["value"] for cell in entry["cells"]] == [
                X[entry["row"], int(cell["name"][1:])] for cell in entry["cells"]
            ]
            assert entry["cells_hidden"] == 28


def test_a_long_run_is_held_against_the_theorem_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rosenblatt.studies.study._REPLAYED", 10)
    X, y = datasets.get("four-on-a-line")
    report = report_of(study(X, y, order="cyclic"))
    assert report["theorem"]["curves"] is None
    assert [law["law"] for law in report["theorem"]["laws"]] == ["1", "3", "6", "9"]
    assert "25 updates are too many to follow" in report["notes"][0]["text"]
    assert "holds at the end; 4 laws apply" in study(X, y, order="cyclic").summary()


def test_what_is_left_out_is_said() -> None:
    rows = [[float(j == i) for j in range(30)] for i in range(30)]
    found = study(rows, [f"k{i}" for i in range(30)], time_limit=1)
    report = report_of(found)
    assert len(report["classes"]) == 20
    assert report["notes"][0] == {
        "part": "classes", "text": "only 20 of 30 classes were asked about, each against the rest",
    }  # fmt: skip


@pytest.mark.parametrize(("n", "most"), list(product((1, 2, 399, 400, 401, 10_000), (2, 400))))
def test_thinning_keeps_the_ends_and_no_more_than_asked(n: int, most: int) -> None:
    kept = spread(n, most)
    assert kept[0] == 0
    assert kept[-1] == n - 1
    assert sorted(set(kept)) == kept
    assert len(kept) == min(n, most)


def test_the_budget_is_of_visits_and_not_of_time() -> None:
    assert epochs_for(4) == 10_000
    assert epochs_for(VISITS) == 10
    assert epochs_for(1000) * 1000 == VISITS


def test_what_cannot_be_studied_is_refused() -> None:
    with pytest.raises(InputError, match=r"labels are missing: study\(X, y\)"):
        study([[1.0]])
    with pytest.raises(InputError, match="one class only"):
        study([[1.0], [2.0]], ["a", "a"])
    with pytest.raises(InputError, match="leave out y"):
        study(Examples.of([[1.0], [2.0]], [0, 1]), [0, 1])
    with pytest.raises(InputError, match="time_limit"):
        study([[1.0], [2.0]], [0, 1], time_limit=0)


def test_one_class_through_the_origin() -> None:
    sample = datasets.get("tight")
    found = study(*sample, **sample.plan, order="cyclic", through_origin=True)
    assert found.verdict.through_origin
    assert found.run.updates == found.augmented.to_dict()["most_updates"] == 5


def test_the_parts_are_there_as_the_nouns_they_are() -> None:
    sample = datasets.get("xor")
    found = study(*sample)
    assert found.verdict.check().holds
    assert isinstance(found.mistakes, rosenblatt.LeastMistakes)
    assert found.mistakes.upper == least_mistakes(*sample).upper
    assert found.verdict.kind == separability(*sample).kind
    assert repr(found) == "<Study of data, 4 × 2: overlapping; the run ended plateau>"


def test_text_has_a_reference_in_questions_and_all_levels_in_learning() -> None:
    frame = pd.DataFrame({"arm": list("AAAAABBBBCCC"), "age": [30, 41, 52, 44, 61, 60, 35, 48, 50, 44, 58, 31]})
    y = [0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1]
    found = study(frame, y)
    assert found.verdict.examples.feature_names == ("arm=B", "arm=C", "age")
    assert found.run.examples.feature_names == ("arm=A", "arm=B", "arm=C", "age")
    assert found.verdict.coefficients == separability(frame, y).coefficients
    assert {name: one.status for name, one in found.clinic.coefficients.items()} == {
        "arm=B": "finite", "arm=C": "+inf", "age": "finite", "(offset)": "finite",
    }  # fmt: skip
    assert found.theorem is not None
    assert "the coefficient of armC diverges" in found.summary()
    assert study(frame, y, coding="levels").verdict.examples.feature_names == found.run.examples.feature_names


def test_of_three_classes_each_is_asked_about_under_reference_coding() -> None:
    frame = pd.DataFrame({"arm": list("ABCABCAABB"), "x": [0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9]})
    found = study(frame, list("uvwuvwuuvw"))
    for one in found.each:
        assert one.verdict.examples.feature_names == ("arm=B", "arm=C", "x")
    assert found.question.n_columns == found.run.examples.n_columns == 4
    assert found.question.labels.tolist() == found.verdict.examples.labels.tolist()
