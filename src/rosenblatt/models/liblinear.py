"""Linear models as the text files of LIBLINEAR: what its `train` writes and its `predict` reads.

The library: Fan, Chang, Hsieh, Wang and Lin, "LIBLINEAR: a library for large linear classification", JMLR 9 (2008).
Here a model is its sorted classes, W (d × K) and b (K). With two classes K = 1, and a score > 0 means classes[1];
with more, K is their number, and the largest score wins, the first of equals.

LIBLINEAR's conventions are its own. Labels are C ints, on the line `label` in the order in which training met them.
With two, a score > 0 means the *first*; with more, equal scores go to the first in that order. The offset is a last
row of weights, times `bias`; a negative `bias` means that there is none.

What is written predicts as the model does, on every row. What is read does so too, but for ties: if the labels of the
file are in another order, a row on a boundary (without an offset, every row of zeros) goes to another of the classes.
"""

import math
import re

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, plural, shown

Model = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]

_HEADER = ("solver_type", "nr_class", "label", "nr_feature", "bias")
_SVC = ("L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL", "MCSVM_CS", "L1R_L2LOSS_SVC")
_CLASSIFIERS = (*_SVC, "L2R_LR", "L1R_LR", "L2R_LR_DUAL")
_REGRESSION = ("L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR_DUAL", "L2R_L1LOSS_SVR_DUAL")
_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1

# Possessive (++, *+): digits once matched are not tried again, so that no text makes the search slow.
_NUMBER = r"[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?"


def to_text(classes: NDArray[np.generic], W: NDArray[np.float64], b: NDArray[np.float64]) -> str:
    """The model as LIBLINEAR reads it. Raises `InputError` if the classes are not whole numbers that a C int holds.

    >>> print(to_text(np.array([0, 1]), np.array([[2.0], [-0.5]]), np.array([0.25])), end="")
    solver_type L2R_L2LOSS_SVC_DUAL
    nr_class 2
    label 1 0
    nr_feature 2
    bias 1
    w
    2.0
    -0.5
    0.25
    """
    outputs = 1 if len(classes) == 2 else len(classes)
    if len(classes) < 2 or W.ndim != 2 or W.shape[0] < 1 or W.shape[1] != outputs or b.shape != (outputs,):
        raise InputError(
            f"{len(classes)} classes, W of shape {W.shape} and b of shape {b.shape} are no model;"
            " expected at least 2 classes, W (d, K) and b (K,), where K is 1 for 2 classes"
        )
    if (W.shape[0] + 1) * outputs > _INT_MAX:
        raise InputError(f"{W.size} weights are too many: LIBLINEAR counts them, offsets included, up to {_INT_MAX}")
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        raise InputError("the model has weights that are not finite; expected numbers that LIBLINEAR can read")
    labels = classes.tolist()
    for label in labels:
        if not (classes.dtype.kind in "iuf" and _INT_MIN <= label <= _INT_MAX and label == int(label)):
            raise InputError(
                f"LIBLINEAR knows a class by a whole number from {_INT_MIN} to {_INT_MAX}, not {shown(label)};"
                " map the classes to 0, 1, … first, e.g. np.searchsorted(model.classes_, y)"
            )
    # -0.0 is no offset either, but only what is written can be read with the same bits.
    offset = bool(b.any() or np.signbit(b).any())
    rows = np.vstack([W, b]) if offset else W
    return (
        # Of this predict takes only that there is one score for each label (for two, one in all).
        "solver_type L2R_L2LOSS_SVC_DUAL\n"
        f"nr_class {len(labels)}\n"
        f"label {' '.join(str(int(label)) for label in (labels[::-1] if outputs == 1 else labels))}\n"
        f"nr_feature {len(W)}\n"
        f"bias {1 if offset else -1}\n"
        "w\n" + "".join(" ".join(map(repr, row)) + "\n" for row in rows.tolist())
    )


def from_text(text: str, name: str) -> Model:
    """Classes, W and b of a model that `to_text` wrote (the same bits) or LIBLINEAR, by any of its classifiers.

    Raises `InputError`, which begins with `name` and the line, for a text that is not wholly and only such a model.

    >>> lines = "solver_type L2R_LR", "nr_class 2", "label 3 7", "nr_feature 1", "bias 2", "w", "5", "-1", ""
    >>> classes, W, b = from_text(chr(10).join(lines), "two.model")
    >>> classes.tolist(), W.tolist(), b.tolist()
    ([3, 7], [[-5.0]], [2.0])
    """
    head, found, body = text.replace("\r\n", "\n").partition("\nw\n")
    lines = head.split("\n")
    if not found:
        lines.pop()  # it has no end, and may not be all there
    try:
        header = _header(lines, bool(found))
        nr_class = _count("nr_class", *header["nr_class"], 2)
        nr_feature = _count("nr_feature", *header["nr_feature"], 1)
        labels, bias = _labels(*header["label"], nr_class), _bias(*header["bias"])
        outputs = 1 if nr_class == 2 and header["solver_type"][1] != "MCSVM_CS" else nr_class
        table = _weights(body, nr_feature + (bias >= 0), outputs, len(lines) + 2)
        if nr_class == 2:
            # MCSVM_CS stores a vector for each label, but LIBLINEAR predicts from the first one's score alone.
            table = -table[:, :1] if labels[0] < labels[1] else table[:, :1]
        else:
            table = table[:, np.argsort(labels)]
        with np.errstate(over="ignore"):
            b = bias * table[-1] if bias > 0 else np.zeros(table.shape[1])
        if not np.isfinite(b).all():
            raise _fault(header["bias"][0], f"bias {bias!r} times its weights leaves float64; expected finite offsets")
    except InputError as error:
        raise InputError(f"{name}:{error}") from None
    return np.array(sorted(labels), dtype=np.int64), np.ascontiguousarray(table[:nr_feature]), b


def _fault(line: int, what: str) -> InputError:
    return InputError(f"{line}: {what}")


def _header(lines: list[str], ended: bool) -> dict[str, tuple[int, str]]:
    """For each name before the weights, its line's number and the rest of the line."""
    header: dict[str, tuple[int, str]] = {}
    for line, content in enumerate(lines, 1):
        key, _, value = content.rstrip(" ").partition(" ")
        if key not in _HEADER:
            raise _fault(line, f"{shown(content[:80])}; expected one of {', '.join(_HEADER)}, or w and the weights")
        if key in header:
            raise _fault(line, f"{key} again, after line {header[key][0]}; expected it once")
        if key == "solver_type" and value not in _CLASSIFIERS:
            kind = "regression" if value in _REGRESSION else "one class" if value == "ONECLASS_SVM" else "unknown"
            raise _fault(line, f"solver_type {shown(value[:80])} ({kind}); expected one of {', '.join(_CLASSIFIERS)}")
        header[key] = line, value
    if not ended:
        raise _fault(len(lines) + 1, f"the file ends early; expected {', '.join(_HEADER)}, w and the weights")
    for key in _HEADER:
        if key not in header:
            raise _fault(len(lines) + 1, f"the weights begin, but there was no {key}; expected {', '.join(_HEADER)}")
    return header


def _count(key: str, line: int, value: str, least: int) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", value) or not least <= int(value) <= _INT_MAX:
        raise _fault(line, f"{key} {shown(value[:80])}; expected a whole number from {least} to {_INT_MAX}")
    return int(value)


def _labels(line: int, value: str, nr_class: int) -> list[int]:
    words = value.split(" ")
    if len(words) != nr_class:
        raise _fault(line, f"{plural(len(words), 'label')}; expected {nr_class}, the nr_class")
    for word in words:
        if not re.fullmatch(r"-?[0-9]{1,10}", word) or not _INT_MIN <= int(word) <= _INT_MAX:
            raise _fault(line, f"label {shown(word[:80])}; expected a whole number from {_INT_MIN} to {_INT_MAX}")
    labels = [int(word) for word in words]
    if len(set(labels)) < nr_class:
        raise _fault(line, "a label comes twice; expected each once")
    return labels


def _bias(line: int, value: str) -> float:
    if not re.fullmatch(_NUMBER, value) or not math.isfinite(float(value)):
        raise _fault(line, f"bias {shown(value[:80])}; expected a finite decimal number")
    return float(value)


def _weights(body: str, rows: int, columns: int, first: int) -> NDArray[np.float64]:
    """The table of weights, a row to a line, and nothing after it; `first` is the number of its first line.

    Nothing is allocated for what is only claimed: the text is matched before it is read.
    """
    # Possessive here too ({…}+): greedy repeats of a group keep a record of each, which for 2 million rows is much.
    row = rf" *+(?:{_NUMBER}(?: ++|(?=\n))){{{columns}}}+\n"
    good = re.compile(rf"(?:{row}){{0,{rows}}}+").match(body)
    end = body.rfind("\n", 0, good.end() if good else 0) + 1
    line = body.count("\n", 0, end)
    if line < rows:
        expected = f"row {line + 1} of {rows}, {plural(columns, 'decimal number')}"
        raise _fault(first + line, f"{_seen(body[end:])}; expected {expected}")
    if end < len(body):
        raise _fault(first + line, f"{_seen(body[end:])}; expected the end of the file after row {rows}")
    table = np.fromstring(body, dtype=np.float64, sep=" ").reshape(rows, columns)
    finite = np.isfinite(table).all(axis=1)
    if not finite.all():
        raise _fault(first + int(np.argmin(finite)), "a number beyond the range of float64; expected finite ones")
    return table


def _seen(rest: str) -> str:
    """What stands where a row of weights was expected."""
    content, ended, _ = rest.partition("\n")
    words = re.findall("[^ ]+", content)
    strange = next((word for word in words if not re.fullmatch(_NUMBER, word)), None)
    if strange is not None:
        return shown(strange[:80])
    return plural(len(words), "number") if ended else f"the end of the file after {plural(len(words), 'number')}"
