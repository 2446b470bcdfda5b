"""Growth: a state that goes on with other rows, with more features, or with more classes than it began with.

A feature that appears late has had weight 0 all along, because an absent feature is 0: nothing else changes, so a run
over grown features is the run that had known them from the start. A class that appears late has weights 0 until then,
and has not been shown the earlier rows as rows of another class: there is no telling what it would have learnt.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError
from ..runs.run import History
from ..runs.state import PAIRS, State

# What bounds a length, of the one course of two classes; K outputs that move together are √2 times as long.
_LENGTHS = ("norm", "drift", "travel")


def with_other_rows(state: State) -> State:
    """The state as it goes on with any other rows, from the end of an epoch.

    The weights, the average and every counter go on, and so does the bound on the margin, which from now on speaks of
    all rows met. What looks back at epochs over the same rows begins anew: the plateau, and the search for a loop.
    """
    if state.epoch_rows:
        raise InputError(f"the state is {state.epoch_rows} rows into an epoch: end it before going on with other rows")
    if state.core["best"] is not None:
        raise InputError("a pocket counts mistakes on all rows, and these are others: use readout 'last' or 'averaged'")
    core = dict(state.core)
    if core["saved"] is not None:
        core.update(saved=core["weights"], saved_epoch=core["epoch"], saved_power=1)
    conditions = {**state.conditions, "digest of the data": None, "sample weights": None}
    return replace(state, core=core, conditions=conditions, plateau_best=math.inf, plateau_length=0)


def with_features(state: State, d: int) -> State:
    """The state with d features: with weight 0 for new ones behind those it has, or without the last, spare ones."""
    core = dict(state.core)
    for name in PAIRS:
        if core[name] is not None:
            w, b = core[name]
            core[name] = np.concatenate([w[:d], np.zeros((max(0, d - w.shape[0]), w.shape[1]))]), b
    return replace(state, core=core)


def with_classes(state: State, old: NDArray[Any], new: NDArray[Any], decision: str) -> State:
    """The state of the classes `old` for the classes `new`, of which there are more: both sorted.

    Two classes have one hyperplane. As outputs of their own they have its two sides, w for the positive class and −w
    for the other, in one-vs-rest and in the direct perceptron alike.
    """
    if state.decision not in ("binary", decision):
        raise ParameterError(
            "cannot go on with {multiclass:now}: the model was learnt with {then}",
            now=decision,
            then=repr(state.decision),
        )
    at = np.searchsorted(new, old)
    two = old.size == 2
    core: dict[str, Any] = {name: value for name, value in state.core.items() if not name.startswith("course")}
    for name in PAIRS:
        if core[name] is not None:
            w, b = core[name]
            W, B = np.zeros((w.shape[0], new.size)), np.zeros(new.size)
            W[:, at], B[at] = (np.hstack([-w, w]), np.append(-b, b)) if two else (w, b)
            core[name] = W, B
    courses = [_course(state, i) for i in range(state.n_outputs if state.decision == "ovr" else 1)]
    if decision == "direct":
        courses = [_joined(courses[0]) if two else courses[0]]
    else:
        fresh = {name: type(value)(0) for name, value in courses[0].items()} | {"signs": True}
        fresh |= {"pocket_mistakes": -1, "present_mistakes": -1}
        of = {int(place): courses[0 if two else i] for i, place in enumerate(at)}
        courses = [of.get(k, fresh) for k in range(new.size)]
    for i, course in enumerate(courses):
        core |= {f"course{i}_{name}": value for name, value in course.items()}
    return replace(state, core=core, decision=decision, margin_upper=math.inf)


def history_for(earlier: History | None, later: History) -> History | None:
    """An earlier history with as many columns as a later one, which may have more classes."""
    if earlier is None or earlier.margin_upper.shape[1:] == later.margin_upper.shape[1:]:
        return earlier
    return replace(earlier, margin_upper=np.full((len(earlier), *later.margin_upper.shape[1:]), math.inf))


def _course(state: State, i: int) -> dict[str, Any]:
    prefix = f"course{i}_"
    return {name[len(prefix) :]: value for name, value in state.core.items() if name.startswith(prefix)}


def _joined(course: dict[str, Any]) -> dict[str, Any]:
    """The course of one hyperplane as that of its two sides together."""
    root = math.sqrt(2) * (1 + 2**-50)
    return {**course, "norm2": 2 * course["norm2"], **{name: root * course[name] for name in _LENGTHS}}
