"""Records: a model as a header and tensors, and back.

What is written here is read for ever: VERSION counts the forms there have been, `tests/models/golden` keeps files of
each, and older ones are brought up to date first (version1.py, version2.py). Nothing in a file is a sentence: why a run
ended is a key and values. The tensors `coef` (K, d) and `intercept` (K,) are what it predicts by, for programs that
want nothing else.

Everything that is read is a claim: shapes must fit together, numbers be finite, words known.
"""

import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..errors import InputError, shown
from ..files.reading import Reading
from ..report.words import FACES
from ..runs.choice import Choice
from ..runs.status import Advice, Status
from . import version1, version2
from .claims import Claims, number, plain, plain_float, value_of
from .log_record import log_of, log_record
from .state_record import history_of, history_tensors, state_of, state_record
from .vote_record import vote_of, vote_record

KIND, VERSION = "model", 3

_KINDS = ("Perceptron", "MaxMarginClassifier", "OnlinePerceptron", "LinearClassifier")
_LONG = 2**16  # bytes of JSON beyond which a list goes into a tensor

Record = tuple[dict[str, Any], dict[str, NDArray[Any]]]


def record_of(model: Any) -> Record:
    """The header and the tensors of a Model."""
    tensors: dict[str, NDArray[Any]] = {"coef": model.weights.T, "intercept": model.offsets}
    header = {
        "kind": model.kind,
        "parameters": {
            name: plain(name, value) if name != "order" else _order(value, tensors)
            for name, value in model.parameters.items()
        },
        "classes": _labels(model.classes),
        "feature_names": None if model.feature_names is None else list(model.feature_names),
        "status": _status(model.status),
        "facts": {name: plain(name, value) for name, value in model.facts.items()},
        "state": None if model.state is None else state_record(model.state, tensors),
        "history": model.history is not None,
        "vote": None if model.vote is None else vote_record(model.vote, tensors),
        "reading": None if model.reading is None else model.reading.to_dict(),
        "choice": None if model.choice is None else model.choice.to_dict(),
        "provenance": {**model.provenance, "rosenblatt": __version__},
    }
    if model.log is not None:  # of a checkpoint alone
        header["log"] = log_record(model.log, tensors)
    if model.history is not None:
        tensors |= history_tensors(model.history)
    for name in ("classes", "feature_names"):
        text = json.dumps(header[name]).encode()
        if len(text) > _LONG:
            header[name], tensors[name] = "tensor", np.frombuffer(text, np.uint8)
    return header, tensors


def fields_of(version: int, header: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The fields of a Model. Raises `InputError` for what cannot be one."""
    if version == 1:
        header, tensors = version1.upgraded(header, tensors)
    if version <= 2:
        header, tensors = version2.upgraded(header, tensors)
    read = Claims(header, tensors)
    coef, offsets = read.tensor("coef", np.float64, 2), read.tensor("intercept", np.float64, 1)
    K, d = coef.shape
    classes = _classes(read.listed("classes", dict))
    if d == 0 or offsets.size != K or (1 if classes.size == 2 else classes.size) != K:
        raise InputError(f"{K} × {d} weights and {offsets.size} offsets for {classes.size} classes")
    names = read.listed("feature_names", list, optional=True)
    if names is not None and (len(names) != d or not all(isinstance(name, str) for name in names)):
        raise InputError(f"feature_names: expected {d} strings")
    kind = read.word("kind", _KINDS)
    facts, provenance = read.part("facts", dict), read.part("provenance", dict)
    if kind == "MaxMarginClassifier" and set(facts) != {"margin", "margin_upper_bound", "gap", "support"}:
        raise InputError("facts: expected those of a largest margin")
    if any(not isinstance(value, (int, float, str, type(None))) for value in provenance.values()):
        raise InputError("provenance: expected words and numbers")
    reading, choice = (read.part(name, dict, optional=True) for name in ("reading", "choice"))
    return {
        "kind": kind,
        "parameters": {
            name: value_of(value) if (name, value) != ("order", "tensor") else _order_of(read)
            for name, value in read.part("parameters", dict).items()
        },
        "classes": classes,
        "feature_names": None if names is None else tuple(names),
        "weights": np.ascontiguousarray(coef.T),
        "offsets": offsets,
        "status": _status_of(read),
        "facts": {name: _fact(name, value) for name, value in facts.items()},
        "state": state_of(read, d, K),
        "history": history_of(read) if read.part("history", bool) else None,
        "vote": vote_of(read, d, K),
        "reading": None if reading is None else Reading.of_dict(reading),
        "provenance": provenance,
        "choice": None if choice is None else Choice.of_dict(choice),
        "log": log_of(read, K),
    }


# Labels: their type is part of them.


def _labels(classes: NDArray[Any]) -> dict[str, Any]:
    values = classes.tolist()
    known = {int, float, str, bool} if classes.dtype.kind in "iufbUO" else set()
    if any(type(value) not in known for value in values):
        raise InputError(
            f"labels of type {classes.dtype} cannot be saved: make them integers, floats, strings or bools"
        )
    # Words are stored as wide as the longest of them, so that no file asks for more memory than it is long.
    kind = f"<U{max(map(len, values))}" if classes.dtype.kind == "U" else classes.dtype.str
    return {"dtype": kind, "values": [*map(plain_float, values)]}


def _classes(labels: dict[str, Any]) -> NDArray[Any]:
    values, name = labels.get("values"), labels.get("dtype")
    kinds = {"i": (int,), "u": (int,), "f": (float, int, dict), "b": (bool,), "U": (str,), "O": (int, float, str, bool)}
    try:
        dtype = np.dtype(str(name))
        if not isinstance(values, list) or len(values) < 2 or dtype.kind not in kinds or dtype.itemsize > 2**20:
            raise ValueError
        if any(type(value) not in kinds[dtype.kind] for value in values):
            raise ValueError
        if dtype.kind == "U" and dtype.itemsize > 4 * max(map(len, values)):
            raise ValueError
        if dtype.kind == "U" and dtype.itemsize * len(values) > max(2**26, 64 * sum(map(len, values))):
            raise ValueError  # one long label among many short ones, each of which would take as much memory
        found = np.array([number(v, "classes") for v in values] if dtype.kind == "f" else values, dtype=dtype)
        if found.tolist() != (values if dtype.kind != "f" else found.tolist()):
            raise ValueError  # a label that its type does not hold: cut off, or out of range
        if any(not a < b for a, b in zip(found[:-1].tolist(), found[1:].tolist(), strict=True)):
            raise ValueError
    except (TypeError, ValueError, OverflowError, SyntaxError):
        raise InputError("classes: expected two or more different labels of one type, sorted") from None
    return found


# Words and numbers.


def _order(value: Any, tensors: dict[str, NDArray[Any]]) -> Any:
    """An order's word; the caller's own is long, and goes into a tensor."""
    if value is None or isinstance(value, str):
        return value
    try:
        order = np.asarray(value)
    except ValueError:  # lists of different lengths
        order = np.empty(0)
    if order.dtype.kind not in "iu" or order.ndim not in (1, 2):
        raise InputError(f"order={shown(value)} cannot be saved: expected a word, a permutation or a list of them")
    tensors["parameters.order"] = order.astype(np.int64)
    return "tensor"


def _order_of(read: Claims) -> NDArray[Any]:
    order = read.tensors.get("parameters.order")
    return read.tensor("parameters.order", np.int64, 1 if order is None or order.ndim != 2 else 2)


def _fact(name: str, value: Any) -> float | NDArray[Any]:
    if isinstance(value, list):
        return np.array([number(entry, name) for entry in value])
    return number(value, name)


def _status(status: Status) -> dict[str, Any]:
    def values(known: Any) -> dict[str, Any]:
        return {name: plain(name, value) for name, value in known.items()}

    steps = [{"key": step.key, "values": values(step.values)} for step in status.steps]
    return {"key": status.key, "values": values(status.values), "steps": steps}


def _status_of(read: Claims) -> Status:
    status = Claims(read.part("status", dict), {}, "status.")
    status.only("key", "values", "steps")
    steps = []
    for one in status.part("steps", list):
        step = Claims(one if isinstance(one, dict) else {}, {}, "status.steps.")
        step.only("key", "values")
        steps.append(Advice(step.part("key", str), _values(step)))
    key = status.part("key", str)
    if re.fullmatch(r"[a-z-]+(\.[a-z-]+)?", key) is None:
        raise InputError(f"status {shown(key)}: expected a word, or two with a point between them")
    found = Status(key, _values(status), tuple(steps))
    try:
        for face in FACES:  # whose words there must be, and find the values they speak of
            str(found.facing(face))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise InputError(f"status {shown(found.key)}: expected what there are words for, and their values") from None
    return found


def _values(read: Claims) -> dict[str, Any]:
    found = {name: value_of(value) for name, value in read.part("values", dict).items()}
    if any(not isinstance(value, (bool, int, float, str, type(None))) for value in found.values()):
        raise InputError(f"{read.where}values: expected words and numbers")
    if any(isinstance(value, str) and not (value.isprintable() and len(value) <= 1000) for value in found.values()):
        raise InputError(f"{read.where}values: expected short words, on one line")
    return found
