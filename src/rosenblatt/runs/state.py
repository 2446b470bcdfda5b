"""State: everything learning needs to go on, frozen.

A run resumed from a state (`learn(..., start=state)`) continues bit for bit as if it had never stopped, from the middle
of an epoch or of a batch too. Reading weights or an average out of a state changes nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, plural, shown

Pair = tuple[NDArray[np.float64], NDArray[np.float64]]

PAIRS = ("start", "average", "part", "pending", "epoch_start", "saved", "best")
"""The fields of a state that are pairs (W, b), or None; `weights` and `offsets` are one more."""


@dataclass(frozen=True)
class Tally:
    """What a chunk or an epoch came to, as far as it is met: `squared` in four lanes, by place in the chunk."""

    rows: int
    mistakes: int
    criterion: float
    squared: tuple[float, float, float, float]


@dataclass(frozen=True)
class OutputState:
    """The run of one output of one-vs-rest, else of all together; src/core/output_state.hpp says what each field is."""

    updates: int = 0
    changes: int = 0
    epoch_updates: int = 0
    batch_updates: int = 0
    sum_tau: float = 0.0
    """Στ over the chunks that are closed: the open one's part is `chunk_sum_tau`."""
    signs: bool = True
    travel: float = 0.0
    """Σ|τ|·‖x′‖ of the epoch, likewise: the open chunk's part is `chunk_travel`."""
    norm: float = 0.0
    drift: float = 0.0
    norm2: float = 0.0
    streak: int = 0
    longest: int = 0
    record: int = 0
    pocket_mistakes: int = -1
    present_mistakes: int = -1
    chunk_sum_tau: float = 0.0
    chunk_travel: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class State:
    """A snapshot: where the core stands, what the driver adds, and the conditions they were learnt under."""

    weights: NDArray[np.float64]
    """W, of shape (d, K)."""
    offsets: NDArray[np.float64]
    """b, of shape (K,)."""
    start: Pair | None
    """W and b before the first row; None: zero."""
    average: Pair | None
    """Σ t·(change made at visit t), if an average is kept."""
    part: Pair | None
    """The pending batch: its rows of the open chunk, and"""
    pending: Pair | None
    """those of the chunks before it."""
    epoch_start: Pair | None
    saved: Pair | None
    """The cycle detector's: the weights at the end of epoch `saved_epoch`."""
    best: Pair | None
    """What is in the pocket."""
    visited: int
    """T, the rows met so far, over all epochs."""
    batch_rows: int
    epoch: int
    """Finished epochs."""
    epoch_rows: int
    """Rows met in the epoch under way."""
    chunk: int
    """The open chunk, or −1; and how many of its rows have been met:"""
    place: int
    saved_epoch: int
    saved_power: int
    logged: int
    digest: int
    """Of the log."""
    chunk_tally: Tally
    epoch_tally: Tally
    outputs: tuple[OutputState, ...]
    """One for each output of one-vs-rest, else one for all."""
    decision: str
    rho2: float
    conditions: dict[str, Any]
    plateau_best: float = math.inf
    plateau_length: int = 0
    margin_upper: float = math.inf
    """The least bound on an augmented margin so far, over epochs and outputs."""

    @classmethod
    def of_core(cls, saved: dict[str, Any], **rest: Any) -> "State":
        """From what the core's learner saves, and the fields that the driver adds."""
        parts = dict(saved)
        W, b = parts.pop("weights")
        tallies: dict[str, Any] = {name: Tally(**parts.pop(name)) for name in ("chunk_tally", "epoch_tally")}
        outputs = tuple(OutputState(**record) for record in parts.pop("outputs"))
        return cls(weights=W, offsets=b, outputs=outputs, **tallies, **parts, **rest)

    def to_core(self) -> dict[str, Any]:
        """As the core's learner restores it."""
        fields = {name: value for name, value in vars(self).items() if name not in ("offsets", *_NOT_CORE)}
        return fields | {
            "weights": (self.weights, self.offsets),
            "chunk_tally": vars(self.chunk_tally),
            "epoch_tally": vars(self.epoch_tally),
            "outputs": [vars(output) for output in self.outputs],
        }

    def __post_init__(self) -> None:
        for pair in ((self.weights, self.offsets), *(getattr(self, name) for name in PAIRS)):
            for array in pair if isinstance(pair, tuple) else ():
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False

    def with_pairs(self, change: Callable[[NDArray[np.float64], NDArray[np.float64]], Pair]) -> "State":
        """The state with `change(W, b)` in place of each of its pairs."""
        W, b = change(self.weights, self.offsets)
        pairs: dict[str, Any] = {
            name: pair if pair is None else change(*pair) for name in PAIRS for pair in (getattr(self, name),)
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
        if self.best is None:
            raise InputError("this run kept no pocket: learn(..., readout='pocket'), or readout=('last', 'pocket')")
        # What stands at this moment need not have beaten the record to be the better one.
        better = [output.present_mistakes < output.pocket_mistakes for output in self.outputs]
        W, b = self.best
        return np.where(better, self.weights, W), np.where(better, self.offsets, b)

    def read(self, readout: str) -> Pair:
        """The weights W (d, K) and b (K,) of this readout: last, averaged or pocket.

        Reading changes nothing: a run that goes on from here is the same whether it was read or not.
        """
        if readout == "voted":
            raise InputError("a vote is no weight vector, and needs the log: run.read('voted') predicts by it")
        known = {"last": lambda: (self.weights, self.offsets), "averaged": self.averaged, "pocket": self._pocket}
        if readout not in known:
            raise InputError(f"unknown readout {shown(readout)}; expected one of last, averaged, voted, pocket")
        return known[readout]()


_NOT_CORE = ("decision", "rho2", "conditions", "plateau_best", "plateau_length", "margin_upper")
