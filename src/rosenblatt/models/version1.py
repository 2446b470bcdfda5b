"""Model files of version 1, brought up to date before they are read: one table of what things were called then."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

Record = tuple[dict[str, Any], dict[str, NDArray[Any]]]

_CONDITIONS = {
    "numbers": "update",
    "readouts kept": "readouts",
    "step_tol given": "step_tol",
    "digest of the data": "digest",
    "sample weights": "weights_digest",
}
"""The conditions of a run that had another name."""

_FIELDS = {
    "part": "batch_chunk_sum",
    "pending": "batch_sum",
    "place": "chunk_place",
    "saved": "cycle_weights",
    "saved_epoch": "cycle_epoch",
    "saved_power": "cycle_power",
    "best": "pocket",
    "logged": "log_length",
    "digest": "log_digest",
}
"""The fields of a state that had another name; those that are pairs (W, b) are tensors `state.<field>.w` and `.b`."""

_OUTPUT_FIELDS = {
    "signs": "all_steps_nonnegative",
    "travel": "path_length",
    "drift": "rounding_bound",
    "longest": "longest_streak",
    "record": "longest_candidate_streak",
}
"""The fields of an output, which were tensors `state.course.<field>`, that had another name."""

_NEW = ("chunk_sum_tau", "chunk_path_length")
"""Sums of the open chunk, which were not kept apart: 0, for all of it is in the others."""


def upgraded(header: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> Record:
    """The same record in the form of version 2. Whether it makes sense is asked when it is read."""
    provenance = dict(_part(header, "provenance"))
    reading = provenance.pop("reading", None)
    try:
        known = json.loads(reading) if isinstance(reading, str) else None
    except (ValueError, RecursionError):
        raise InputError("provenance: how the data were read is no JSON text") from None
    state = header.get("state")
    header = {
        **header,
        "provenance": provenance,
        "reading": known,
        "status": _status(header, state),
        "state": None if state is None else _state(_part(header, "state")),
    }
    return header, _tensors(tensors) if state is not None else tensors


def _part(header: dict[str, Any], name: str) -> dict[str, Any]:
    part = header.get(name)
    if not isinstance(part, dict):
        raise InputError(f"{name} is missing, or no object")
    return part


def _status(header: dict[str, Any], state: Any) -> dict[str, Any]:
    """Its name, and after how many epochs it ended. The sentences it was told in had no values to keep."""
    name = _part(header, "status").get("name")
    if not isinstance(name, str) or "." in name:
        raise InputError("status.name is missing, or no word")
    core = state.get("core") if isinstance(state, dict) else None
    epoch = core.get("epoch") if isinstance(core, dict) else None
    return {"key": f"{name}.old", "values": {"epoch": epoch if type(epoch) is int else None}, "steps": []}


def _state(state: dict[str, Any]) -> dict[str, Any]:
    core, terms = dict(_part(state, "core")), _part(state, "terms")
    new: dict[str, Any] = {name: value for name, value in state.items() if name not in ("core", "terms")}
    for part in ("chunk_tally", "epoch_tally"):
        lanes = [core.pop(f"{part}_squared{lane}", None) for lane in range(4)]
        new[part] = {name: core.pop(f"{part}_{name}", None) for name in ("rows", "mistakes", "criterion")}
        new[part]["squared"] = lanes
    new["conditions"] = {_CONDITIONS.get(name, name): value for name, value in terms.items()}
    return {_FIELDS.get(name, name): value for name, value in {**new, **core}.items()}


def _tensors(tensors: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    found = {_tensor_name(name): one for name, one in tensors.items()}
    outputs = found.get("state.outputs.updates")
    if outputs is not None:
        found |= {f"state.outputs.{name}": np.zeros(outputs.shape) for name in _NEW}
    return found


def _tensor_name(name: str) -> str:
    whole, field, part = (*name.split(".", 2), "", "")[:3]
    if whole != "state":
        return name
    if field == "course":
        return f"state.outputs.{_OUTPUT_FIELDS.get(part, part)}"
    return f"state.{_FIELDS[field]}.{part}" if field in _FIELDS else name
