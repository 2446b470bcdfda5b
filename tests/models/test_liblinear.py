"""Models as LIBLINEAR's files: the same bits back, the same predictions as its own programs, no text trusted."""

import random
import re
import subprocess
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rosenblatt.errors import InputError
from rosenblatt.models.liblinear import from_text, to_text

PREDICT, TRAIN = "liblinear-predict", "liblinear-train"
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


def scores(W: np.ndarray, b: Any, X: np.ndarray) -> np.ndarray:
    """Summed as LIBLINEAR sums, feature by feature and the offset last: the same roundings, so the same ties."""
    total = np.zeros((len(X), W.shape[1]))
    with np.errstate(over="ignore"):
        for column, weights in zip(X.T, W, strict=True):
            total += np.outer(column, weights)
    return total + b


def predicted(classes: np.ndarray, W: np.ndarray, b: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Our convention."""
    found = scores(W, b, X)
    return classes[(found[:, 0] > 0).astype(int)] if len(classes) == 2 else classes[found.argmax(axis=1)]


def predicted_by_its_rules(text: str, X: np.ndarray) -> np.ndarray:
    """LIBLINEAR's convention, from a sound text."""
    head, _, body = text.replace("\r\n", "\n").partition("\nw\n")
    header = dict(line.split(" ", 1) for line in head.split("\n"))
    labels, bias = np.array(header["label"].split(), dtype=int), float(header["bias"])
    table = np.array([line.split() for line in body.splitlines()], dtype=float)
    found = scores(table[: X.shape[1]], bias * table[-1] if bias >= 0 else 0.0, X)
    return labels[np.where(found[:, 0] > 0, 0, 1)] if len(labels) == 2 else labels[found.argmax(axis=1)]


def svmlight(X: np.ndarray, y: np.ndarray) -> str:
    rows = ([f"{j}:{float(x)!r}" for j, x in enumerate(row, 1) if x] for row in X)
    return "".join(" ".join([str(label), *row]) + "\n" for label, row in zip(y, rows, strict=True))


def predict(folder: Path, model: str, X: np.ndarray) -> list[int]:
    """What the program says."""
    (folder / "rows").write_text(svmlight(X, np.zeros(len(X), dtype=int)))
    (folder / "model").write_bytes(model.encode())
    subprocess.run([PREDICT, "rows", "model", "said"], cwd=folder, check=True, capture_output=True)
    return [int(line) for line in (folder / "said").read_text().split()]


def train(folder: Path, X: np.ndarray, y: np.ndarray, *options: str) -> str:
    (folder / "examples").write_text(svmlight(X, y))
    subprocess.run([TRAIN, "-q", *options, "examples", "trained"], cwd=folder, check=True, capture_output=True)
    return (folder / "trained").read_text()


def distinct(rng: np.random.Generator, count: int) -> np.ndarray:
    return np.sort(rng.choice(np.arange(-50, 50), size=count, replace=False))


# The same bits

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 5e-324, -1e308, 1e16])


@st.composite
def models(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    labels = draw(st.lists(st.integers(INT_MIN, INT_MAX), min_size=2, max_size=6, unique=True))
    outputs = 1 if len(labels) == 2 else len(labels)
    W = draw(arrays(np.float64, (draw(st.integers(1, 5)), outputs), elements=NUMBERS))
    b = draw(st.just(np.zeros(outputs)) | arrays(np.float64, outputs, elements=NUMBERS))
    return np.array(sorted(labels)), W, b


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(models(), st.booleans())
@example((np.array([INT_MIN, INT_MAX]), np.array([[-0.0]]), np.array([0.0])), False)
@example((np.array([0, 1]), np.array([[5e-324]]), np.array([-0.0])), False)
@example((np.array([0, 1, 2]), np.array([[1e308, 2.2250738585072014e-308, -0.0]]), np.array([0.1, -0.0, 0.0])), True)
def test_what_is_written_is_read_with_the_same_bits(
    model: tuple[np.ndarray, np.ndarray, np.ndarray], crlf: bool
) -> None:
    text = to_text(*model)
    back = from_text(text.replace("\n", "\r\n") if crlf else text, "m")
    for given_array, read in zip(model, back, strict=True):
        assert (read.dtype, read.shape) == (given_array.dtype, given_array.shape)
        assert read.tobytes() == given_array.tobytes()
        assert read.flags.c_contiguous


def test_without_an_offset_there_is_no_bias() -> None:
    W = np.ones((3, 1))
    assert "\nbias -1\n" in to_text(np.array([0, 1]), W, np.zeros(1))
    assert "\nbias 1\n" in to_text(np.array([0, 1]), W, np.full(1, 0.5))


# Against LIBLINEAR's own programs


@pytest.mark.needs(PREDICT)
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("count", [2, 3, 7])
def test_the_program_predicts_as_the_model_does(tmp_path: Path, count: int, offset: bool) -> None:
    for seed, d in enumerate([1, 2, 17]):
        rng = np.random.default_rng([seed, count, offset])
        classes, outputs = distinct(rng, count), 1 if count == 2 else count
        W, b = rng.normal(size=(d, outputs)), rng.normal(size=outputs) * offset
        X = rng.normal(size=(200, d)) * (rng.random((200, d)) < 0.7)
        assert predict(tmp_path, to_text(classes, W, b), X) == predicted(classes, W, b, X).tolist()


@pytest.mark.needs(PREDICT)
@pytest.mark.parametrize("count", [2, 4])
def test_ties_too(tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng(count)
    classes, outputs = distinct(rng, count), 1 if count == 2 else count
    W, b = rng.integers(-1, 2, size=(3, outputs)).astype(float), rng.integers(-1, 2, size=outputs).astype(float)
    X = rng.integers(-2, 3, size=(300, 3)).astype(float)
    X[:5] = 0
    for offset in (b, np.zeros(outputs)):
        best = np.sort(scores(W, offset, X), axis=1)
        tied = best[:, 0] == 0 if count == 2 else best[:, -1] == best[:, -2]
        assert 20 < tied.sum() < 280
        assert predict(tmp_path, to_text(classes, W, offset), X) == predicted(classes, W, offset, X).tolist()


@pytest.mark.needs(PREDICT)
def test_extreme_labels_and_weights(tmp_path: Path) -> None:
    classes, X = np.array([INT_MIN, -1, 0, INT_MAX]), np.eye(4)
    W = np.array([[5e-324, 0, -0.0, 0], [0, 1e308, 1.7976931348623157e308, 1], [-2, -1, -3, -4], [0, 0, 0, 1e-300]])
    assert predict(tmp_path, to_text(classes, W, np.zeros(4)), X) == [INT_MIN, 0, -1, INT_MAX]
    whole = to_text(classes.astype(float), W, np.zeros(4))
    assert whole == to_text(classes, W, np.zeros(4))


@pytest.mark.needs(PREDICT, TRAIN)
@pytest.mark.parametrize("bias", ["1", "-1", "0.5", "0"])
@pytest.mark.parametrize("solver", range(8))
def test_what_the_program_trained_predicts_the_same_here(tmp_path: Path, solver: int, bias: str) -> None:
    rng = np.random.default_rng(solver)
    for classes in ([-1, 1], [3, 7], [-4, 0, 9], [2, 5, 6, 8]):
        centres = 2 * rng.normal(size=(len(classes), 6))
        y = rng.permutation(np.repeat(np.arange(len(classes)), 20))
        X = centres[y] + rng.normal(size=(len(y), 6))
        orders = set()
        for first in range(len(classes)):
            begin = np.argsort(y != first, kind="stable")[0]
            rows = np.r_[begin, np.delete(np.arange(len(y)), begin)]
            text = train(tmp_path, X[rows], np.array(classes)[y][rows], "-s", str(solver), "-B", bias)
            read = from_text(text, "trained")
            said = predict(tmp_path, text, X)
            assert read[0].tolist() == classes
            assert predicted(*read, X).tolist() == said == predicted_by_its_rules(text, X).tolist()
            assert predict(tmp_path, to_text(*read), X) == said
            assert float(bias) > 0 or not read[2].any()
            orders.add(re.findall("^label .*", text, re.M)[0])
        # LIBLINEAR puts 1 before -1 whichever comes first.
        assert len(orders) == (1 if classes == [-1, 1] else len(classes))


@pytest.mark.needs(PREDICT)
def test_two_classes_of_crammer_and_singer_go_by_the_first_score_alone(tmp_path: Path) -> None:
    text = "solver_type MCSVM_CS\nnr_class 2\nlabel 5 7\nnr_feature 1\nbias 2\nw\n1 2 \n0.25 -9 \n"
    X = np.array([[1.0], [-1.0], [-0.25], [3.0]])
    classes, W, b = from_text(text, "m")
    assert (classes.tolist(), W.tolist(), b.tolist()) == ([5, 7], [[-1.0]], [-0.5])
    assert predict(tmp_path, text, X) == predicted(classes, W, b, X).tolist() == [5, 7, 5, 5]


@pytest.mark.needs(PREDICT)
@pytest.mark.parametrize(("labels", "weights", "its", "ours"), [("0 1", "1", 1, 0), ("9 4 6", "1 1 1", 9, 4)])
def test_only_a_tie_may_go_to_another_class(tmp_path: Path, labels: str, weights: str, its: int, ours: int) -> None:
    text = f"solver_type L2R_LR\nnr_class {len(labels.split())}\nlabel {labels}\nnr_feature 1\nbias -1\nw\n{weights}\n"
    X = np.zeros((1, 1))
    assert (predict(tmp_path, text, X), predicted(*from_text(text, "m"), X).tolist()) == ([its], [ours])


@pytest.mark.needs(TRAIN)
@pytest.mark.parametrize("solver", ["11", "12", "13"])
def test_regression_is_refused_by_name(tmp_path: Path, solver: str) -> None:
    text = train(tmp_path, np.arange(8.0)[:, None], np.arange(8), "-s", solver)
    with pytest.raises(InputError, match=r"^m:1: solver_type 'L2R_L\dLOSS_SVR(_DUAL)?' \(regression\); expected"):
        from_text(text, "m")


# What cannot be written


@pytest.mark.parametrize(
    "classes",
    [["a", "b"], [False, True], [0.5, 1.0], [0, 2**31], [-(2**31) - 1, 0], [0.0, np.inf], [0.0, np.nan], [0j, 1j]],
    ids=str,
)
@pytest.mark.parametrize("dtype", [None, object])
def test_classes_must_be_whole_numbers_of_32_bits(classes: list[Any], dtype: Any) -> None:
    with pytest.raises(InputError, match=r"whole number from -2147483648 to 2147483647, .*np\.searchsorted") as caught:
        to_text(np.array(classes, dtype=dtype), np.ones((2, 1)), np.zeros(1))
    assert "\n" not in str(caught.value)


def test_unsigned_and_small_integers_are_whole_numbers() -> None:
    for dtype in (np.uint8, np.int8, np.uint64, np.float32):
        assert "\nlabel 7 3\n" in to_text(np.array([3, 7], dtype=dtype), np.ones((1, 1)), np.zeros(1))


@pytest.mark.parametrize(
    ("classes", "W", "b"),
    [
        ([1], np.ones((2, 1)), np.ones(1)),
        ([1, 2], np.ones((2, 2)), np.ones(2)),
        ([1, 2, 3], np.ones((2, 1)), np.ones(1)),
        ([1, 2, 3], np.ones((2, 3)), np.ones(1)),
        ([1, 2], np.ones((0, 1)), np.ones(1)),
        ([1, 2], np.ones(2), np.ones(1)),
        ([1, 2], np.array([[np.nan]]), np.ones(1)),
        ([1, 2], np.ones((1, 1)), np.array([np.inf])),
        ([1, 2], np.broadcast_to(np.ones(1), (2**31 - 1, 1)), np.ones(1)),
    ],
)
def test_what_is_no_model_is_refused(classes: list[int], W: np.ndarray, b: np.ndarray) -> None:
    with pytest.raises(InputError):
        to_text(np.array(classes), W, b)


# Texts that are not to be trusted

TWO = "solver_type L2R_LR\nnr_class 2\nlabel 3 -7\nnr_feature 2\nbias 0.5\nw\n0.25 \n-1.5 \n7.125 \n"
THREE = (
    "solver_type MCSVM_CS\nnr_class 3\nlabel 12 -4 5\nnr_feature 2\nbias -1\nw\n0.5 -1.25 0.0625 \n.5 1e-3 -2.75E+1 \n"
)
SINGER = "solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias 1\nw\n0.375 -0.375 \n0.125 -0.125 \n"
TEXTS = [TWO, THREE, SINGER]
ROWS = {text: np.random.default_rng(0).normal(size=(20, 2 - (text is SINGER))) for text in TEXTS}


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        from_text(text, "a.model")
    message = str(caught.value)
    assert re.fullmatch(r"a\.model:[1-9][0-9]*: .+; expected .+", message), message
    assert message.isprintable()
    assert int(message.split(":")[1]) <= text.count("\n") + 1
    assert len(message) < 300
    return message


def accepted(text: str, X: np.ndarray) -> bool:
    """Whether it reads; what reads must be a model, of this size, that predicts by LIBLINEAR's rules."""
    try:
        classes, W, b = from_text(text, "a.model")
    except InputError:
        refused(text)
        return False
    assert len(W) == X.shape[1]
    assert W.shape[1:] == b.shape == ((1,) if len(classes) == 2 else (len(classes),))
    assert (np.diff(classes) > 0).all()
    assert np.isfinite(W).all()
    assert np.isfinite(b).all()
    assert re.fullmatch(r"[a-zA-Z0-9_ \n\r.+-]*", text)
    assert predicted(classes, W, b, X).tolist() == predicted_by_its_rules(text, X).tolist()
    return True


@pytest.mark.parametrize("text", TEXTS)
def test_sound_texts(text: str) -> None:
    assert accepted(text, ROWS[text])
    assert accepted(text.replace("\n", "\r\n"), ROWS[text])
    assert accepted(text.replace(" \n", "\n"), ROWS[text])
    head, w, body = text.partition("\nw\n")
    assert accepted("\n".join(reversed(head.split("\n"))) + w + body, ROWS[text])


@pytest.mark.parametrize("text", TEXTS)
def test_cut_anywhere(text: str) -> None:
    for cut in range(len(text)):
        refused(text[:cut])
        refused(text[:cut].replace("\n", "\r\n"))


@pytest.mark.parametrize("text", TEXTS)
def test_each_line_gone_or_twice(text: str) -> None:
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        refused("".join(lines[:i] + lines[i + 1 :]))
        refused("".join([*lines[:i], line, *lines[i:]]))
        refused("".join([*lines[:i], "\n", *lines[i:]]))
        refused("".join([*lines[:i], "rho 1\n", *lines[i:]]))
    refused(text + "\n")
    refused(text + "x")


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        (1, "solver_type ONECLASS_SVM", r"^a.model:1: solver_type 'ONECLASS_SVM' \(one class\); expected"),
        (1, "solver_type L2R_L2LOSS_SVR_DUAL", r"^a.model:1: solver_type 'L2R_L2LOSS_SVR_DUAL' \(regression\)"),
        (1, "solver_type l2r_lr", r"^a.model:1: .*\(unknown\)"),
        (1, "solver_type", r"^a.model:1: .*''"),
        (1, "solver_type MCSVM_CS", "^a.model:7: 1 number; expected row 1 of 3, 2 decimal numbers"),
        (1, "w", "^a.model:1: 'w'; expected one of solver_type, "),
        (2, "nr_class 1", "^a.model:2: nr_class '1'; expected a whole number from 2 to 2147483647"),
        (2, "nr_class 3", "^a.model:3: 2 labels; expected 3, the nr_class"),
        (2, "nr_class 2_0", "^a.model:2:"),
        (2, "nr_class ２", "^a.model:2:"),
        (2, "nr_class -2", "^a.model:2:"),
        (2, "nr_class 2 2", "^a.model:2:"),
        (2, "nr_class 2000000000", "^a.model:3:"),
        (3, "label 3", "^a.model:3: 1 label; expected 2"),
        (3, "label", "^a.model:3:"),
        (3, "label 3 3", "^a.model:3: a label comes twice"),
        (3, "label 0 -0", "^a.model:3: a label comes twice"),
        (3, "label 3 2147483648", "^a.model:3: label '2147483648'; expected a whole number from -2147483648"),
        (3, "label 3 1.0", "^a.model:3: label '1.0'"),
        (3, "label 3\u20037", "^a.model:3:"),
        (3, "label 3 ٣", "^a.model:3:"),
        (4, "nr_feature 0", "^a.model:4: nr_feature '0'; expected a whole number from 1"),
        (4, "nr_feature 1", "^a.model:9: 1 number; expected the end of the file after row 2"),
        (4, "nr_feature 3", "^a.model:10: the end of the file after 0 numbers; expected row 4 of 4"),
        (4, "nr_feature 1000000000000", "^a.model:4:"),
        (4, "nr_feature 2147483647", "^a.model:10:"),
        (5, "bias nan", "^a.model:5: bias 'nan'; expected a finite decimal number"),
        (5, "bias 1e400", "^a.model:5:"),
        (5, "bias 0x1p0", "^a.model:5:"),
        (5, "bias 1e308", "^a.model:5: bias 1e\\+308 times its weights leaves float64"),
        (5, "bias -1", "^a.model:9: 1 number; expected the end"),
        (6, "w w", "^a.model:6:"),
        (7, "nan", "^a.model:7: 'nan'; expected row 1 of 3, 1 decimal number"),
        (7, "-inf", "^a.model:7:"),
        (7, "1_0", "^a.model:7: '1_0'"),
        (7, "0x1p0", "^a.model:7: '0x1p0'"),
        (7, "1,5", "^a.model:7: '1,5'"),
        (7, "1e999", "^a.model:7: a number beyond the range of float64; expected finite"),
        (8, "-1e999999999999999999999", "^a.model:8:"),
        (8, "٣", "^a.model:8:"),
        (8, "1\x00", r"^a.model:8: '1\\x00'"),
        (8, "1\x0b", "^a.model:8:"),
        (8, "1\r2", "^a.model:8:"),
        (8, "1\t", "^a.model:8:"),
        (8, "1\ud800", "^a.model:8:"),
        (8, "1 2", "^a.model:8: 2 numbers; expected row 2 of 3, 1 decimal number"),
        (8, "1.5.5", "^a.model:8:"),
        (8, "1-2", "^a.model:8:"),
        (8, "1e", "^a.model:8:"),
        (8, ".", "^a.model:8:"),
        (8, "", "^a.model:8: 0 numbers; expected row 2 of 3"),
        (8, "w", "^a.model:8: 'w'"),
    ],
)
def test_each_line_changed(line: int, instead: str, message: str) -> None:
    lines = TWO.split("\n")
    lines[line - 1] = instead
    assert re.search(message, refused("\n".join(lines)))


def test_a_number_too_many_or_too_few_in_a_row() -> None:
    assert refused(THREE.replace("-1.25 ", "")).startswith("a.model:7: 2 numbers; expected row 1 of 2, 3 decimal")
    assert refused(THREE.replace("1e-3 ", "1e-3 4 ")).startswith("a.model:8: 4 numbers; expected row 2 of 2, 3 decimal")
    # One more here and one less there: the count is right, the rows are not.
    assert refused(THREE.replace("0.0625 \n", "\n0.0625 ")).startswith("a.model:7: 2 numbers")


@pytest.mark.serial
@pytest.mark.parametrize(
    ("nr_class", "nr_feature"),
    [("2", "2147483647"), ("2", str(10**12)), ("2147483647", "2147483647"), ("2", "9" * 100_000)],
)
def test_claims_cost_nothing(nr_class: str, nr_feature: str) -> None:
    text = f"solver_type L2R_LR\nnr_class {nr_class}\nlabel 1 2\nnr_feature {nr_feature}\nbias 1\nw\n1\n2\n"
    refused(text)
    tracemalloc.start()
    begun = time.perf_counter()
    refused(text)
    spent, peak = time.perf_counter() - begun, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert spent < 0.5
    assert peak < 200_000 + 4 * len(text)


@pytest.mark.serial
@pytest.mark.parametrize("row", ["1" * 10**6 + "x", "1" * 10**6 + "." + "1" * 10**6 + "e", " " * 10**6, "1 " * 10**5])
def test_no_text_makes_the_search_slow(row: str) -> None:
    begun = time.perf_counter()
    refused(TWO.replace("0.25 ", row))
    refused(THREE.replace("0.5 ", row))
    assert time.perf_counter() - begun < 3


@pytest.mark.slow
def test_ten_thousand_random_changes() -> None:
    rng = random.Random(0)
    pool = "0123456789" * 3 + "+-.eE \n\r\t_nNxXwl\x00\x0b٣é,"
    counts = {True: 0, False: 0}
    for _ in range(10_000):
        text = original = rng.choice(TEXTS)
        at, length = rng.randrange(len(text)), rng.choice([0, 1, 1, 1, 2])
        text = text[:at] + rng.choice(["", *pool]) + text[at + length :]
        counts[accepted(text, ROWS[original])] += 1
    assert min(counts.values()) > 1_000


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.sampled_from(TEXTS), st.integers(0, 120))
def test_any_text_put_in_anywhere(junk: str, text: str, at: int) -> None:
    refused(junk)
    refused(text[:at] + junk + "w")
    accepted(text[:at] + junk + text[at:], ROWS[text])
