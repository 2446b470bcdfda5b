"""State: everything learning needs to go on, frozen.

A run resumed from a state (`learn(..., start=state)`) continues bit for bit as if it had never stopped, from the middle
of an epoch or of a batch too. Reading weights or an average out of a state changes nothing.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, plural, shown

Pair = tuple[NDArray[np.float64], NDArray[np.float64]]

PAIRS = ("weights", "start", "average", "part", "pending", "epoch_start", "saved", "best")
"""The fields of the core that are pairs (W, b), or None."""


@dataclass(frozen=True, eq=False)
class State:
    """A snapshot: the core's fields by name, what the driver adds, and the conditions they were learnt under."""

    core: dict[str, Any]
    decision: str
    rho2: float
    conditions: dict[str, Any]
    plateau_best: float = math.inf
    plateau_length: int = 0
    margin_upper: float = math.inf
    """The least bound on an augmented margin so far, over epochs and outputs."""

    def __post_init__(self) -> None:
        for value in self.core.values():
            if isinstance(value, tuple):
                for array in value:
                    if isinstance(array, np.ndarray):
                        array.flags.writeable = False

    def __repr__(self) -> str:
        d, K = self.weights.shape
        return f"<State: {d} × {K} weights, {plural(self.epoch, 'epoch')} and {plural(self.epoch_rows, 'row')}>"

    @property
    def weights(self) -> NDArray[np.float64]:
        """W, of shape (d, K)."""
        return self._pair("weights")[0]

    @property
    def offsets(self) -> NDArray[np.float64]:
        """b, of shape (K,)."""
        return self._pair("weights")[1]

    @property
    def n_outputs(self) -> int:
        """K."""
        return int(self.offsets.size)

    @property
    def visited(self) -> int:
        """T, the rows met so far, over all epochs."""
        return int(self.core["visited"])

    @property
    def epoch(self) -> int:
        """Finished epochs."""
        return int(self.core["epoch"])

    @property
    def epoch_rows(self) -> int:
        """Rows met in the epoch under way."""
        return int(self.core["epoch_rows"])

    @property
    def updates(self) -> int:
        """Rows that moved the weights, over all outputs."""
        return sum(self.course("updates"))

    @property
    def changes(self) -> int:
        """Times the weights changed, over all outputs: equal to `updates` unless rows come in batches."""
        return sum(self.course("changes"))

    @property
    def sum_tau(self) -> NDArray[np.float64]:
        """Στ for each output of one-vs-rest, else one for all."""
        return np.array(self.course("sum_tau"))

    @property
    def start(self) -> Pair:
        """W and b before the first row."""
        if self.core["start"] is None:
            return np.zeros_like(self.weights), np.zeros_like(self.offsets)
        return self._pair("start")

    @property
    def pocket_mistakes(self) -> NDArray[np.int64]:
        """Rows with m ≤ 0 under the weights in the pocket: for each output of one-vs-rest, else one for all.

        Of a run with sample weights it is the sum of their weights, in units of 2⁻³⁰ of the largest.
        """
        self._pocket()
        return np.minimum(self.course("pocket_mistakes"), self.course("present_mistakes"))

    def averaged(self) -> Pair:
        """The mean of the weights over the T + 1 moments after 0, 1, … T rows.

        With U the sum of t·(change made at visit t), that is ((T + 1)·w − U)/(T + 1).
        """
        if self.core["average"] is None:
            raise InputError(
                "this run kept no average: learn(..., readout='averaged'), or readout=('last', 'averaged')"
            )
        moments = self.visited + 1
        (w, b), (u, v) = self._pair("weights"), self._pair("average")
        return (moments * w - u) / moments, (moments * b - v) / moments

    def _pocket(self) -> Pair:
        if self.core["best"] is None:
            raise InputError("this run kept no pocket: learn(..., readout='pocket'), or readout=('last', 'pocket')")
        # What stands at this moment need not have beaten the record to be the better one.
        better = np.less(self.course("present_mistakes"), self.course("pocket_mistakes"))
        (W, b), (now, c) = self._pair("best"), self._pair("weights")
        return np.where(better, now, W), np.where(better, c, b)

    def read(self, readout: str) -> Pair:
        """The weights W (d, K) and b (K,) of this readout: last, averaged or pocket.

        Reading changes nothing: a run that goes on from here is the same whether it was read or not.
        """
        if readout == "voted":
            raise InputError("a vote is no weight vector, and needs the log: run.read('voted') predicts by it")
        known = {"last": lambda: self._pair("weights"), "averaged": self.averaged, "pocket": self._pocket}
        if readout not in known:
            raise InputError(f"unknown readout {shown(readout)}; expected one of last, averaged, voted, pocket")
        return known[readout]()

    def _pair(self, name: str) -> Pair:
        pair: Pair = self.core[name]
        return pair

    def course(self, name: str) -> list[Any]:
        """A number of each output of one-vs-rest, else one for all."""
        return [self.core[f"course{i}_{name}"] for i in range(self.n_outputs if self.decision == "ovr" else 1)]
