"""Models in files: nothing is lost, nothing is run, and nothing damaged is taken for a model."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import scipy.sparse as sp
from sklearn.datasets import load_iris

from rosenblatt import (
    Examples,
    InputError,
    MaxMarginClassifier,
    Model,
    OnlinePerceptron,
    Perceptron,
    from_json,
    from_liblinear,
    learn,
    load,
)
from rosenblatt.cli import main
from rosenblatt.models.build import model_of_run
from rosenblatt.models.records import VERSION

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

IRIS = load_iris(return_X_y=True)
GOLDEN = Path(__file__).parent / "golden"
LABELS = {
    "small": np.array([0, 1, 2]),
    "large": np.array([-(2**62) - 1, 2**53 + 1, 2**63 - 1]),
    "unsigned": np.array([1, 2**63, 2**64 - 1], dtype=np.uint64),
    "bytes": np.array([0, 1, 2], dtype=np.int8),
    "strings": np.array(["né", "дa", "日本語 𝟙"]),
    "objects": np.array(["a", "b", "longer"], dtype=object),
    "floats": np.array([-1.0, 0.0, 1.0]),
    "float32": np.array([0.0, 1.0, 2.0], dtype=np.float32),
}


def models():
    X, y = IRIS
    for readout in ("last", "averaged", "voted", "pocket"):
        for kind in ("ovr", "direct"):
            yield Perceptron(readout=readout, multiclass=kind, max_iter=10).fit(X, y), X
        yield Perceptron(readout=readout, max_iter=10, order="cyclic").fit(sp.csr_array(X), y == 1), X
    yield Perceptron(rule="pa-1", C=0.5, class_weight={0: 1.0, 1: 2.5, 2: 1.0}, n_jobs=2).fit(X, y), X
    yield Perceptron(batch_size=7, schedule="1/k", tol=None, max_iter=3).fit(X, y), X
    yield Perceptron().fit(X, y, coef_init=np.ones((3, 4)), intercept_init=np.ones(3)), X
    yield Perceptron().partial_fit(X, y, classes=[0, 1, 2, 3]), X
    yield MaxMarginClassifier().fit(X, y == 0), X


def same(a, b, X):
    assert type(a) is type(b)
    assert (a.decision_function(X) == b.decision_function(X)).all()
    assert (a.predict(X) == b.predict(X)).all()
    assert a.predict(X).dtype == b.predict(X).dtype
    assert a.classes_.dtype == b.classes_.dtype
    assert a.get_params() == b.get_params()
    assert str(a.status_) == str(b.status_)


@pytest.mark.parametrize("which", range(17))
def test_what_is_saved_is_what_is_loaded_and_goes_on_the_same(which, tmp_path):
    model, X = list(models())[which]
    path = tmp_path / "model"
    model.save(path)
    for again in (load(path), from_json(model.to_json())):
        same(model, again, X)
        again.save(tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == path.read_bytes()
        if hasattr(model, "partial_fit"):
            y = IRIS[1] if model.classes_.size > 2 else IRIS[1] == 1
            onward = load(path).partial_fit(X, y)
            assert (again.partial_fit(X, y).decision_function(X) == onward.decision_function(X)).all()
            assert again.n_iter_ == model.n_iter_ + 1
            assert again.n_updates_ >= model.n_updates_
            assert again.history_.mistakes[:-1].tolist() == model.history_.mistakes.tolist()
    for name in ("margin_", "margin_upper_bound_"):
        if hasattr(model, name):
            np.testing.assert_array_equal(getattr(load(path), name), getattr(model, name))


def test_resuming_from_a_file_is_the_uninterrupted_run(tmp_path):
    X, y = IRIS
    whole = Perceptron(tol=None, max_iter=6).fit(X, y)
    Perceptron(tol=None, max_iter=3).fit(X, y).save(tmp_path / "half")
    parts = load(tmp_path / "half")
    for _ in range(3):
        parts.partial_fit(X, y)
    assert (parts.coef_ == whole.coef_).all()


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("count", [2, 3])
def test_labels_keep_their_type(name, count, tmp_path):
    X, y = IRIS[0][: 50 * count], IRIS[1][: 50 * count]
    labels = LABELS[name][:count]
    labels = np.array(labels.tolist()) if labels.dtype.kind == "U" else labels  # as wide as they are long
    model = Perceptron().fit(X, labels[y])
    model.save(tmp_path / "m")
    for again in (load(tmp_path / "m"), from_json(model.to_json())):
        assert again.classes_.dtype == labels.dtype
        assert again.classes_.tolist() == labels[:count].tolist()
        assert [type(c) for c in again.predict(X).tolist()] == [type(c) for c in model.predict(X).tolist()]
        same(model, again, X)


def test_booleans_stay_booleans(tmp_path):
    model = Perceptron().fit(IRIS[0], IRIS[1] == 0)
    model.save(tmp_path / "m")
    assert load(tmp_path / "m").predict(IRIS[0][:1]).tolist() == [True]
    assert load(tmp_path / "m").classes_.dtype == bool


@pytest.mark.slow
def test_many_names_and_many_classes_are_kept(tmp_path):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    y = np.array([f"class {i % 3000:06d} {'y' * 50}" for i in range(3000)])
    many = Perceptron(max_iter=1, readout="last").fit(rng.standard_normal((6000, 5)), np.tile(y, 2))
    many.save(tmp_path / "many")
    assert load(tmp_path / "many").classes_.tolist() == sorted(set(y))
    names = [f"wörd {j} \u2028 \x00 {'x' * 20}" for j in range(20_000)]
    named = Perceptron().fit(pd.DataFrame(rng.standard_normal((5, len(names))), columns=names), [0, 1, 0, 1, 1])
    named.save(tmp_path / "named")
    assert load(tmp_path / "named").feature_names_in_.tolist() == names
    assert safetensors.numpy.load_file(tmp_path / "named")["feature_names"].dtype == np.uint8


def test_other_programs_can_read_the_weights(tmp_path):
    model = Perceptron().fit(*IRIS)
    model.save(tmp_path / "m.safetensors")
    tensors = safetensors.numpy.load_file(tmp_path / "m.safetensors")
    assert (tensors["coef"] == model.coef_).all()
    assert (tensors["intercept"] == model.intercept_).all()
    text = json.loads(model.to_json())
    assert np.array(text["tensors"]["coef"]["data"]).reshape(3, 4).tolist() == model.coef_.tolist()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Perceptron(schedule=lambda k: 1 / k), "schedule=.* cannot be saved"),
        (Perceptron(class_weight={0: 1, 1: 2, 2: complex(1)}), "complex"),
    ],
)
def test_what_no_file_can_hold_is_refused_before_anything_is_written(model, words, tmp_path):
    with pytest.raises((InputError, TypeError), match=words):
        model.fit(*IRIS).save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_a_class_of_ones_own_is_not_saved_as_another(tmp_path):
    class Mine(Perceptron):
        pass

    with pytest.raises(InputError, match="Mine is a class of your own"):
        Mine().fit(*IRIS).save(tmp_path / "m")


def test_labels_that_look_like_numbers_stay_words():
    names = np.array(["inf", "nan", "x"])
    model = Perceptron(class_weight={"inf": 1.0, "nan": 2.0, "x": 1.0}).fit(IRIS[0], names[IRIS[1]])
    assert from_json(model.to_json()).get_params() == model.get_params()
    again = from_json(Perceptron(tol=None, eta0=2.0, max_iter=2).fit(*IRIS).to_json())
    assert again.get_params()["eta0"] == 2.0


@pytest.mark.slow
def test_a_generator_is_saved_as_the_seed_it_gave(tmp_path):
    model = Perceptron(random_state=np.random.RandomState(7)).fit(*IRIS)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert isinstance(again.random_state, int)
    assert (again.fit(*IRIS).coef_ == model.coef_).all()


# Without scikit-learn.

ALONE = """
import sys
class Banned:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("sklearn", "joblib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Banned())
import json, rosenblatt
X = json.loads(sys.argv[2])
model = rosenblatt.load(sys.argv[1])
print(type(model).__name__, model.predict(X).tolist(), model.classes_.tolist(), model.status_.name, model.coef_.shape)
assert "sklearn" not in sys.modules
"""


def test_a_model_predicts_in_a_process_without_scikit_learn(tmp_path):
    X, y = IRIS
    model = Perceptron().fit(X, y)
    model.save(tmp_path / "m")
    rows = X[::40]
    command = [sys.executable, "-c", ALONE, str(tmp_path / "m"), json.dumps(rows.tolist())]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert out.strip() == f"Model {model.predict(rows).tolist()} [0, 1, 2] plateau (3, 4)"


def test_a_model_finds_columns_by_their_names():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(IRIS[0], columns=["a", "b", "c", "d"])
    model = Model.from_json(Perceptron().fit(frame, IRIS[1]).to_json())
    assert (model.predict(frame) == model.predict(IRIS[0])).all()
    assert (model.decision_function(frame[["d", "c", "b", "a"]]) == model.decision_function(IRIS[0])).all()
    with pytest.raises(InputError, match="1 column of the model not in it: 'd'; there are 'a', 'b', 'c'"):
        model.predict(frame[["a", "b", "c"]])
    with pytest.warns(UserWarning, match="left out 1 column that the model does not know: 'when'"):
        assert (model.predict(frame.assign(when="today")) == model.predict(IRIS[0])).all()


# Nothing damaged, nothing crafted.


@pytest.mark.slow
def test_ten_thousand_flipped_bytes_give_one_clear_error_each(tmp_path):
    path = tmp_path / "m"
    Perceptron(readout="voted", max_iter=3).fit(*IRIS).save(path)
    data, rng = path.read_bytes(), np.random.default_rng(0)
    for at, change in zip(rng.integers(0, len(data), 10_000), rng.integers(1, 256, 10_000), strict=True):
        damaged = bytearray(data)
        damaged[at] ^= change
        path.write_bytes(damaged)
        with pytest.raises(InputError) as caught:
            load(path)
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_every_truncation_gives_one_clear_error(tmp_path):
    path = tmp_path / "m"
    Perceptron(max_iter=2).fit(IRIS[0], IRIS[1] == 1).save(path)
    data = path.read_bytes()
    for end in range(len(data)):
        path.write_bytes(data[:end])
        with pytest.raises(InputError, match=re.escape(str(path))):
            load(path)


def mutants(value, rng):
    """A JSON value with one thing in it changed."""
    paths = []

    def walk(node, path):
        paths.append(path)
        if isinstance(node, dict):
            for key in node:
                walk(node[key], [*path, key])
        elif isinstance(node, list):
            for i in range(min(len(node), 6)):
                walk(node[i], [*path, i])

    walk(value, [])
    others = [None, True, -1, 0, 1.5, 2**70, "", "inf", "nan", [], {}, [[]], {"pairs": 3}, "tensor", 10**6]
    while True:
        made = json.loads(json.dumps(value))
        path = paths[rng.integers(len(paths))]
        if not path:
            continue
        node = made
        for key in path[:-1]:
            node = node[key]
        how = rng.integers(3)
        if how == 0 and isinstance(node, dict):
            del node[path[-1]]
        elif how == 1 and isinstance(node, dict):
            node["extra"] = others[rng.integers(len(others))]
        else:
            node[path[-1]] = others[rng.integers(len(others))]
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("readout", ["averaged", "voted"])
def test_a_text_that_was_tampered_with_is_a_sound_model_or_one_clear_error(readout):
    X, y = IRIS
    text = Perceptron(readout=readout, max_iter=3, class_weight={0: 2.0, 1: 1.0, 2: 1.0}).fit(X, y).to_json()
    generator, messages = mutants(json.loads(text), np.random.default_rng(0)), []
    for _ in range(400):
        made = next(generator)
        try:
            model = from_json(json.dumps(made))
            assert model.predict(X).shape == (150,)
            model.partial_fit(X, y)
        except ValueError as error:  # InputError, or what scikit-learn says of class weights
            messages.append(str(error))
        except AttributeError as error:
            assert "partial_fit sees some" in str(error)  # noqa: PT017 - a pocket, now
    assert len(messages) > 180
    assert not any("\n" in message for message in messages)


def test_crafted_files_cost_no_more_than_they_are_long():
    text = json.loads(Perceptron(max_iter=2).fit(*IRIS).to_json())
    wide = json.loads(json.dumps(text))
    wide["header"]["classes"] = {"dtype": "<U262144", "values": [f"{i:05d}" for i in range(20_000)]}
    deep = json.loads(json.dumps(text))
    for _ in range(700):
        deep["header"]["parameters"]["rule"] = [deep["header"]["parameters"]["rule"]]
    for made, said in (
        (wide, "two or more different labels"),
        (deep, "not a sound model: lists within lists, too deep"),
    ):
        with pytest.raises(InputError, match=said):
            from_json(json.dumps(made))


def test_a_stream_with_a_crafted_place_is_refused_and_does_not_crash():
    stream = OnlinePerceptron()
    for i in range(5):
        stream.learn_one({"a": 1.0}, bool(i % 2))
    text = json.loads(stream.to_json())
    for visited, chunk, place in ((4096 * 10**9 + 4000, 10**9, 4096), (10**15, 0, 3), (5, 7, 5), (5, 0, 4096)):
        made = json.loads(json.dumps(text))
        made["header"]["state"].update(visited=visited, epoch_rows=visited, chunk=chunk, chunk_place=place)
        try:
            again = from_json(json.dumps(made))
            again.learn_many([{"a": 1.0}] * 3, [True, False, True])
        except InputError as error:
            assert "damaged" in str(error)  # noqa: PT017 - or it goes on


def test_losses_beyond_float64_are_saved(tmp_path):
    stream = OnlinePerceptron()
    for sign in (1, -1, 1, -1):
        stream.learn_one({"a": sign * 1e100}, True)
    stream.learn_one({"a": 1e100}, False)
    stream.save(tmp_path / "m")
    again = load(tmp_path / "m")
    for i in range(100):
        again.learn_one({f"f{i}": 1.0}, True)
    assert again.n_seen_ == 105
    X = np.array([[1e100, 1.0], [1e100, 2.0], [1.0, 2.0], [-1e100, 1.0], [1e100, -3.0], [1e200, 1.0]] * 3)
    model = Perceptron().fit(X, [0, 1, 1, 1, 0, 1] * 3)
    assert model.status_.name == "non-finite"
    assert (from_json(model.to_json()).coef_ == model.coef_).all()


@pytest.mark.parametrize("several", [False, True])
def test_an_order_of_ones_own_is_kept_in_the_file(tmp_path, several, capsys):
    """In a tensor: one of many rows would not fit into the header. Learning goes on with it, and only with it."""
    rng = np.random.default_rng(0)
    n = 300_000 if not several else 150
    X, y = (rng.standard_normal((n, 1)), rng.integers(0, 2, n)) if not several else (IRIS[0], IRIS[1] == 1)
    order = [rng.permutation(n).tolist() for _ in range(2)] if several else rng.permutation(n)
    model = Perceptron(order=order, max_iter=3, tol=None).fit(X, y)
    model.save(tmp_path / "m")
    for again in (load(tmp_path / "m"), *([from_json(model.to_json())] if several else [])):
        assert np.array_equal(again.order, order)
        assert again._model.state.conditions == model._model.state.conditions
        assert again._model.state.conditions["order"].startswith("given ")
        assert again.coef_.tobytes() == model.coef_.tobytes()
        peer = load(tmp_path / "m").partial_fit(X, y)
        assert again.partial_fit(X, y).coef_.tobytes() == peer.coef_.tobytes()
        with pytest.raises(InputError, match="order was 'given"):
            again.set_params(order="cyclic").partial_fit(X, y)
    assert main(["show", str(tmp_path / "m"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"]["parameters"]["order"] == "given"
    assert main(["show", str(tmp_path / "m")]) == 0
    assert "order given" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(InputError, match=r"order=.* cannot be saved"):
        model.set_params(order=[[1], [1, 2]]).save(tmp_path / "n")


def test_files_of_others_are_refused(tmp_path):
    path = tmp_path / "m"
    for content in (b"", b"\x80\x04\x95", b"PK\x03\x04", b"<html>", b"{}", b"solver_type L2R_LR\n"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=re.escape(str(path))):
            load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing")
    for text in ("", "{}", "[]", "nonsense", '{"format": "rosenblatt model"}'):
        with pytest.raises(InputError):
            from_json(text)


# LIBLINEAR.


def test_a_model_goes_to_liblinear_and_back(tmp_path):
    X, y = IRIS
    for labels in (y, np.where(y == 0, 7, -3)):
        model = Perceptron().fit(X, labels)
        model.to_liblinear(tmp_path / "m")
        again = from_liblinear(tmp_path / "m")
        assert (again.coef_ == model.coef_).all()
        assert (again.predict(X) == model.predict(X)).all()
        again.partial_fit(X, labels)  # goes on from these weights
        assert again.n_iter_ == 1
    with pytest.raises(InputError, match="LIBLINEAR"):
        Perceptron().fit(X, y == 0).to_liblinear(tmp_path / "bool")
    assert not (tmp_path / "bool").exists()
    with pytest.raises(InputError, match="a vote has no weights"):
        Perceptron(readout="voted").fit(X, y).to_liblinear(tmp_path / "vote")


@pytest.mark.needs("liblinear-predict")
@pytest.mark.parametrize("sparse", [False, True])
def test_liblinears_own_program_predicts_the_same(sparse, tmp_path):
    rng = np.random.default_rng(1)
    for K in (2, 5):
        X, y = rng.standard_normal((200, 6)), rng.integers(0, K, 200) * 3 - 4
        model = Perceptron(fit_intercept=bool(K == 2), max_iter=5).fit(sp.csr_array(X) if sparse else X, y)
        model.to_liblinear(tmp_path / "m")
        lines = [
            f"{t} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row))
            for t, row in zip(y.tolist(), X.tolist(), strict=True)
        ]
        (tmp_path / "rows").write_text("\n".join(lines) + "\n")
        command = ["liblinear-predict", "-q", str(tmp_path / "rows"), str(tmp_path / "m"), str(tmp_path / "out")]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        assert (tmp_path / "out").read_text().split() == [str(t) for t in model.predict(X)]


# For ever.


def golden():
    X, y = IRIS
    rows = X[::10] + 0.1
    names = np.array(["setosa", "versicolor", "日本"])
    online = OnlinePerceptron(classes=[0, 1, 2])
    online.learn_many([dict(zip("abcd", row, strict=True)) for row in X.tolist()], y.tolist())
    return rows, {
        "averaged": Perceptron(max_iter=5).fit(X, names[y]),
        "direct": Perceptron(max_iter=5, multiclass="direct", rule="pa-1", C=0.5, readout="last").fit(X, y),
        "voted": Perceptron(max_iter=2, readout="voted").fit(sp.csr_array(X), y == 1),
        "pocket": Perceptron(max_iter=4, readout="pocket").fit(X, y + 2**60),
        "max-margin": MaxMarginClassifier().fit(X, y == 0),
        "online": online,
    }


def scores_of(model, rows):
    if isinstance(model, OnlinePerceptron):
        return model.to_model().decision_function(rows)
    return model.decision_function(rows)


@pytest.mark.parametrize("name", ["averaged", "direct", "voted", "pocket", "max-margin", "online"])
def test_files_of_every_version_open_for_ever(name):
    expected = json.loads((GOLDEN / "expected.json").read_text())[name]
    rows = IRIS[0][::10] + 0.1
    files = sorted(GOLDEN.glob(f"{name}.v*"))
    assert len(files) == VERSION  # one for each version there has been
    for file in files:
        model = load(file)
        assert scores_of(model, rows).tolist() == expected["scores"]
        assert model.classes_.tolist() == expected["classes"]
        assert type(model).__name__ == expected["kind"]


def checkpoint_rows():
    i = np.arange(6000)
    X = np.stack([(i * 7919) % 101 - 50, (i * 104729) % 97 - 48, (i * 1299709) % 89 - 44], axis=1) / 8.0
    return X, np.where(X @ [1.0, -2.0, 0.5] + ((i * 15485863) % 83 - 41) / 4.0 > 1, 1, -1)


CHECKPOINT = {
    "order": "shuffled", "seed": 3, "batch_size": 50, "readout": ("averaged", "pocket", "last"), "max_epochs": 4,
    "eta": 0.5,
}  # fmt: skip


@pytest.mark.parametrize("version", range(1, VERSION + 1))
@pytest.mark.parametrize("name", ["averaged", "direct", "voted", "online"])
def test_files_of_every_version_go_on_bit_for_bit(name, version):
    """As the code of version 1 went on from them."""
    expected = json.loads((GOLDEN / "onward.json").read_text())[name]
    X, y = IRIS
    names = np.array(["setosa", "versicolor", "日本"])
    labels = {"averaged": names[y], "voted": y == 1}.get(name, y)[1::3]
    rows, model = X[1::3] * 1.5, load(GOLDEN / f"{name}.v{version}")
    if name == "online":
        model.learn_many([dict(zip("abcd", row, strict=True)) for row in rows.tolist()], labels.tolist())
        found = model.to_model()
    else:
        found = model.partial_fit(sp.csr_array(rows) if name == "voted" else rows, labels)._model
    assert found.decision_function(X[::10] + 0.1).tolist() == expected["scores"]
    assert found.state.weights.tolist() == expected["weights"]
    assert found.state.offsets.tolist() == expected["offsets"]
    assert (found.state.updates, found.state.visited) == (expected["updates"], expected["visited"])


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_checkpoint_of_every_version_goes_on_from_within_an_epoch_and_a_batch(version):
    expected = json.loads((GOLDEN / "onward.json").read_text())["checkpoint"]
    state = Model.load(GOLDEN / f"checkpoint.v{version}").state
    assert state.epoch_rows % 4096 > 0
    assert state.batch_rows > 0
    run = learn(Examples.of(*checkpoint_rows()), start=state, **CHECKPOINT)
    for readout in ("last", "averaged", "pocket"):
        assert [part.tolist() for part in run.state.read(readout)] == expected[readout]
    assert (run.updates, run.history.mistakes.tolist()) == (expected["updates"], expected["mistakes"])


@pytest.mark.parametrize("name", ["averaged", "direct", "voted", "pocket", "max-margin", "online", "checkpoint"])
def test_a_file_comes_out_with_the_bytes_it_went_in_with(name, tmp_path):
    file = GOLDEN / f"{name}.v{VERSION}"
    model = Model.load(file) if name == "checkpoint" else load(file)
    model.save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == file.read_bytes()


def test_no_file_holds_a_sentence():
    """Why it ended is a key and values; a text with spaces is a label, a name or nothing of ours."""
    for file in GOLDEN.glob(f"*.v{VERSION}"):
        known = json.loads(Model.load(file).to_json())["header"]
        assert not [text for text in texts_of(known) if " " in text], file


def texts_of(value):
    if isinstance(value, dict):
        yield from (text for key, entry in value.items() for text in (key, *texts_of(entry)))
    elif isinstance(value, list):
        yield from (text for entry in value for text in texts_of(entry))
    elif isinstance(value, str):
        yield value


if __name__ == "__main__":  # makes the files of a new version; those of older ones are never made again
    GOLDEN.mkdir(exist_ok=True)
    rows, made = golden()
    for name, model in made.items():
        model.save(GOLDEN / f"{name}.v{VERSION}")
    stopped = learn(
        Examples.of(*checkpoint_rows()), callback=lambda told: told.next is not None, marks=[11021], **CHECKPOINT
    )
    model_of_run(stopped, stopped.state, stopped.status).save(GOLDEN / f"checkpoint.v{VERSION}")
    (GOLDEN / "expected.json").write_text(
        json.dumps(
            {
                name: {
                    "kind": type(model).__name__,
                    "classes": model.classes_.tolist(),
                    "scores": scores_of(model, rows).tolist(),
                }
                for name, model in made.items()
            },
            indent=1,
        )
    )
