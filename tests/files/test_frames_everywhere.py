"""Data frames of pandas, polars and pyarrow, wherever rows are taken: as the same table in a file, bit for bit."""

import datetime
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import (
    Examples,
    InputError,
    Model,
    learn,
    least_mistakes,
    logistic_clinic,
    max_margin,
    read,
    separability,
    study,
)
from rosenblatt.data.rows import matrix_of

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

# Six people: the arm of a trial, an age, a dose, and whether they were cured.
COLUMNS: dict[str, list[Any]] = {
    "arm": ["A", "B", "C", "A", "B", "C"],
    "age": [31, 45, 52, 28, 60, 37],
    "dose": [0.5, 1.25, 0.0, 2.0, 0.1, 3.5],
}
CURED = ["no", "yes", "yes", "no", "no", "yes"]
NAMES = ("arm=A", "arm=B", "arm=C", "age", "dose")
# Worked out by hand: a column for each arm, then the numbers.
ROWS = [
    [1, 0, 0, 31, 0.5],
    [0, 1, 0, 45, 1.25],
    [0, 0, 1, 52, 0.0],
    [1, 0, 0, 28, 2.0],
    [0, 1, 0, 60, 0.1],
    [0, 0, 1, 37, 3.5],
]

FORMS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "object": lambda columns: pd.DataFrame(columns).astype({"arm": object}),
    "string": lambda columns: pd.DataFrame(columns).astype({"arm": "string"}),
    "category": lambda columns: pd.DataFrame(columns).astype({"arm": "category"}),
    "nullable": lambda columns: pd.DataFrame(columns).astype({"age": "Int64", "dose": "Float64"}),
    "arrow-backed": lambda columns: pd.DataFrame(columns).astype({"age": "int64[pyarrow]", "dose": "double[pyarrow]"}),
    "polars": pl.DataFrame,
    "categorical": lambda columns: pl.DataFrame(columns).with_columns(pl.col("arm").cast(pl.Categorical)),
    "table": pa.table,
    "batch": lambda columns: pa.table(columns).combine_chunks().to_batches()[0],
    "dictionary": lambda columns: pa.table({**columns, "arm": pa.array(columns["arm"]).dictionary_encode()}),
}


def dense(examples: Any) -> list[list[float]]:
    matrix = matrix_of(examples.rows)
    found: list[list[float]] = (matrix.toarray() if hasattr(matrix, "toarray") else matrix).tolist()
    return found


def as_csv(folder: Path, columns: dict[str, list[Any]]) -> Path:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    (folder / "table.csv").write_text("\n".join(lines) + "\n")
    return folder / "table.csv"


@pytest.mark.parametrize("form", FORMS)
def test_a_frame_is_the_same_rows_as_its_file(form: str, tmp_path: Path) -> None:
    frame = FORMS[form](COLUMNS)
    file = read(as_csv(tmp_path, {**COLUMNS, "cured": CURED}), label="cured")
    assert dense(file) == ROWS
    assert file.feature_names == NAMES
    for examples in (Examples.of(frame, CURED), read(frame, CURED), learn(frame, CURED).examples):
        assert dense(examples) == ROWS
        assert examples.feature_names == NAMES
        assert examples.digest(every_row=True) == file.digest(every_row=True)
    run, same = learn(frame, CURED), learn(file)
    assert run.hyperplane.w.tolist() == same.hyperplane.w.tolist() == learn(ROWS, CURED).hyperplane.w.tolist()
    assert run.classes.tolist() == ["no", "yes"]


@pytest.mark.parametrize("form", ["object", "category", "nullable", "polars", "table"])
def test_every_question_takes_a_frame(form: str) -> None:
    frame, plain = FORMS[form](COLUMNS), np.array(ROWS)
    assert separability(frame, CURED).kind == separability(plain, CURED).kind == "separable"
    assert separability(frame, CURED, multiclass="rest").keys() == {"no", "yes"}
    assert max_margin(frame, CURED, offset=0).margin2 == max_margin(plain, CURED, offset=0).margin2
    assert least_mistakes(frame, CURED).upper == 0
    assert logistic_clinic(frame, CURED).kind == "separable"
    assert study(frame, CURED, time_limit=1.0).verdict.kind == "separable"


def test_a_hyperplane_takes_frames_of_numbers_and_names_what_is_none() -> None:
    plane = learn([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0]], [1, 1, -1]).hyperplane
    numbers = pd.DataFrame({"a": pd.array([1, 2], dtype="Int64"), "b": [True, False]})
    assert plane.scores(numbers).tolist() == plane.scores([[1, 1], [2, 0]]).tolist()
    with pytest.raises(InputError, match="column 'b' holds something else"):
        plane.scores(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}))


def test_booleans_are_numbers_and_categories_of_numbers_are_categories() -> None:
    frame = pd.DataFrame({"old": [True, False, True], "ward": pd.Series([3, 7, 3], dtype="category")})
    examples = Examples.of(frame, ["a", "b", "a"])
    assert examples.feature_names == ("old", "ward=3", "ward=7")
    assert dense(examples) == [[1, 1, 0], [0, 0, 1], [1, 1, 0]]


# Labels.


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (pd.Series(["no", "yes", "no"], dtype="category"), ["no", "yes"]),
        (pd.Series([True, False, True], dtype="boolean"), [False, True]),
        (pd.Series([0, 1, 0], dtype="Int64"), [0, 1]),
        (pl.Series(["no", "yes", "no"]), ["no", "yes"]),
        (pl.Series([0.0, 1.0, 0.0]), [0, 1]),
        (pa.array([1, 2, 1]), [1, 2]),
        (pa.chunked_array([["no", "yes"], ["no"]]), ["no", "yes"]),
        ([1, -1, 1], [-1, 1]),
        (["a", "b", "c"], ["a", "b", "c"]),
    ],
)
def test_labels_may_be_any_values(y: Any, classes: list[Any]) -> None:
    X = np.array([[1.0, 2.0], [-1.0, 0.5], [2.0, 2.0]])
    run = learn(X, y, max_epochs=50)
    assert run.classes.tolist() == classes == learn(Examples.of(X, y), max_epochs=50).classes.tolist()
    assert run.predict(X).tolist() == np.asarray(y).tolist()


def test_signs_stay_what_they_are() -> None:
    X, y = np.array([[1.0], [2.0], [3.0]]), [1, 1, -1]
    assert learn(X, y).hyperplane.w.tolist() == learn(Examples.signed(X, y)).hyperplane.w.tolist()
    assert learn(X, [1.0, 1.0, 1.0]).classes.tolist() == [-1, 1]  # all on one side of a hyperplane: a question, too
    assert learn(X, y).source.feature_names is None


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["yes"] * 6, "one class only: all rows carry the label 'yes'"),
        (pd.Series(["no", None, "no", "yes", "no", "no"]), "label of row 1: .*every row needs a label"),
        (pd.Series(["no", pd.NA] * 3, dtype="string"), "label of row 1: <NA>; every row needs a label"),
        (pl.Series([1.0, None] * 3), "label of row 1: nan"),
        (["no"] * 5, "6 rows but 5 labels"),
        (pd.Series(CURED, index=range(1, 7)), "X and y have different indexes"),
    ],
)
def test_labels_that_are_none_are_refused(y: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        learn(pd.DataFrame(COLUMNS), y)


# What can be no feature.


def frames_with(name: str, values: list[Any]) -> list[Any]:
    columns = {"age": list(range(len(values))), name: values}
    return [pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)]


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)], "dates; turn it into numbers first, e.g. days since"),
        ([datetime.datetime(2020, 1, 1, 3), datetime.datetime(2021, 1, 1)], "dates; turn it into numbers first"),
        ([datetime.time(1), datetime.time(2)], "times; turn it into numbers first, e.g. seconds since midnight"),
        ([datetime.timedelta(1), datetime.timedelta(2)], "durations; turn it into numbers first"),
        ([[1, 2], [3]], "lists; turn it into numbers first, a column each"),
        ([b"a", b"b"], "bytes; turn it into numbers first"),
    ],
)
def test_what_is_no_number_is_refused_by_its_column(values: list[Any], what: str) -> None:
    for frame in frames_with("when", values):
        for door in (learn, separability, max_margin, logistic_clinic, least_mistakes, Examples.of, study):
            with pytest.raises(InputError, match=f"frame: column 'when': holds {what}"):
                door(frame, ["a", "b"])


def test_a_mix_is_refused_by_its_rows() -> None:
    mixed = pd.DataFrame({"a": [1, 2, 3, 4], "b": pd.Series([None, "x", 2.5, "y"], dtype=object)})
    with pytest.raises(InputError, match=r"column 'b': row 1 holds 'x' \(str\), row 2 2.5 \(float\); expected"):
        learn(mixed, [1, 1, -1, -1])
    with pytest.raises(InputError, match="column 'b': holds objects of Python"):
        learn(pl.DataFrame({"a": [1, 2], "b": pl.Series([1, "x"], dtype=pl.Object)}), [1, -1])


def test_what_is_missing_is_refused_by_its_place() -> None:
    for values in ([1.5, None, 2.0], ["x", None, "y"]):
        for frame in frames_with("b", values):
            with pytest.raises(InputError, match=r"frame: row 1, column 'b': missing value; .*rosenblatt.read"):
                learn(frame, [1, 1, -1])
            assert read(frame, ["p", "q", "q"], missing="drop").n_rows == 2
    nullable = pd.DataFrame({"a": pd.array([1, 2, None], dtype="Int64")})
    with pytest.raises(InputError, match="frame: row 2, column 'a': missing value"):
        separability(nullable, [1, 1, -1])
    with pytest.raises(InputError, match="frame: row 1, column 'b': infinity"):
        learn(pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, np.inf]}), [1, -1])
    with pytest.raises(InputError, match="row 0, column 'b': 9007199254740993 is beyond"):
        learn(pd.DataFrame({"a": [0.5, 2.0], "b": [2**53 + 1, 1]}), [1, -1])


# Predictions by name.


@pytest.mark.parametrize("form", FORMS)
def test_a_run_finds_columns_by_their_names(form: str) -> None:
    run = learn(FORMS[form](COLUMNS), CURED, max_epochs=10_000, readout=("last", "averaged", "voted"))
    turned = FORMS[form]({name: COLUMNS[name][::-1] for name in ("dose", "arm", "age")})
    for readout in ("last", "averaged", "voted"):
        one = run.read(readout)
        assert one.scores(turned).tolist() == one.scores(np.array(ROWS)[::-1]).tolist()
    assert run.predict(turned).tolist() == CURED[::-1]


def test_a_run_says_what_it_lacks_and_what_it_leaves_out() -> None:
    run = learn(pd.DataFrame(COLUMNS), CURED)
    with pytest.raises(InputError, match="2 columns of the model not in it: 'arm', 'dose'; there are 'age'"):
        run.predict(pl.DataFrame({"age": [31.0]}))
    with pytest.raises(InputError, match=r"no column of the model in it, .*; there are 'weight'"):
        run.predict(pl.DataFrame({"weight": [31.0]}))
    with pytest.raises(InputError, match="row 0, column 'age': missing value"):
        run.predict(pl.DataFrame({"arm": ["A"], "age": [None], "dose": [1.0]}))
    more = pa.table({"seen": [datetime.date(2020, 1, 1)], "dose": [0.5], "age": [31], "arm": ["A"]})
    with pytest.warns(UserWarning, match="frame: left out 1 column that the model does not know: 'seen'") as caught:
        assert run.scores(more).tolist() == run.scores(np.array(ROWS[:1])).tolist()
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="1 value that the model does not know, taken for none: 'arm=D'"):
        unseen = run.scores(pd.DataFrame({"arm": ["D"], "age": [31], "dose": [0.5]}))
    assert unseen.tolist() == run.scores([[0, 0, 0, 31, 0.5]]).tolist()


def test_a_file_and_a_frame_stand_for_each_other(tmp_path: Path) -> None:
    whole = {"cured": CURED, **COLUMNS}
    run = learn(read(as_csv(tmp_path, whole), label="cured"), max_epochs=10_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the label's column is known, and needs no word
        assert run.predict(pd.DataFrame(whole)).tolist() == CURED
        assert run.predict(pl.DataFrame(COLUMNS)).tolist() == CURED
    filled = learn(read(pd.DataFrame({"a": [1.0, None, 5.0]}), ["n", "n", "y"], missing="mean"))
    assert filled.scores(pd.DataFrame({"a": [None, 3.0]}, dtype=float)).tolist() == filled.scores([[3], [3]]).tolist()


def test_numbers_of_a_text_column_are_taken_as_text_again() -> None:
    run = learn(read(pd.DataFrame({"ward": ["3", "7", "3"]}), ["n", "y", "n"]))
    assert run.predict(pd.DataFrame({"ward": [7, 3]})).tolist() == ["y", "n"]


def test_a_model_keeps_how_a_frame_was_read() -> None:
    from rosenblatt.models.build import model_of_run

    run = learn(pd.DataFrame(COLUMNS), CURED, max_epochs=10_000)
    model = Model.from_json(model_of_run(run, run.state, run.status).to_json())
    assert model.predict(pl.DataFrame(COLUMNS).select("dose", "age", "arm")).tolist() == CURED
    assert model.score(pa.table(COLUMNS), CURED) == 1.0


# Weights and counts.


@pytest.mark.parametrize("make", [pd.Series, pl.Series, pa.array, lambda v: pd.Series(v, dtype="Int64"), np.array])
def test_weights_and_counts_may_be_columns(make: Callable[[list[int]], Any]) -> None:
    X, y, often = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2]], [0, 1, 0, 1, 1], [2, 1, 1, 3, 2]
    twice = np.repeat(np.arange(5), often)
    assert logistic_clinic(X, y, counts=make(often)).total == 9
    found = logistic_clinic(X, y, counts=make(often)).coefficients["x1"].estimate
    assert found == pytest.approx(logistic_clinic(np.array(X)[twice], np.array(y)[twice]).coefficients["x1"].estimate)
    weighted = learn(X, y, sample_weight=make(often), max_epochs=3).hyperplane.w
    assert weighted.tolist() == learn(X, y, sample_weight=[float(c) for c in often], max_epochs=3).hyperplane.w.tolist()


def test_weights_that_are_missing_are_refused_by_their_row() -> None:
    for some in (pd.Series([1, None, 2], dtype="Int64"), pl.Series([1, None, 2]), pa.array([1, None, 2])):
        with pytest.raises(InputError, match="sample_weight of row 1: nan"):
            learn([[1], [2], [3]], [1, 1, -1], sample_weight=some)
        with pytest.raises(InputError, match="count of row 1: nan"):
            logistic_clinic([[1], [2], [3]], [1, 1, -1], counts=some)
    with pytest.raises(InputError, match="one number for each of the 3 rows"):
        learn([[1], [2], [3]], [1, 1, -1], sample_weight=pd.Series(["a", "b", "c"]))


def test_arrays_ask_for_no_library_of_frames() -> None:
    program = (
        "import sys, numpy as np; from rosenblatt import Examples, learn, separability\n"
        "X, y = np.eye(3), ['a', 'b', 'a']\n"
        "learn(X, y).predict(X), Examples.of(X, y), separability(X, y)\n"
        "print([name for name in ('pandas', 'polars', 'pyarrow', 'narwhals', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
