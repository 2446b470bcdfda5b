"""State: everything learning needs to go on, frozen.

A run resumed from a state (`learn(..., start=state)`) continues bit for bit as if it had never stopped, from the middle
of an epoch or of a batch too. Reading weights or an average out of a state changes nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.scaling import Scaling
from ..errors import InputError, plural, shown

Pair = tuple[NDArray[np.float64], NDArray[np.float64]]
"""W and b, of shapes (d, K) and (K,)."""

Change = Callable[[NDArray[np.float64], NDArray[np.float64]], Pair]

_EVEN = ("coin_spread", "coin_gain", "coin_largest")
"""The pairs that are the same for w and for −w."""

_DRIVER = {"driver": True}
"""Metadata of the fields that the driver adds to what the core's learner saves."""
_SCALING = {"scaling": True}
"""And of the scale, which is arrays."""


@dataclass(frozen=True)
class Tally:
    """What the rows met so far in a chunk or an epoch came to, each before it was learnt from."""

    rows: int
    """How many rows were met."""
    mistakes: int
    """How many margins were m ≤ 0, over the rows and the outputs."""
    criterion: float
    """The perceptron loss: the sum of −m over the mistakes."""
    squared: tuple[float, float, float, float]
    """The sum of (1 − m)² in four lanes, by the row's place in its chunk, whose sum is the squared loss."""


@dataclass(frozen=True)
class OutputState:
    """The run of one output of one-vs-rest, else of all outputs together: what the laws of the theory speak of.

    w′ and x′ are the weights and the row in the augmented space, with b/ρ and ρ behind them.
    """

    updates: int = 0
    """How many rows moved the weights."""
    changes: int = 0
    """How many times the weights changed: fewer than `updates` where rows come in batches."""
    epoch_updates: int = 0
    """How many of the updates were in the epoch under way."""
    batch_updates: int = 0
    """How many of the updates are in the pending batch, and have not moved the weights yet."""
    sum_tau: float = 0.0
    """The sum of the steps τ over the chunks that are closed."""
    chunk_sum_tau: float = 0.0
    """The sum of the steps τ in the open chunk, which joins `sum_tau` when the chunk is closed."""
    applied_tau: float = 0.0
    """The sum of the steps τ in the weights, without the pending batch's; 0 unless θ has a share of ‖w′‖²/Στ."""
    all_steps_nonnegative: bool = True
    """Whether every step τ so far was ≥ 0, as law 9 needs it."""
    path_length: float = 0.0
    """The sum of |τ|·‖x′‖ over the closed chunks of the epoch: w′ has gone no farther than that."""
    chunk_path_length: float = 0.0
    """The sum of |τ|·‖x′‖ in the open chunk, which joins `path_length` when the chunk is closed."""
    norm: float = 0.0
    """‖w′‖ when the epoch began."""
    rounding_bound: float = 0.0
    """A bound on the distance of w′ as stored from w′ in exact arithmetic, as of when the epoch began."""
    norm2: float = 0.0
    """‖w′‖² now, of a rule whose threshold it makes; of other rules, when the epoch began."""
    streak: int = 0
    """How many rows in a row, up to now, have left the present weights alone; 0 unless a pocket is kept."""
    longest_streak: int = 0
    """The longest streak of the present weights before this one: in a batch an update interrupts a streak."""
    longest_candidate_streak: int = 0
    """The longest streak of all weights that have been candidates for the pocket."""
    pocket_mistakes: int = -1
    """The mistakes on all rows of the weights in the pocket; −1 while it is empty."""
    present_mistakes: int = -1
    """The mistakes on all rows of the weights as they were at the last snapshot; −1 before the first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class State:
    """A snapshot: where the core stands, what the driver adds, and the conditions they were learnt under.

    Each field stands here once, and those of the core once in src/core/saving.hpp: what they have in common (pairs,
    counts, whose they are) is asked of their types and metadata.
    """

    weights: NDArray[np.float64]
    """The weights W, of shape (d, K)."""
    offsets: NDArray[np.float64]
    """The offsets b, of shape (K,)."""
    start: Pair | None
    """The weights before the first row; None for zero."""
    average: Pair | None
    """The sum of t·(change made at visit t), if an average is kept."""
    batch_chunk_sum: Pair | None
    """The sum of the pending batch's updates in the open chunk; None unless rows come in batches."""
    batch_sum: Pair | None
    """The sum of the pending batch's updates in the chunks before the open one; None unless rows come in batches."""
    epoch_start: Pair | None
    """The weights when the epoch began, if how far an epoch moves them is measured (`step_tol`)."""
    coin_sum: Pair | None
    """Of a rule that bets: Σg of each coordinate; b is that of the offset."""
    coin_spread: Pair | None
    """Σ|g|; of a rule that bets by squares, Σg²."""
    coin_gain: Pair | None
    """Σg·w, what it has won: its wealth, less what it began with."""
    coin_largest: Pair | None
    """The largest |g|: of all rows there are, or so far."""
    cycle_weights: Pair | None
    """The weights at the end of epoch `cycle_epoch`, if weights that come back are looked for (Brent 1980)."""
    pocket: Pair | None
    """Of each output the weights with the fewest mistakes on all rows so far, if a pocket is kept."""
    visited: int
    """T, the rows met so far, over all epochs."""
    batch_rows: int
    """How many rows of the pending batch have been met."""
    epoch: int
    """How many epochs are finished."""
    epoch_rows: int
    """How many rows have been met in the epoch under way."""
    chunk: int
    """The number of the open chunk; −1 if none is open."""
    chunk_place: int
    """How many rows of the open chunk have been met."""
    cycle_epoch: int
    """The epoch at whose end `cycle_weights` was taken; 0 for the start."""
    cycle_power: int
    """How many epochs after `cycle_epoch` it is taken anew: a power of 2, doubled each time."""
    log_length: int
    """How many entries the log has had since the start; 0 if none is kept."""
    log_digest: int
    """A number that tells one log from another, made of all its entries; 0 if none is kept."""
    chunk_tally: Tally
    """What the open chunk came to so far."""
    epoch_tally: Tally
    """What the closed chunks of the epoch came to."""
    outputs: tuple[OutputState, ...]
    """The run of each output of one-vs-rest, else one for all."""
    decision: str = field(metadata=_DRIVER)
    """How outputs decide: binary, ovr (one-vs-rest) or direct."""
    rho2: float = field(metadata=_DRIVER)
    """ρ², the square of the constant appended to every row; 0 for no offset."""
    conditions: dict[str, Any] = field(metadata=_DRIVER)
    """What must be the same when the run goes on: rule, order, data and so on (learning/resume.py)."""
    unit: float = field(default=1.0, metadata=_DRIVER)
    """What β is given in: 1, or the median of ‖x′‖² over the rows that the run began with."""
    plateau_best: float = field(default=math.inf, metadata=_DRIVER)
    """The least loss of an epoch so far, as `tol` compares it."""
    plateau_length: int = field(default=0, metadata=_DRIVER)
    """How many epochs in a row have not brought the loss `tol` below the least before them."""
    margin_upper: float = field(default=math.inf, metadata=_DRIVER)
    """The least bound on an augmented margin so far, over epochs and outputs."""
    scaling: Scaling | None = field(default=None, metadata=_SCALING)
    """The scale of the columns: then every weight above is one of scaled rows, and `folded` those of the rows."""

    @classmethod
    def of_core(cls, saved: dict[str, Any], **rest: Any) -> "State":
        """From what the core's learner saves, and the fields that the driver adds."""
        parts = dict(saved)
        W, b = parts.pop("weights")
        tallies: dict[str, Any] = {name: Tally(**parts.pop(name)) for name in TALLIES}
        outputs = tuple(OutputState(**record) for record in parts.pop("outputs"))
        return cls(weights=W, offsets=b, outputs=outputs, **tallies, **parts, **rest)

    def to_core(self) -> dict[str, Any]:
        """As the core's learner restores it."""
        return {
            "weights": (self.weights, self.offsets),
            **{name: getattr(self, name) for name in (*PAIRS, *COUNTS)},
            **{name: vars(getattr(self, name)) for name in TALLIES},
            "outputs": [vars(output) for output in self.outputs],
        }

    def __post_init__(self) -> None:
        for pair in ((self.weights, self.offsets), *(getattr(self, name) for name in PAIRS)):
            for array in pair if isinstance(pair, tuple) else ():
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False

    def with_pairs(self, change: Change, even: Change | None = None) -> "State":
        """The state with `change(W, b)` in place of each of its pairs; `even` for those that both signs share."""
        W, b = change(self.weights, self.offsets)
        pairs: dict[str, Any] = {
            name: pair if pair is None else (even or change if name in _EVEN else change)(*pair)
            for name in PAIRS
            for pair in (getattr(self, name),)
        }
        return replace(self, weights=W, offsets=b, **pairs)

    def __repr__(self) -> str:
        d, K = self.weights.shape
        return f"<State: {d} × {K} weights, {plural(self.epoch, 'epoch')} and {plural(self.epoch_rows, 'row')}>"

    @property
    def n_outputs(self) -> int:
        """K."""
        return int(self.offsets.size)

    @property
    def updates(self) -> int:
        """Rows that moved the weights, over all outputs."""
        return sum(output.updates for output in self.outputs)

    @property
    def changes(self) -> int:
        """Times the weights changed, over all outputs: equal to `updates` unless rows come in batches."""
        return sum(output.changes for output in self.outputs)

    @property
    def sum_tau(self) -> NDArray[np.float64]:
        """Στ for each output of one-vs-rest, else one for all."""
        return np.array([output.sum_tau + output.chunk_sum_tau for output in self.outputs])

    @property
    def first_weights(self) -> Pair:
        """W and b before the first row."""
        return self.start or (np.zeros_like(self.weights), np.zeros_like(self.offsets))

    @property
    def pocket_mistakes(self) -> NDArray[np.int64]:
        """Rows with m ≤ 0 under the weights in the pocket: for each output of one-vs-rest, else one for all.

        Of a run with sample weights it is the sum of their weights, in units of 2⁻³⁰ of the largest.
        """
        self._pocket()
        return np.array([min(output.pocket_mistakes, output.present_mistakes) for output in self.outputs])

    def averaged(self) -> Pair:
        """The mean of the weights over the T + 1 moments after 0, 1, … T rows.

        With U the sum of t·(change made at visit t), that is ((T + 1)·w − U)/(T + 1).
        """
        if self.average is None:
            raise InputError(
                "this run kept no average: learn(..., readout='averaged'), or readout=('last', 'averaged')"
            )
        moments = self.visited + 1
        u, v = self.average
        return (moments * self.weights - u) / moments, (moments * self.offsets - v) / moments

    def _pocket(self) -> Pair:
        if self.pocket is None:
            raise InputError("this run kept no pocket: learn(..., readout='pocket'), or readout=('last', 'pocket')")
        # What stands at this moment need not have stood longer to be the better one.
        better = [output.present_mistakes < output.pocket_mistakes for output in self.outputs]
        W, b = self.pocket
        return np.where(better, self.weights, W), np.where(better, self.offsets, b)

    def read(self, readout: str) -> Pair:
        """The weights W (d, K) and b (K,) of this readout: last, averaged or pocket; of the scaled rows, if they were.

        Reading changes nothing: a run that goes on from here is the same whether it was read or not.
        """
        if readout == "voted":
            raise InputError("a vote is no weight vector, and needs the log: run.read('voted') predicts by it")
        known = {"last": lambda: (self.weights, self.offsets), "averaged": self.averaged, "pocket": self._pocket}
        if readout not in known:
            raise InputError(f"unknown readout {shown(readout)}; expected one of last, averaged, voted, pocket")
        return known[readout]()

    def folded(self, readout: str) -> Pair:
        """The same as weights of the rows as they were given, whatever their scale."""
        pair = self.read(readout)
        return pair if self.scaling is None else self.scaling.fold(*pair)


def _fields(kind: Any) -> tuple[str, ...]:
    """The core's fields of this type."""
    return tuple(one.name for one in fields(State) if one.type == kind and not one.metadata)


PAIRS = _fields(Pair | None)
"""The fields of a state that are pairs (W, b), or None; `weights` and `offsets` are one more."""

COUNTS = _fields(int)
"""The core's whole numbers."""

TALLIES = _fields(Tally)
"""The tallies."""

DRIVER_FIELDS = {one.name: one.type for one in fields(State) if "driver" in one.metadata}
"""What the driver adds: the type of each."""
