"""A state that goes on with other rows, with more features, or with more classes than it began with.

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
from ..runs.history import History
from ..runs.state import OutputState, Pair, State


def with_other_rows(state: State) -> State:
    """The state as it goes on with any other rows, from the end of an epoch.

    The weights, the average and every counter go on, and so does the bound on the margin, which from now on speaks of
    all rows met. What looks back at epochs over the same rows begins anew: the plateau, and the search for a loop.
    """
    if state.epoch_rows:
        raise InputError(f"the state is {state.epoch_rows} rows into an epoch: end it before going on with other rows")
    if state.pocket is not None:
        raise InputError("a pocket counts mistakes on all rows, and these are others: use readout 'last' or 'averaged'")
    if state.cycle_weights is not None:
        state = replace(state, cycle_weights=state.read("last"), cycle_epoch=state.epoch, cycle_power=1)
    conditions = {**state.conditions, "digest": None, "weights_digest": None}
    if state.coin_largest is not None:
        conditions["largest"] = "growing"
    return replace(state, conditions=conditions, plateau_best=math.inf, plateau_length=0)


def with_features(state: State, d: int) -> State:
    """The state with d features: with weight 0 for new ones behind those it has, or without the last, spare ones."""

    def grown(W: NDArray[np.float64], b: NDArray[np.float64]) -> Pair:
        return np.concatenate([W[:d], np.zeros((max(0, d - W.shape[0]), W.shape[1]))]), b

    return state.with_pairs(grown)


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

    def spread(w: NDArray[np.float64], b: NDArray[np.float64], other: float = -1) -> Pair:
        W, B = np.zeros((w.shape[0], new.size)), np.zeros(new.size)
        W[:, at], B[at] = (np.hstack([other * w, w]), np.append(other * b, b)) if two else (w, b)
        return W, B

    def alike(w: NDArray[np.float64], b: NDArray[np.float64]) -> Pair:
        return spread(w, b, other=1)

    if decision == "direct":
        outputs = [_joined(state.outputs[0]) if two else state.outputs[0]]
    else:
        of = {int(place): state.outputs[0 if two else i] for i, place in enumerate(at)}
        outputs = [of.get(k, OutputState()) for k in range(new.size)]
    return replace(state.with_pairs(spread, alike), outputs=tuple(outputs), decision=decision, margin_upper=math.inf)


def history_for(earlier: History | None, later: History) -> History | None:
    """An earlier history with as many columns as a later one, which may have more classes."""
    if earlier is None or earlier.margin_upper.shape[1:] == later.margin_upper.shape[1:]:
        return earlier
    return replace(earlier, margin_upper=np.full((len(earlier), *later.margin_upper.shape[1:]), math.inf))


def _joined(output: OutputState) -> OutputState:
    """The run of one hyperplane as that of its two sides together, which are √2 times as long."""
    root = math.sqrt(2) * (1 + 2**-50)
    return replace(
        output,
        norm2=2 * output.norm2,
        norm=root * output.norm,
        rounding_bound=root * output.rounding_bound,
        path_length=root * output.path_length,
        chunk_path_length=root * output.chunk_path_length,
    )
