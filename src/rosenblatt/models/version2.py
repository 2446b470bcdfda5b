"""Model files of version 2, brought up to date before they are read: what a state has now, and had not then."""

from typing import Any

_UPDATE = (0.0, 0.0)
"""What the numbers of a rule have at their end since: share, coin."""


def upgraded(header: dict[str, Any]) -> dict[str, Any]:
    """The same record in the form of version 3. Whether it makes sense is asked when it is read."""
    state = header.get("state")
    if not isinstance(state, dict) or not isinstance(state.get("conditions"), dict):
        return header
    conditions = dict(state["conditions"])
    if isinstance(conditions.get("update"), list):
        conditions["update"] = [*conditions["update"], *_UPDATE]
        conditions["largest"] = None
    return {**header, "state": {**state, "conditions": conditions}}
