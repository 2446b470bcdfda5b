"""Trajectory: the way the weights went, rebuilt from the log of a run.

Rules add multiples of rows, w′ += τ·y·x′, so the log (which row, how far) and the start are the whole trajectory. Those
that bet do not, and have none.
With K outputs moving together (direct multiclass) the same holds in the joint space of the outputs, where an update
adds τ·(e ⊗ x′) with e = +1 at the row's class and −1 at its rival's; for two classes e is the label y. Everything below
is written for that one form, in primed quantities (x′ = (x, ρ), w′ = (w, b/ρ)).

Nothing here is taken from the loop that learns: margins, norms and angles are computed again from the rows, by NumPy;
of sparse rows, by the plain sums of src/core/products.hpp, which the loop does not use.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..data.classes import one_against_rest
from ..data.csr import Csr, gram
from ..data.losses import Losses, losses_of
from ..data.rows import matrix_of
from ..data.scans import chunk_matrices
from ..data.source import CHUNK, Source
from ..errors import InputError, shown
from .log import Log
from .state import State

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Pair = tuple[Floats, Floats]

_TOGETHER = 256  # updates replayed by one product of their rows with each other


class Replay(NamedTuple):
    """What a walk along the trajectory finds: of each update its margin, of each change its numbers."""

    margin: Floats
    """m of each update's row under the weights it met."""
    norm2: Floats
    """‖w′‖² at the start and after each change."""
    inner: Floats
    """w′·g of each change g, w′ before it."""
    size2: Floats
    """‖g‖² of each change."""
    between: Floats
    """g·h of each two changes in a row."""


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The weights from the start through every change; for one-vs-rest those of one output."""

    source: Source
    output: int | None
    """The output of one-vs-rest with K > 2 whose trajectory it is; None: all there are."""
    start: Pair
    """W (d, K) and b (K,) before the first update."""
    rho2: float
    row: Ints
    """The row of each update, in order."""
    sign: Floats
    """The sign with which the row enters its output: its label y; +1 where K outputs move together."""
    own: Ints
    """The output it enters, and"""
    rival: Ints | None
    """the one it enters with the opposite sign, where K outputs move together."""
    step: Floats
    """τ of each update."""
    change: Ints
    """The number, from 1, of the weight change that the update went into."""
    births: Ints
    """How many rows had been met when each weight vector came to be, the start first."""
    visited: int
    """T, the rows met in all."""
    row_by_row: bool
    """Whether every update was a change of its own."""
    chunk: Ints
    """The number of the chunk in which the row of each update was met, over all epochs."""

    def __repr__(self) -> str:
        return f"<Trajectory of {self.n_changes} changes, {self.row.size} updates: length {self.length:.4g}>"

    def rows_at(self, numbers: Ints) -> Any:
        """The rows of these numbers in float64: an array, or CSR."""
        if not numbers.size:
            none = np.empty((0, self.source.n_columns))
            return Csr.of(none) if self.source.is_sparse else none
        return matrix_of(self.source.gather(numbers).rows).astype(np.float64)

    @property
    def n_changes(self) -> int:
        """How often the weights changed."""
        return int(self.births.size - 1)

    @property
    def survival(self) -> Ints:
        """How long each weight vector lived, the start first; they sum to T + 1."""
        return np.diff(np.append(self.births, self.visited + 1))

    def code(self, block: slice) -> Floats:
        """(updates, K): e, the sign with which each row of the block enters each output."""
        e = np.zeros((self.row[block].size, self.start[1].size))
        at = np.arange(len(e))
        e[at, self.own[block]] = self.sign[block]
        if self.rival is not None:
            e[at, self.rival[block]] = -self.sign[block]
        return e

    def weights(self, change: int) -> Pair:
        """W (d, K) and b (K,) after this many changes; 0 gives the start, n_changes the end.

        The sums are made in the order the run made them, so the bits are the run's.

        >>> from rosenblatt import learn
        >>> run = learn([[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1], offset=0, log=True)
        >>> [run.trajectory().weights(c)[0][:, 0].tolist() for c in range(4)]
        [[0.0, 0.0], [4.0, 0.0], [3.0, -1.0], [1.0, -3.0]]
        """
        if not 0 <= change <= self.n_changes:
            raise InputError(f"change {change}: expected 0 to {self.n_changes}, the changes of this trajectory")
        at, (W, b) = vars(self).get("_reached", (0, self.start))  # so that to ask for one after the other is quick
        if at > change:
            at, (W, b) = 0, self.start
        W, b = W.copy(), b.copy()
        if self.row_by_row:
            self.add_updates(W, b, *np.searchsorted(self.change, [at + 1, change + 1]))
        else:
            for one in range(at + 1, change + 1):
                self.add_change(W, b, one)
        vars(self)["_reached"] = change, (W.copy(), b.copy())
        return W, b

    def add_change(self, W: Floats, b: Floats, change: int) -> None:
        """Add one change to the weights before it. A batch is summed chunk by chunk first, as the run does it."""
        first, end = np.searchsorted(self.change, [change, change + 1])
        if self.row_by_row:
            self.add_updates(W, b, first, end)
            return
        total = np.zeros_like(W), np.zeros_like(b)
        cuts = np.flatnonzero(np.diff(self.chunk[first:end])) + first + 1
        for lo, hi in zip([first, *cuts], [*cuts, end], strict=True):
            part = np.zeros_like(W), np.zeros_like(b)
            self.add_updates(*part, lo, hi)
            total[0][:], total[1][:] = total[0] + part[0], total[1] + part[1]
        W += total[0]
        b += total[1]

    def add_updates(self, W: Floats, b: Floats, start: int, end: int) -> None:
        """Add the updates from this one up to that one, in turn."""
        for first in range(start, end, _TOGETHER):
            block = slice(first, min(end, first + _TOGETHER))
            X, E = self._rows(block), self.code(block)
            for k in range(b.size):
                a = self.step[block] * E[:, k]
                moved = np.flatnonzero(a)
                _add_in_turn(W[:, k], a[moved], X[moved])
                b[k] = np.add.accumulate(np.append(b[k], a[moved] * self.rho2))[-1]

    def losses(self, change: int) -> Losses:
        """The losses of the weights after this many changes, on all rows."""
        W, b = self.weights(change)
        margins = np.empty(self.source.n_rows)
        for span, X, labels in chunk_matrices(self.source):
            margins[span] = margins_of(_product(X, W) + b, labels, self.output)
        return losses_of(margins)

    def along(self, f: Callable[[Any, Floats], Floats]) -> Floats:
        """One number of each update: f is given the rows and codes of many together."""
        blocks = (slice(first, first + CHUNK) for first in range(0, self.row.size, CHUNK))
        return np.concatenate([np.empty(0), *(f(self._rows(block), self.code(block)) for block in blocks)])

    @property
    def lengths(self) -> Floats:
        """‖Δw′‖ of each change."""
        return np.sqrt(self.replay.size2)

    @property
    def length(self) -> float:
        """How far w′ went in all, from change to change."""
        return float(self.lengths.sum())

    @property
    def turns(self) -> Floats:
        """The angle between each two changes in a row, in radians: 0 goes straight on, π turns back."""
        size2 = self.replay.size2
        return _angles(self.replay.between, size2[:-1], size2[1:])

    @property
    def turning(self) -> float:
        """The total turning angle of the trajectory, in radians: the smoother it is, the less."""
        return float(self.turns.sum())

    @property
    def swings(self) -> Floats:
        """The angle by which each change turned w′ itself; 0 where there is no direction yet (w′ = 0)."""
        norm2, inner = self.replay.norm2, self.replay.inner
        return _angles(norm2[:-1] + inner, norm2[:-1], norm2[1:])

    @cached_property
    def replay(self) -> Replay:
        """Every margin, norm and angle on the way."""
        with np.errstate(over="ignore", invalid="ignore"):  # of weights that leave float64, their squares are infinite
            found = list(self._walk())
        join = [np.concatenate([np.empty(0), *(part[i] for part in found)]) for i in range(5)]
        margin, inner, size2, between, norm2 = join
        return Replay(margin, np.append(self._norm2(*self.start), norm2), inner, size2, between[1:])

    def _walk(self) -> Iterator[tuple[Floats, ...]]:
        """Block after block: margins, w′·g, ‖g‖², g·(the change before), ‖w′‖² after each change.

        Within a block of updates, the products of their rows with each other give every margin: that of update j is its
        margin under the weights at the block's start, plus what each earlier change of the block added to it.
        """
        (W, b), previous = (
            (part.copy() for part in self.start),
            (np.zeros_like(self.start[0]), np.zeros_like(self.start[1])),
        )
        for block in self._blocks():
            X, E, a, change = self._rows(block), self.code(block), self.step[block], self.change[block]
            base = (E * (_product(X, W) + b)).sum(axis=1)
            firsts = np.flatnonzero(np.diff(change, prepend=change[0] - 1))
            last = slice(firsts[-1], None)
            ahead = (E * (_product(X, previous[0]) + previous[1])).sum(axis=1)
            link = np.add.reduceat(a * ahead, firsts)[:1]
            previous = _sum(X[last], E[last], a[last], self.rho2)
            if firsts.size == 1:
                g = previous
                margin, size2, between = base, np.array([self._norm2(*g)]), link
            else:
                products = (gram(X) + self.rho2) * (E @ E.T)
                earlier = change[None, :] < change[:, None]
                margin = base + (products * earlier) @ a
                pairs = np.add.reduceat(np.add.reduceat(products * np.outer(a, a), firsts, axis=0), firsts, axis=1)
                size2, between = np.diag(pairs).copy(), np.append(link, np.diag(pairs, 1))
                g = _sum(X, E, a, self.rho2)
            inner = np.add.reduceat(a * margin, firsts)
            norm2 = self._norms2(X, E, a, firsts, W, b, self._norm2(W, b) + np.cumsum(2 * inner + size2))
            W += g[0]
            b += g[1]
            norm2[-1] = self._norm2(W, b)
            yield margin, inner, np.maximum(size2, 0), between, np.maximum(norm2, 0)

    def _norms2(self, X: Any, E: Floats, a: Floats, firsts: Ints, W: Floats, b: Floats, running: Floats) -> Floats:
        """‖w′‖² after each change of a block: running sums, but where they cancel, from the weights themselves."""
        if running.size == 1 or running.min() > 1e-3 * running.max():
            return running
        table = X.toarray() if hasattr(X, "toarray") else X
        found = np.zeros(firsts.size)
        for k in range(b.size):
            steps = np.add.reduceat(table * (a * E[:, k])[:, None], firsts, axis=0)
            found += np.square(W[:, k] + np.cumsum(steps, axis=0)).sum(axis=1)
            if self.rho2:
                offsets = b[k] + np.cumsum(np.add.reduceat(a * E[:, k], firsts)) * self.rho2
                found += offsets * (offsets / self.rho2)
        return found

    def _blocks(self) -> Iterator[slice]:
        """Whole changes, as many together as make some hundred updates."""
        ends = np.append(np.flatnonzero(np.diff(self.change)) + 1, self.change.size)
        first = 0
        while first < self.change.size:
            at = int(np.searchsorted(ends, first + _TOGETHER, side="right"))
            last = (
                int(ends[at - 1])
                if at and ends[at - 1] > first
                else int(ends[np.searchsorted(ends, first, side="right")])
            )
            yield slice(first, last)
            first = last

    def _rows(self, block: slice) -> Any:
        return self.rows_at(self.row[block])

    def _norm2(self, W: Floats, b: Floats) -> float:
        return inner_product((W, b), (W, b), self.rho2)


def trajectory_of(
    source: Source,
    log: Log | None,
    state: State,
    batch_size: int | str,
    output: int | None,
    origin: State | None = None,
) -> Trajectory:
    """The trajectory of a run, or of one output of one-vs-rest. Raises `InputError` without a log from the start on.

    Of a run that went on from other rows, `origin` is the state it went on from, and the trajectory that from there on.
    """
    if log is None:
        raise InputError("this run kept no log: learn(..., log=True)")
    if log.first != (0 if origin is None else log.rows_from):
        raise InputError(
            f"the log begins after {log.first} rows, but the trajectory begins at the start: keep a log from the start,"
            " and go on with start=run (not run.state), which keeps it whole"
        )
    pick, ovr = output_of(state, output), state.decision == "ovr"
    chosen = log.output == output if ovr else np.ones(len(log), dtype=bool)
    # Updates of a batch that is still gathering have not moved the weights.
    before = origin.outputs[output or 0].changes if origin else 0
    changes = state.outputs[output or 0].changes - before
    chosen &= log.change <= before + changes
    row, step, change, chunk = log.row[chosen], log.step[chosen], log.change[chosen] - before, log.chunks()[chosen]
    own, rival, sign = np.zeros(row.size, dtype=np.int64), None, np.ones(row.size)
    if state.decision == "direct":
        # Two entries an update: the row's class, then its rival.
        row, step, change, chunk = row[::2], step[::2], change[::2], chunk[::2]
        pair = log.output[chosen].reshape(-1, 2)
        own, rival, sign = pair[:, 0].copy(), pair[:, 1].copy(), sign[::2]
    else:
        labels = source.labels_of(row)
        sign = (one_against_rest(labels, output) if ovr else labels).astype(np.float64)
    births = np.append(0, log.births(output)[:changes] - log.first)
    if births.size != changes + 1 or (np.diff(change) < 0).any():
        raise InputError("the log is damaged: its visits and changes do not agree")
    W, b = origin.read("last") if origin else state.first_weights
    start = W[:, pick], b[pick]
    return Trajectory(
        source=source, output=output, start=start, rho2=state.rho2, row=row, sign=sign, own=own, rival=rival, step=step,
        change=change, births=births, visited=log.last - log.first, row_by_row=batch_size == 1, chunk=chunk,
    )  # fmt: skip


def inner_product(one: Pair, other: Pair, rho2: float) -> float:
    """w′·v′ in the augmented space, of all outputs together."""
    offsets = float((one[1] * (other[1] / rho2)).sum()) if rho2 else 0.0
    return float((one[0] * other[0]).sum()) + offsets


def output_of(state: State, output: int | None) -> slice:
    """Which outputs move together: the one named of one-vs-rest, else all."""
    if state.decision != "ovr":
        if output is not None:
            raise InputError("output chooses among the classes of one-vs-rest; here they move together: leave it out")
        return slice(None)
    whole = isinstance(output, (int, np.integer)) and not isinstance(output, bool)
    if output is None or not whole or output not in range(state.n_outputs):
        raise InputError(
            f"output {shown(output)}: each class of one-vs-rest goes its own way; give its index in run.classes,"
            f" 0 to {state.n_outputs - 1}"
        )
    return slice(output, output + 1)


def margins_of(scores: Floats, labels: NDArray[Any], output: int | None) -> Floats:
    """The margin of each row: y·s of two classes or one against the rest; or the lead of its class over all others."""
    if output is not None:
        return one_against_rest(labels, output) * scores[:, 0]
    if scores.shape[1] == 1:
        return np.asarray(labels * scores[:, 0])
    rows = np.arange(labels.size)
    own = scores[rows, labels]
    rivals = scores.copy()
    rivals[rows, labels] = -np.inf
    return np.asarray(own - rivals.max(axis=1))


def _add_in_turn(w: Floats, a: Floats, X: Any) -> None:
    """Add a_j·x_j to w, one j after the other, so that each sum is rounded as in a run."""
    if hasattr(X, "indptr"):
        np.add.at(w, X.indices, np.repeat(a, np.diff(X.indptr)) * X.data)
    elif a.size:
        w[:] = np.add.accumulate(np.vstack([w, a[:, None] * X]), axis=0)[-1]


def _sum(X: Any, E: Floats, a: Floats, rho2: float) -> Pair:
    """Σ a_j·(e_j ⊗ x_j), and the same of the offset."""
    coefficients = E * a[:, None]
    return np.asarray(X.T @ coefficients), coefficients.sum(axis=0) * rho2


def _product(X: Any, W: Floats) -> Floats:
    return np.asarray(X @ W, dtype=np.float64)


def _angles(inner: Floats, a2: Floats, b2: Floats) -> Floats:
    """The angles between vectors of squared lengths a2 and b2, to about 1e-8; 0 where one is zero."""
    area = np.sqrt(np.maximum(a2 * b2 - inner * inner, 0))
    return np.where((a2 > 0) & (b2 > 0), np.arctan2(area, inner), 0.0)
