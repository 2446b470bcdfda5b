"""The door: what is let in as it is, what is copied once, and what is refused in one clear line."""

import copy
import pickle
from typing import Any

import laws
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning

from rosenblatt import (
    Examples,
    InputError,
    Model,
    OnlinePerceptron,
    Perceptron,
    Status,
    learn,
    least_mistakes,
    logistic_clinic,
    max_margin,
    read,
    separability,
)
from rosenblatt.data.rows import rows_of

X = np.array([[1.0, 2.0], [3.0, -1.0], [-2.0, 0.5]])
Y = np.array([1, -1, 1])


def broken(**parts: Any) -> sp.csr_array:
    """A CSR matrix whose inside was changed after it was made."""
    matrix = sp.csr_array(X)
    for name, value in parts.items():
        setattr(matrix, name, np.asarray(value))
    return matrix


BAD_ROWS = {
    "no rows": (np.empty((0, 2)), "no rows"),
    "no features": (np.empty((3, 0)), "no features"),
    "no rows, sparse": (sp.csr_array((0, 2)), "no rows"),
    "one dimension": (np.ones(3), r"reshape\(-1, 1\)"),
    "three dimensions": (np.ones((3, 1, 1)), "3 dimension"),
    "objects": (np.array([[1, "a"], [2, "b"], [3, None]], dtype=object), "type object"),
    "strings": (np.array([["1", "2"]] * 3), "type <U1"),
    "complex": (X + 1j, "type complex128"),
    "ragged": ([[1, 2], [3], [4, 5]], "table of numbers"),
    "masked": (np.ma.masked_array(X, X == 0.5), "row 2, column 1: masked"),
    "big integers": (np.array([[2**53 + 1, 0]] * 3), r"2\*\*53"),
    "column too large": (broken(indices=[0, 1, 0, 7, 0, 1]), "row 1 names column 7, expected 0 to 1"),
    "column negative": (broken(indices=[0, 1, 0, 1, -1, 1]), "row 2 names column -1"),
    "indptr too short": (broken(indptr=[0, 2, 6]), "indptr has 3 entries, expected 4"),
    "indptr falls": (broken(indptr=[0, 4, 2, 6]), "falls to 2 after row 1"),
    "indptr ends too far": (broken(indptr=[0, 2, 4, 60]), "ends at 60"),
    "indptr starts late": (broken(indptr=[1, 2, 4, 6]), "starts at 1"),
    "indptr negative": (broken(indptr=[0, -2, 4, 6]), "falls to -2 after row 0"),
    "too few indices": (broken(indices=[0, 1, 0]), "6 values but 3 indices"),
    "real indices": (broken(indices=np.zeros(6)), "must be integers"),
    "sparse objects": (broken(data=np.array([1, "a", 2, 3, 4, 5], dtype=object)), "type object"),
}


@pytest.mark.parametrize("case", BAD_ROWS)
def test_bad_rows_are_refused_in_one_line(case: str) -> None:
    rows, message = BAD_ROWS[case]
    with pytest.raises(InputError, match=message) as caught:
        learn(rows, Y)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("start", [None, ([1.0, 1.0], 1.0)])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, lambda x: x.astype(np.float32)])
def test_a_value_that_is_not_finite_is_named_by_row_and_column(form: Any, start: Any, value: float) -> None:
    rows = X.copy()
    rows[1, 1] = value
    with pytest.raises(InputError, match="row 1, column 1: not a finite number"):
        learn(form(rows), Y, start=start)
    with pytest.raises(InputError, match="row 1, column 1"):
        learn(form(rows), Y, offset="radius")
    with pytest.raises(InputError, match="row 1, column 1"):
        learn(X, Y).hyperplane.scores(form(rows))


def test_the_row_that_is_not_finite_is_found_in_any_order_and_any_chunk() -> None:
    rows = np.ones((10_000, 3))
    rows[8191, 2] = np.nan
    for order in ("cyclic", "shuffled"):
        for threads in (1, 3):
            with pytest.raises(InputError, match="row 8191, column 2"):
                learn(rows, np.ones(10_000), order=order, threads=threads)


BAD_LABELS = {
    "too few": ([1, -1], "3 rows but 2 labels"),
    "two dimensions": ([[1, 1], [-1, 1], [1, 1]], r"shape \(3, 2\)"),
    "three dimensions": ([[[1]], [[-1]], [[1]]], r"shape \(3, 1, 1\)"),
    "not a number": ([1, np.nan, 1], "label of row 1: nan"),
    "one class of text": (["a", "a", "a"], "one class only: all rows carry the label 'a'"),
    "zeros alone": ([0, 0, 0], "one class only: all rows carry the label 0"),
    "nothing": (["a", None, "b"], "label of row 1: None; every row needs a label"),
}


@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_labels_are_refused(case: str) -> None:
    labels, message = BAD_LABELS[case]
    with pytest.raises(InputError, match=message):
        learn(X, labels)


def test_a_column_of_labels_is_taken_for_its_labels() -> None:
    """Of shape (n, 1), as a frame of one column is: every door takes it, and says so where it was called."""
    labels = np.array([1, -1, -1])
    names = np.where(labels > 0, "yes", "no")
    rows = np.array([[1.0, 2.0], [3.0, -1.0], [-2.0, 0.5]])
    model = Perceptron().fit(rows, names)._model
    doors = {
        "learn": lambda y: learn(rows, y(labels)).hyperplane.w.tolist(),
        "Examples.of": lambda y: Examples.of(rows, y(names)).labels.tolist(),
        "Examples.signed": lambda y: Examples.signed(rows, y(labels)).labels.tolist(),
        "separability": lambda y: separability(rows, y(names)).kind,
        "each class": lambda y: [v.kind for v in separability(rows, y(names), multiclass="rest").values()],
        "max_margin": lambda y: max_margin(rows, y(names)).margin,
        "least_mistakes": lambda y: least_mistakes(rows, y(labels)).upper,
        "margins": lambda y: learn(Examples.of(rows, names)).hyperplane.margin(rows, y(names)),
        "score": lambda y: model.score(rows, y(names)),
        "read": lambda y: read(pd.DataFrame(rows, columns=["a", "b"]), y=y(names)).labels.tolist(),
    }
    for name, door in doors.items():
        plain = door(lambda values: values)
        for form in (lambda values: values[:, None], lambda values: pd.DataFrame({"y": values})):
            with pytest.warns(UserWarning, match=r"labels of shape \(n, 1\) are taken as \(n,\)") as heard:
                assert door(form) == plain, name
            assert {one.filename for one in heard} == {__file__}, name
    online = OnlinePerceptron(), OnlinePerceptron()
    with pytest.warns(UserWarning, match="taken as"):
        online[0].learn_many([{"a": 1.0}, {"b": 1.0}], np.array([[True], [False]]))
    online[1].learn_many([{"a": 1.0}, {"b": 1.0}], [True, False])
    assert online[0].to_json() == online[1].to_json()
    with pytest.warns(DataConversionWarning) as heard:
        peer = Perceptron().fit(rows, names[:, None])
    assert len(heard) == 1  # scikit-learn has said it
    assert peer.coef_.tolist() == Perceptron().fit(rows, names).coef_.tolist()


def test_labels_may_be_missing_only_where_examples_bring_them() -> None:
    with pytest.raises(InputError, match="labels are missing"):
        learn(X)
    with pytest.raises(InputError, match="leave out y"):
        learn(Examples.of(X, Y), Y)


def test_one_class_alone_is_fine() -> None:
    run = learn(X, [1, 1, 1])
    assert run.status.name == "clean"
    assert (run.hyperplane.predict(X) == 1).all()


@pytest.mark.parametrize("weights", [[1, 2], [1, np.nan, 1], [1, -1, 1], [1, np.inf, 1], ["a", "b", "c"]])
def test_bad_sample_weights_are_refused(weights: list[Any]) -> None:
    with pytest.raises(InputError, match="sample_weight"):
        learn(X, Y, sample_weight=weights)


def test_sound_rows_are_used_in_place() -> None:
    for rows in (X, X.astype(np.float32)):
        before = rows.tobytes()
        learn(rows, Y)
        assert rows.tobytes() == before
    dense = np.arange(8.0).reshape(4, 2)
    view = rows_of(dense)
    dense[2, 1] = np.nan  # seen by the view: it is no copy
    with pytest.raises(InputError, match="row 2, column 1"):
        learn(Examples(view, np.array([1, 1, -1, -1], dtype=np.int8), np.array([-1, 1])))


@pytest.mark.parametrize("form", ["csc_array", "coo_array", "lil_array", "dok_array", "csr_matrix", "bsr_array"])
def test_every_sparse_form_gives_the_same_run(form: str) -> None:
    expected = learn(sp.csr_array(X), Y)
    run = learn(getattr(sp, form)(X), Y)
    assert np.array_equal(run.state.weights, expected.state.weights)


def test_unsorted_and_repeated_indices_are_summed_and_the_matrix_left_alone() -> None:
    values, columns, starts = (
        np.array([2.0, 1.0, 3.0, -1.0, 0.5, 1.5]),
        np.array([1, 0, 0, 0, 1, 1]),
        np.array([0, 2, 4, 6]),
    )
    matrix = sp.csr_array((values, columns, starts), shape=(3, 2))
    run = learn(matrix, Y, rule="passive-aggressive", offset=0, max_epochs=5)
    plain = learn(matrix.toarray(), Y, rule="passive-aggressive", offset=0, max_epochs=5)
    np.testing.assert_allclose(run.state.weights, plain.state.weights, rtol=1e-12)
    assert matrix.indices.tolist() == [1, 0, 0, 0, 1, 1]
    assert matrix.nnz == 6


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int32, np.int64, np.float16, np.longdouble])
def test_every_real_type_is_read_as_numbers(dtype: Any) -> None:
    rows = np.array([[1, 0], [0, 1], [1, 1]]).astype(dtype)
    assert np.array_equal(learn(rows, Y).state.weights, learn(rows.astype(float), Y).state.weights)


@pytest.mark.parametrize(
    "labels", [[2**63 + 1, 2**63, 2**63], ["2020-01-01", "2021-01-01", "2020-01-01"], [2.5, 1e300, 2.5]]
)
def test_predictions_are_the_labels_themselves(labels: list[Any]) -> None:
    given = np.array(labels, dtype="datetime64[ns]" if isinstance(labels[0], str) else None)
    run = learn(Examples.of(X, given))
    for predicted in (run.predict(X), run.hyperplane.predict(X)):
        assert predicted.dtype == given.dtype
        assert np.array_equal(predicted, given)
    assert run.hyperplane.margin(X, given) > 0


def test_indices_of_other_sparse_forms_are_checked_before_scipy_reads_them() -> None:
    csc = sp.csc_array(X)
    csc.indices[0] = 2**30
    coo = sp.coo_array(X)
    coo.coords[0][0] = 2**30
    for matrix in (csc, coo):
        with pytest.raises(InputError, match="sparse matrix"):
            learn(matrix, Y)
    csr = sp.csr_array(X)
    csr.indices[0] = 2**30
    with pytest.raises(InputError, match="names column"):
        learn(X, Y).hyperplane.project(csr)


def test_lists_tuples_and_whole_numbers_are_rows_too() -> None:
    assert learn([(1, 2), (3, -1), (-2, 1)], (1, -1, 1)).status.name == "clean"


def test_examples_take_any_two_labels_and_predict_in_them() -> None:
    examples = Examples.of(X, ["up", "down", "up"], feature_names=["a", "b"])
    assert examples.classes.tolist() == ["down", "up"]
    run = learn(examples)
    assert run.hyperplane.predict(X).tolist() == ["up", "down", "up"]
    assert run.hyperplane.margin(X, ["up", "down", "up"]) > 0
    with pytest.raises(InputError, match="label of row 1: 'left'"):
        run.hyperplane.margin(X, ["up", "left", "up"])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "a", "a"], "two classes are needed"),
        ([1.0, np.nan, 2.0], "label of row 1: nan"),
        (np.array(["2020", "NaT", "2021"], dtype="datetime64[D]"), "label of row 1: NaT"),
        (np.ma.masked_array([1, 2, 1], [False, True, False]), "label of row 1: masked"),
        ([1, "a", None], "label of row 2: None"),
        (np.array([1, "a", 2], dtype=object), "labels of mixed types"),
    ],
)
def test_examples_refuse_what_is_no_label(labels: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Examples.of(X, np.array(labels, dtype=object) if isinstance(labels, list) and None in labels else labels)


class Frame:
    """As much of a data frame as matters here."""

    def __init__(self, table: np.ndarray, columns: list[str]) -> None:
        self.table, self.columns = table, columns

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.table, dtype=dtype)


def test_a_frame_brings_its_names_and_errors_use_them() -> None:
    assert Examples.of(Frame(X, ["height", "weight"]), Y).feature_names == ("height", "weight")
    rows = X.copy()
    rows[1, 1] = np.nan
    with pytest.raises(InputError, match=r"row 1, column 1 \(weight\): not a finite"):
        learn(Examples.of(Frame(rows, ["height", "weight"]), Y))
    mixed = np.array([[1.0, "a"], [2.0, "b"], [3.0, "c"]], dtype=object)
    with pytest.raises(InputError, match="column 'name' holds something else"):
        learn(Frame(mixed, ["height", "name"]), Y)


def frames() -> dict[str, Any]:
    """From columns to a frame, by the frame's kind."""
    pa, pd, pl = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "polars"))
    return {
        "table": pa.table,
        "batch": lambda columns: pa.table(columns).combine_chunks().to_batches()[0],
        "pandas": pd.DataFrame,
        "polars": pl.DataFrame,
    }


@pytest.mark.parametrize("kind", ["table", "batch", "pandas", "polars"])
def test_the_names_of_every_frame_are_those_of_its_columns(kind: str) -> None:
    make, names = frames()[kind], ("height", "weight")
    frame = make({"height": X[:, 0], "weight": X[:, 1]})
    for y in (Y, ["up", "down", "up"]):
        assert Examples.of(frame, y).feature_names == names
        assert separability(frame, y).examples.feature_names == names
        assert set(separability(frame, y).coefficients) == {*names, "(offset)"}
        assert set(logistic_clinic(frame, y).coefficients) == {*names, "(offset)"}
        assert max_margin(frame, y).examples.feature_names == names
        assert least_mistakes(frame, y).examples.feature_names == names
    for door in (learn, Examples.of, separability):
        with pytest.raises(InputError, match="frame: row 1, column 'weight': missing value"):
            door(make({"height": X[:, 0], "weight": [1.0, np.nan, 2.0]}), Y)
    model = Model(
        "Perceptron", {}, np.array([-1, 1]), names, np.array([[1.0], [1.0]]), np.zeros(1), Status("clean", "", "")
    )
    assert model.predict(frame).tolist() == [1, 1, -1]
    assert model.predict(make({"weight": X[:, 1], "height": X[:, 0]})).tolist() == [1, 1, -1]
    with pytest.raises(InputError, match="1 column of the model not in it: 'height'; there are 'weight'"):
        model.predict(make({"weight": X[:, 1]}))


def test_examples_refuse_names_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="1 feature names for 2 columns"):
        Examples.of(X, Y, feature_names=["a"])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_examples_and_runs_can_be_copied_to_another_process(form: Any) -> None:
    X, y = laws.integers(1)
    run = learn(Examples.of(form(X), np.where(y > 0, "a", "b")), readout=("voted", "pocket", "averaged"), max_epochs=4)
    expected = run.scores(X)
    for copied in (
        pickle.loads(pickle.dumps(run)),  # noqa: S301 - our own bytes
        copy.deepcopy(run),
    ):
        assert np.array_equal(copied.scores(X), expected)
        assert np.array_equal(copied.read("pocket").predict(X), run.read("pocket").predict(X))
        assert copied.examples.digest() == run.examples.digest()
