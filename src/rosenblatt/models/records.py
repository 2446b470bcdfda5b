"""Records: a model as a header and tensors, and back.

What is written here is read for ever: VERSION counts the forms there have been, and `tests/golden` keeps a file of
each. The tensors `coef` (K, d) and `intercept` (K,) are what it predicts by, for programs that want nothing else.

Everything that is read is a claim: shapes must fit together, numbers be finite, words known.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__, _core
from ..data.csr import Csr
from ..errors import InputError, shown
from ..runs.history import History
from ..runs.state import PAIRS, OutputState, State, Tally
from ..runs.status import Status
from ..runs.vote import Vote

KIND, VERSION = "model", 1

_KINDS = ("Perceptron", "MaxMarginClassifier", "OnlinePerceptron")
_LONG = 2**16  # bytes of JSON beyond which a list goes into a tensor
_HISTORY = {
    "epoch": np.int64, "mistakes": np.int64, "updates": np.int64, "error_rate": np.float64,
    "perceptron_loss": np.float64, "squared_loss": np.float64, "norm": np.float64, "margin_upper": np.float64,
}  # fmt: skip
_COUNTS = (
    "visited",
    "batch_rows",
    "epoch",
    "epoch_rows",
    "chunk",
    "place",
    "saved_epoch",
    "saved_power",
    "logged",
    "digest",
)
_TALLIES = ("chunk_tally", "epoch_tally")
_TALLY = {"rows": int, "mistakes": int, "criterion": float, **{f"squared{lane}": float for lane in range(4)}}
_OUTPUT: dict[str, type] = {field.name: field.type for field in fields(OutputState)}  # type: ignore[misc]
_OPEN_CHUNK = ("chunk_sum_tau", "chunk_travel")  # written only where they are not 0: files without them have no part
_DTYPES: dict[type, type] = {int: np.int64, float: np.float64, bool: np.bool_}
_BALLOTS = {"which": np.int64, "output": np.int64, "step": np.float64, "count": np.float64, "first": np.float64}

Record = tuple[dict[str, Any], dict[str, NDArray[Any]]]


def record_of(model: Any) -> Record:
    """The header and the tensors of a Model."""
    tensors: dict[str, NDArray[Any]] = {"coef": model.weights.T, "intercept": model.offsets}
    header = {
        "kind": model.kind,
        "parameters": {
            name: _plain(name, value) if name != "order" else _order(value, tensors)
            for name, value in model.parameters.items()
        },
        "classes": _labels(model.classes),
        "feature_names": None if model.feature_names is None else list(model.feature_names),
        "status": vars(model.status),
        "facts": {name: _plain(name, value) for name, value in model.facts.items()},
        "state": None if model.state is None else _state(model.state, tensors),
        "history": model.history is not None,
        "vote": None if model.vote is None else _vote(model.vote, tensors),
        "provenance": {**model.provenance, "rosenblatt": __version__},
    }
    if model.history is not None:
        tensors |= {f"history.{name}": getattr(model.history, name) for name in _HISTORY}
    for name in ("classes", "feature_names"):
        text = json.dumps(header[name]).encode()
        if len(text) > _LONG:
            header[name], tensors[name] = "tensor", np.frombuffer(text, np.uint8)
    return header, tensors


def fields_of(version: int, header: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The fields of a Model. Raises `InputError` for what cannot be one."""
    assert version == VERSION  # later versions bring older records up to date here
    read = _Reader(header, tensors)
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
    return {
        "kind": kind,
        "parameters": {
            name: _value(value) if (name, value) != ("order", "tensor") else _order_of(read)
            for name, value in read.part("parameters", dict).items()
        },
        "classes": classes,
        "feature_names": None if names is None else tuple(names),
        "weights": np.ascontiguousarray(coef.T),
        "offsets": offsets,
        "status": _status(read.part("status", dict)),
        "facts": {name: _fact(name, value) for name, value in facts.items()},
        "state": _state_of(read, d, K),
        "history": _history_of(read) if read.part("history", bool) else None,
        "vote": _vote_of(read, d, K),
        "provenance": provenance,
    }


class _Reader:
    """Header and tensors, whose every use is a question."""

    def __init__(self, header: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]], where: str = "") -> None:
        self.header, self.tensors, self.where = header, tensors, where

    def part(self, name: str, kind: type, optional: bool = False) -> Any:
        value = self.header.get(name)
        if (value is None and optional) or type(value) is kind:
            return value
        if kind is float:
            return _number(value, self.where + name)
        raise InputError(f"{self.where}{name} is {shown(value)}; expected {_NAMES[kind]}")

    def count(self, name: str, least: int = 0) -> int:
        value: int = self.part(name, int)
        if not least <= value < 2**63:
            raise InputError(f"{self.where}{name} is {shown(value)}; expected a count")
        return value

    def word(self, name: str, known: tuple[str, ...]) -> str:
        value: str = self.part(name, str)
        if value not in known:
            raise InputError(f"{self.where}{name} is {shown(value)}; expected one of {', '.join(known)}")
        return value

    def inside(self, name: str) -> "_Reader | None":
        value = self.part(name, dict, optional=True)
        return None if value is None else _Reader(value, self.tensors, f"{self.where}{name}.")

    def tensor(self, name: str, dtype: type, ndim: int, finite: bool = True) -> NDArray[Any]:
        array = self.tensors.get(name)
        if array is None or array.dtype != dtype or array.ndim != ndim:
            raise InputError(f"tensor {name!r} is missing, or not of {ndim} dimension(s) and {np.dtype(dtype)}")
        if finite and array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"tensor {name!r} holds a number that is not finite")
        return array

    def listed(self, name: str, kind: type, optional: bool = False) -> Any:
        """A part that may have been long, and so is JSON in a tensor."""
        if self.header.get(name) != "tensor":
            return self.part(name, kind, optional)
        try:
            value = json.loads(self.tensor(name, np.uint8, 1).tobytes())
        except (ValueError, RecursionError):
            raise InputError(f"tensor {name!r} holds no JSON text") from None
        return _Reader({name: value}, {}).part(name, kind)


_NAMES = {dict: "an object", list: "a list", str: "a word", bool: "true or false", int: "an integer", float: "a number"}


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
    return {"dtype": kind, "values": [*map(_float, values)]}


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
        found = np.array([_number(v, "classes") for v in values] if dtype.kind == "f" else values, dtype=dtype)
        if found.tolist() != (values if dtype.kind != "f" else found.tolist()):
            raise ValueError  # a label that its type does not hold: cut off, or out of range
        if any(not a < b for a, b in zip(found[:-1].tolist(), found[1:].tolist(), strict=True)):
            raise ValueError
    except (TypeError, ValueError, OverflowError, SyntaxError):
        raise InputError("classes: expected two or more different labels of one type, sorted") from None
    return found


# Words and numbers.


def _float(value: Any) -> Any:
    return {"float": repr(value)} if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: Any, name: str) -> float:
    """A float that JSON may have had to write as a word."""
    if isinstance(value, dict) and list(value) == ["float"] and value["float"] in ("inf", "-inf", "nan"):
        return float(value["float"])
    if type(value) in (int, float):
        try:
            return float(value)
        except OverflowError:
            pass
    raise InputError(f"{name} is {shown(value)}; expected a number")


def _plain(name: str, value: Any) -> Any:
    """A parameter or a fact as JSON has it. A dictionary becomes a list of pairs, because its keys are labels."""
    if isinstance(value, np.ndarray):
        return [_plain(name, entry) for entry in value.tolist()]
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, dict):
        return {"pairs": [[_plain(name, key), _plain(name, entry)] for key, entry in value.items()]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return _float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(name, entry) for entry in value]
    raise InputError(f"{name}={shown(value)} cannot be saved: no file can hold it; set it to a word or a number first")


def _value(value: Any) -> Any:
    if isinstance(value, dict) and "float" in value:
        return _number(value, "a parameter")
    if isinstance(value, dict):
        pairs = value.get("pairs")
        if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise InputError("parameters: expected words, numbers, and lists of pairs")
        return {_key(_value(key)): _value(entry) for key, entry in pairs}
    if isinstance(value, list):
        return [_value(entry) for entry in value]
    return value


def _key(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        raise InputError("parameters: a label must be a word or a number")
    return value


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


def _order_of(read: _Reader) -> NDArray[Any]:
    order = read.tensors.get("parameters.order")
    return read.tensor("parameters.order", np.int64, 1 if order is None or order.ndim != 2 else 2)


def _fact(name: str, value: Any) -> float | NDArray[Any]:
    if isinstance(value, list):
        return np.array([_number(entry, name) for entry in value])
    return _number(value, name)


def _status(words: dict[str, Any]) -> Status:
    read = _Reader(words, {}, "status.")
    return Status(read.part("name", str), read.part("reason", str), read.part("advice", str))


# The state: numbers in the header, pairs (W, b) as tensors, each stored once.


def _state(state: State, tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    core: dict[str, Any] = {}
    for name in ("weights", *PAIRS):
        pair = (state.weights, state.offsets) if name == "weights" else getattr(state, name)
        if pair is None:
            core[name] = None
        elif not any(part.any() or np.signbit(part).any() for part in pair):
            core[name] = "zero"
        elif name != "weights" and all(map(_same, pair, (state.weights, state.offsets))):
            core[name] = "weights"
        else:
            core[name] = "tensor"
            tensors |= {f"state.{name}.w": pair[0], f"state.{name}.b": pair[1]}
    core |= {name: getattr(state, name) for name in _COUNTS}
    for name in _TALLIES:
        tally: Tally = getattr(state, name)
        values = (tally.rows, tally.mistakes, tally.criterion, *tally.squared)
        core |= {f"{name}_{part}": _float(value) for part, value in zip(_TALLY, values, strict=True)}
    for name, kind in _OUTPUT.items():
        column: NDArray[Any] = np.array([getattr(output, name) for output in state.outputs], _DTYPES[kind])
        if name not in _OPEN_CHUNK or column.any():
            tensors[f"state.course.{name}"] = column
    terms = {name: _plain(name, value) for name, value in state.conditions.items()}
    rest = ("plateau_best", "plateau_length", "margin_upper", "rho2", "decision")
    return {"core": core, "terms": terms, **{name: _float(getattr(state, name)) for name in rest}}


def _same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return a.tobytes() == b.tobytes()


def _state_of(read: _Reader, d: int, K: int) -> State | None:
    state = read.inside("state")
    if state is None:
        return None
    core = dict(state.part("core", dict))
    pairs: dict[str, Any] = {}
    for name in ("weights", *PAIRS):
        how = core.pop(name, None)
        if how not in (None, "zero", "weights", "tensor") or (name == "weights" and how in (None, "weights")):
            raise InputError(f"state.core.{name} is {shown(how)}; expected zero, weights or tensor")
        if how == "tensor":
            pair = state.tensor(f"state.{name}.w", np.float64, 2), state.tensor(f"state.{name}.b", np.float64, 1)
            if pair[0].shape != (d, K) or pair[1].shape != (K,):
                raise InputError(f"state.{name}: expected {d} × {K} weights and {K} offsets")
            pairs[name] = pair
        else:
            pairs[name] = {"zero": (np.zeros((d, K)), np.zeros(K)), "weights": pairs.get("weights")}.get(how)
    decision = state.word("decision", ("binary", "ovr", "direct"))
    if (decision == "binary") != (K == 1):
        raise InputError(f"state.decision is {decision}, with {K} outputs")
    known: dict[str, type] = dict.fromkeys(_COUNTS, int)
    known |= {f"{tally}_{name}": kind for tally in _TALLIES for name, kind in _TALLY.items()}
    for name in sorted({*known, *core}):
        if known.get(name) is float:
            core[name] = _number(core.get(name), f"state.core.{name}")
        elif name not in known or type(core.get(name)) is not known[name]:
            raise InputError(f"state.core.{name} is {shown(core.get(name))}; expected what a state has")
    W, b = pairs.pop("weights")
    tallies: dict[str, Any] = {tally: _tally_of(core, tally) for tally in _TALLIES}
    return State(
        weights=W, offsets=b, **pairs, **{name: core[name] for name in _COUNTS},
        **tallies,
        outputs=_outputs_of(state, K if decision == "ovr" else 1),
        decision=decision, rho2=state.part("rho2", float),
        conditions={name: _term(value) for name, value in state.part("terms", dict).items()},
        plateau_best=state.part("plateau_best", float), plateau_length=state.count("plateau_length"),
        margin_upper=state.part("margin_upper", float),
    )  # fmt: skip


def _tally_of(core: dict[str, Any], tally: str) -> Tally:
    rows, mistakes, criterion, *squared = (core[f"{tally}_{name}"] for name in _TALLY)
    return Tally(rows, mistakes, criterion, tuple(squared))


def _outputs_of(state: _Reader, size: int) -> tuple[OutputState, ...]:
    columns: dict[str, list[Any]] = {}
    for name, kind in _OUTPUT.items():
        if name in _OPEN_CHUNK and f"state.course.{name}" not in state.tensors:
            continue
        column = state.tensor(f"state.course.{name}", _DTYPES[kind], 1)
        if column.size != size:
            raise InputError(f"tensor 'state.course.{name}' has {column.size} entries; expected {size}")
        columns[name] = column.tolist()
    rows = zip(*columns.values(), strict=True)
    return tuple(OutputState(**dict(zip(columns, row, strict=True))) for row in rows)


def _term(value: Any) -> Any:
    return tuple(map(_value, value)) if isinstance(value, list) else _value(value)


def _history_of(read: _Reader) -> History:
    uppers = read.tensors.get("history.margin_upper")
    ndim = 2 if uppers is not None and uppers.ndim == 2 else 1
    columns = {
        name: read.tensor(f"history.{name}", dtype, ndim if name == "margin_upper" else 1, finite=False)
        for name, dtype in _HISTORY.items()
    }
    if len({column.shape[0] for column in columns.values()}) != 1:
        raise InputError("history: its columns differ in length")
    return History(**columns)


# A vote: the mistaken rows, dense or CSR, and one entry for each update.


def _vote(vote: Vote, tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    tensors |= {f"vote.{name}": getattr(vote, name) for name in _BALLOTS}
    tensors |= {"vote.start.w": vote.start[0], "vote.start.b": vote.start[1]}
    sparse = hasattr(vote.rows, "indptr")
    if sparse:
        tensors |= {
            "vote.rows.values": vote.rows.data,
            "vote.rows.columns": vote.rows.indices.astype(np.int64),
            "vote.rows.starts": vote.rows.indptr.astype(np.int64),
        }
    else:
        tensors["vote.rows"] = vote.rows
    return {"rho2": vote.rho2, "moments": vote.moments, "direct": vote.direct, "sparse": sparse}


def _vote_of(read: _Reader, d: int, K: int) -> Vote | None:
    vote = read.inside("vote")
    if vote is None:
        return None
    columns = {name: vote.tensor(f"vote.{name}", dtype, 1) for name, dtype in _BALLOTS.items()}
    start = vote.tensor("vote.start.w", np.float64, 2), vote.tensor("vote.start.b", np.float64, 1)
    if start[0].shape != (d, K) or start[1].shape != (K,) or columns["first"].size != K:
        raise InputError(f"vote: expected {d} × {K} weights to start from")
    found = Vote(
        rows=_rows_of(vote, d), start=start, rho2=vote.part("rho2", float), moments=vote.count("moments", 1),
        direct=vote.part("direct", bool), **columns,
    )  # fmt: skip
    try:
        found.check()
    except ValueError as error:
        raise InputError(f"vote: {error}") from None
    return found


def _rows_of(vote: _Reader, d: int) -> Any:
    if not vote.part("sparse", bool):
        rows = vote.tensor("vote.rows", np.float64, 2)
        if rows.shape[1] != d:
            raise InputError(f"vote: rows of {rows.shape[1]} features; expected {d}")
        return rows
    values, columns, starts = (
        vote.tensor(f"vote.rows.{name}", dtype, 1)
        for name, dtype in (("values", np.float64), ("columns", np.int64), ("starts", np.int64))
    )
    if _core.Rows.sparse(values, columns, starts, starts.size - 1, d)[0] is None:
        raise InputError("vote: the mistaken rows are no sound sparse matrix")
    return Csr(values[: starts[-1]], columns[: starts[-1]], starts, (starts.size - 1, d))
