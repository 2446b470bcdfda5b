"""Model files of version 2, brought up to date before they are read: what a state has now, and had not then."""

from typing import Any

_UPDATE = (0.0, 0.0)
"""What the numbers of a rule have at their end since: share, coin."""


def upgraded(header: dict[str, Any]) -> dict[str, Any]:
    """The same record in the form of version 3. Whether it makes sense is asked when it is read."""
    header = _without_unmeasured_scale(header)
    state = header.get("state")
    if not isinstance(state, dict) or not isinstance(state.get("conditions"), dict):
        return header
    conditions = dict(state["conditions"])
    if isinstance(conditions.get("update"), list):
        conditions["update"] = [*conditions["update"], *_UPDATE]
        conditions["largest"] = None
    return {**header, "state": {**state, "conditions": conditions}}


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
