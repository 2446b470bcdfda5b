"""A state in a file: numbers in the header, pairs (W, b) as tensors, each stored once, and a tensor for each field of
`OutputState`. And a history, a tensor for each column.
"""

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import SCALES
from ..data.scaling import Scaling
from ..errors import InputError, shown
from ..runs.history import History
from ..runs.state import COUNTS, DRIVER_FIELDS, PAIRS, TALLIES, OutputState, State, Tally
from .claims import Claims, number, plain, plain_float, value_of

_OUTPUT: dict[str, type] = {field.name: field.type for field in fields(OutputState)}  # type: ignore[misc]
_DTYPES: dict[type, type] = {int: np.int64, float: np.float64, bool: np.bool_}
_HISTORY = {
    "epoch": np.int64, "mistakes": np.int64, "updates": np.int64, "error_rate": np.float64,
    "perceptron_loss": np.float64, "squared_loss": np.float64, "norm": np.float64, "margin_upper": np.float64,
}  # fmt: skip


def state_record(state: State, tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The state's part of the header; its arrays go to the tensors."""
    record: dict[str, Any] = {name: getattr(state, name) for name in COUNTS}
    for name in ("weights", *PAIRS):
        pair = (state.weights, state.offsets) if name == "weights" else getattr(state, name)
        if pair is None:
            record[name] = None
        elif not any(part.any() or np.signbit(part).any() for part in pair):
            record[name] = "zero"
        elif name != "weights" and all(map(_same, pair, (state.weights, state.offsets))):
            record[name] = "weights"
        else:
            record[name] = "tensor"
            tensors |= {f"state.{name}.w": pair[0], f"state.{name}.b": pair[1]}
    for name in TALLIES:
        tally: Tally = getattr(state, name)
        record[name] = {part: plain(part, value) for part, value in vars(tally).items()}
    for name, kind in _OUTPUT.items():
        tensors[f"state.outputs.{name}"] = np.array([getattr(one, name) for one in state.outputs], _DTYPES[kind])
    record |= {name: plain_float(getattr(state, name)) for name in DRIVER_FIELDS}
    record["conditions"] = {name: plain(name, value) for name, value in state.conditions.items()}
    record["scale"] = None if state.scaling is None else state.scaling.kind
    if state.scaling is not None:
        tensors |= {"state.scale.centre": state.scaling.centre, "state.scale.factor": state.scaling.factor}
    return record


def _same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return a.tobytes() == b.tobytes()


def state_of(read: Claims, d: int, K: int) -> State | None:
    """The state in a file, if there is one, of d features and K outputs."""
    state = read.inside("state")
    if state is None:
        return None
    state.only(*COUNTS, "weights", *PAIRS, *TALLIES, *DRIVER_FIELDS, "scale")
    decision = state.word("decision", ("binary", "ovr", "direct"))
    if (decision == "binary") != (K == 1):
        raise InputError(f"state.decision is {decision}, with {K} outputs")
    pairs = _pairs_of(state, d, K)
    W, b = pairs.pop("weights")
    tallies: dict[str, Any] = {name: _tally_of(state, name) for name in TALLIES}
    added = {name: _added(state, name, kind) for name, kind in DRIVER_FIELDS.items()}
    if not 0 <= added["rho2"] < np.inf:
        raise InputError(f"state.rho2 is {shown(added['rho2'])}; expected a finite number >= 0")
    counts = {name: state.part(name, int) for name in COUNTS}
    outputs = _outputs_of(state, K if decision == "ovr" else 1)
    scaling = _scaling_of(state, d, added)
    return State(weights=W, offsets=b, **pairs, **counts, **tallies, outputs=outputs, **added, scaling=scaling)


def _scaling_of(state: Claims, d: int, added: dict[str, Any]) -> Scaling | None:
    """The scale, which must be the one of the conditions; of a hyperplane through the origin it has no centres."""
    kind = state.word("scale", SCALES[1:]) if state.header.get("scale") is not None else None
    if added["conditions"].get("scale", "none") != (kind or "none"):
        raise InputError(f"state.scale is {shown(kind)}, and the conditions say another; expected one scale")
    if kind is None:
        return None
    centre, factor = (state.tensor(f"state.scale.{name}", np.float64, 1) for name in ("centre", "factor"))
    if centre.size != d or factor.size != d or not (factor > 0).all():
        raise InputError(f"state.scale: expected {d} centres, and {d} factors above 0")
    if centre.any() and (kind != "standard" or added["rho2"] == 0):
        raise InputError("state.scale: centres; expected them of a standard scale with an offset alone")
    return Scaling(kind, centre, factor)


def _added(state: Claims, name: str, kind: Any) -> Any:
    """A field that the driver adds."""
    if kind is int:
        return state.count(name)
    if name == "conditions":
        return {condition: _condition(value) for condition, value in state.part(name, dict).items()}
    return state.part(name, kind)


def _pairs_of(state: Claims, d: int, K: int) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for name in ("weights", *PAIRS):
        how = state.header.get(name)
        if how not in (None, "zero", "weights", "tensor") or (name == "weights" and how in (None, "weights")):
            raise InputError(f"state.{name} is {shown(how)}; expected zero, weights or tensor")
        if how == "tensor":
            pair = state.tensor(f"state.{name}.w", np.float64, 2), state.tensor(f"state.{name}.b", np.float64, 1)
            if pair[0].shape != (d, K) or pair[1].shape != (K,):
                raise InputError(f"state.{name}: expected {d} × {K} weights and {K} offsets")
            pairs[name] = pair
        else:
            pairs[name] = {"zero": (np.zeros((d, K)), np.zeros(K)), "weights": pairs.get("weights")}.get(str(how))
    return pairs


def _tally_of(state: Claims, name: str) -> Tally:
    tally = Claims(state.part(name, dict), {}, f"state.{name}.")
    tally.only(*(field.name for field in fields(Tally)))
    squared = [number(value, f"state.{name}.squared") for value in tally.part("squared", list)]
    if len(squared) != 4:
        raise InputError(f"state.{name}.squared has {len(squared)} numbers; expected 4")
    first, second, third, fourth = squared
    counts = tally.part("rows", int), tally.part("mistakes", int)
    return Tally(*counts, tally.part("criterion", float), (first, second, third, fourth))


def _outputs_of(state: Claims, size: int) -> tuple[OutputState, ...]:
    columns: dict[str, list[Any]] = {}
    for name, kind in _OUTPUT.items():
        column = state.tensor(f"state.outputs.{name}", _DTYPES[kind], 1)
        if column.size != size:
            raise InputError(f"tensor 'state.outputs.{name}' has {column.size} entries; expected {size}")
        columns[name] = column.tolist()
    rows = zip(*columns.values(), strict=True)
    return tuple(OutputState(**dict(zip(columns, row, strict=True))) for row in rows)


def _condition(value: Any) -> Any:
    return tuple(map(value_of, value)) if isinstance(value, list) else value_of(value)


def history_tensors(history: History) -> dict[str, NDArray[Any]]:
    """The tensors of a history."""
    return {f"history.{name}": getattr(history, name) for name in _HISTORY}


def history_of(read: Claims) -> History:
    """The history in a file."""
    uppers = read.tensors.get("history.margin_upper")
    ndim = 2 if uppers is not None and uppers.ndim == 2 else 1
    columns = {
        name: read.tensor(f"history.{name}", dtype, ndim if name == "margin_upper" else 1, finite=False)
        for name, dtype in _HISTORY.items()
    }
    if len({column.shape[0] for column in columns.values()}) != 1:
        raise InputError("history: its columns differ in length")
    return History(**columns)
