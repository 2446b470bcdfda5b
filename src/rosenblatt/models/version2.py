"""Model files of version 2, brought up to date before they are read: what a state has now, and had not then."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_UPDATE = (0.0, 0.0, False)
"""What the numbers of a rule have at their end since: share, coin, squares."""

_CONDITIONS = {"largest": None, "scale": "none"}
"""What a run goes on under."""

_STATE = {"unit": 1.0, "scale": None, "coin_sum": None, "coin_spread": None, "coin_gain": None, "coin_largest": None}
"""Fields of a state: the unit of β, of rules that took it as it is; no scale, and no purses, for no rule bet."""

_OUTPUT_FIELDS = ("applied_tau",)
"""Sums that only the newer rules ask for: 0."""

Record = tuple[dict[str, Any], dict[str, NDArray[Any]]]


def upgraded(header: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> Record:
    """The same record in the form of version 3. Whether it makes sense is asked when it is read."""
    header = {"choice": None, **_without_unmeasured_scale(header)}
    state = header.get("state")
    if not isinstance(state, dict) or not isinstance(state.get("conditions"), dict):
        return header, tensors
    conditions = dict(state["conditions"])
    if isinstance(conditions.get("update"), list):
        conditions |= {**_CONDITIONS, "update": [*conditions["update"], *_UPDATE]}
    outputs = tensors.get("state.outputs.updates")
    if outputs is not None:
        tensors = {**tensors, **{f"state.outputs.{name}": np.zeros(outputs.shape) for name in _OUTPUT_FIELDS}}
    return {**header, "state": {**_STATE, **state, "conditions": conditions}}, tensors


def _without_unmeasured_scale(header: dict[str, Any]) -> dict[str, Any]:
    """Every plateau was told then that scaled columns may do better; now that is said only where it was measured."""
    status = header.get("status")
    if not isinstance(status, dict) or not isinstance(status.get("steps"), list):
        return header
    steps = []
    for step in status["steps"]:
        key = step.get("key") if isinstance(step, dict) else None
        if key == "scale-or-check":
            steps.append({**step, "key": "check"})
        elif key != "scale":
            steps.append(step)
    return {**header, "status": {**status, "steps": steps}}
