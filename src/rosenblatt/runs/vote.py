"""Vote: every weight vector of a run votes with its sign, weighed by how long it lived (Freund and Schapire 1999).

The prediction is sign Σ_m c_m·sign(w_m·x + b_m), with sign(0) = 0. No weight vector is stored: w_m is the start plus
the first m updates, so its score on x is a running sum of products of x with the mistaken rows. Those rows, the steps
and the counts are enough; predicting is a product with the distinct mistaken rows, a running sum and a weighted count
of signs, sixteen rows at a time (src/core/vote.hpp).

With K > 2 classes one-vs-rest holds K votes, and the class with the most wins; the weight vectors of the direct
perceptron each vote for the class they would predict, and on a tie, as at 0, for none. Unlike an average, a vote need
not have a hyperplane for its boundary.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..choices import count as whole_number
from ..choices import thread_count
from ..data.csr import Csr, stacked
from ..data.hyperplane import scores
from ..data.rows import rows_of
from ..data.source import Source
from ..errors import InputError, shown
from .log import Log
from .state import State
from .trajectory import Floats, Ints, Pair, Trajectory, trajectory_of


class VotedWeights(NamedTuple):
    """A weight vector of a run, and how long it lived."""

    w: Floats
    """(d,), or (d, K) where K outputs move together."""
    b: Any
    """Its offset, or K of them."""
    c: int


@dataclass(frozen=True, eq=False)
class Vote:
    """The mistaken rows (a copy), and how each update and each weight vector counts."""

    rows: Any
    """The distinct mistaken rows: an array, or CSR."""
    start: Pair
    """The weights before the first row, W (d, K) and b (K,)."""
    rho2: float
    """ρ², the square of the constant appended to every row."""
    moments: int
    """T + 1, the sum of all counts: the votes that each output has."""
    which: Ints
    """For each update and output that it moved, the place of its row in `rows`."""
    output: Ints
    """For each of these, the output that it moved."""
    step: Floats
    """For each of these, its signed step ±τ."""
    count: Floats
    """For each of these, how long the weights lived that it led to; 0 where more of the same change follow."""
    first: Floats
    """For each output, how long the start lived."""
    direct: bool
    """Whether the weight vectors are those of the direct perceptron, which vote for a class together."""

    def __repr__(self) -> str:
        return f"<Vote of {np.count_nonzero(self.count) + 1} weight vectors, by {self.rows.shape[0]} mistaken rows>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def then(self, later: "Vote") -> "Vote":
        """The vote of a run that went on, with other rows: `later` began with the weights that this one ended with."""
        moved = np.zeros_like(self.output) if self.direct else self.output
        first, count = self.first.copy(), self.count.copy()
        # The weights in between live on; the moment at which they met the first of the other rows is in both counts.
        for k, more in enumerate(later.first - 1):
            last = int(np.searchsorted(moved, 0 if self.direct else k, side="right")) - 1
            if last < 0 or moved[last] != (0 if self.direct else k):
                first[k] += more
            elif k == 0 or not self.direct:
                count[last] += more
        order = np.argsort(np.concatenate([moved, later.output * (not self.direct)]), kind="stable")
        return replace(
            self,
            rows=_stacked(self.rows, later.rows),
            moments=self.moments + later.moments - 1,
            which=_frozen(np.concatenate([self.which, later.which + self.rows.shape[0]])[order]),
            output=_frozen(np.concatenate([self.output, later.output])[order]),
            step=_frozen(np.concatenate([self.step, later.step])[order]),
            count=_frozen(np.concatenate([count, later.count])[order]),
            first=first,
        )

    def n_weights(self, output: int | None = None) -> int:
        """How many weight vectors vote, the start included; of one-vs-rest with K > 2 classes, for this output."""
        return 1 + int(np.count_nonzero(self.count[self._of(output)]))

    def weights(self, most: int = 1000, output: int | None = None) -> list[VotedWeights]:
        """The list of (w, b, c) that the voted perceptron gives out, the start first: at most so many.

        For one-vs-rest give `output`, the index of the class. Row by row the bits are the run's.

        >>> from rosenblatt import datasets, learn
        >>> sample = datasets.four_in_the_plane()
        >>> vote = learn(*sample, **sample.plan, max_epochs=1, readout="voted").vote
        >>> [(w.tolist(), c) for w, b, c in vote.weights()]
        [([0.0, 0.0], 1), ([4.0, 0.0], 1), ([3.0, -1.0], 2), ([1.0, -3.0], 1)]
        """
        most, chosen, pick = whole_number("most", most), self._of(output), output if output is not None else slice(None)
        W, b = (np.array(part[..., pick]).reshape((*part.shape[:-1], -1)) for part in self.start)
        found = [self._listed(W, b, self.first[output or 0])]
        ends = np.flatnonzero(self.count[chosen])[: most - 1]
        for j in chosen[: int(ends[-1]) + 1 if ends.size else 0]:
            k, row = 0 if b.size == 1 else self.output[j], self.rows[self.which[j] : self.which[j] + 1]
            W[:, k] += self.step[j] * np.asarray(row.toarray() if hasattr(row, "toarray") else row)[0]
            b[k] += self.step[j] * self.rho2
            if self.count[j]:
                found.append(self._listed(W, b, self.count[j]))
        return found

    def _listed(self, W: Floats, b: Floats, count: float) -> VotedWeights:
        one = b.size == 1
        return VotedWeights((W[:, 0] if one else W) + 0.0, float(b[0]) + 0.0 if one else b + 0.0, int(count))

    def _of(self, output: int | None) -> Ints:
        """The places of the updates that belong to an output, or to all together."""
        K = self.start[1].size
        if self.direct or K == 1:
            if output not in (None, *range(K == 1)):
                raise InputError(f"output {shown(output)}: the outputs of this vote are one; leave it out")
            return np.arange(self.output.size)
        if output is None or output not in range(K):
            raise InputError(f"output {shown(output)}: each class has its own vote; expected its index, 0 to {K - 1}")
        return np.flatnonzero(self.output == output)

    def check(self) -> None:
        """Raise `ValueError` unless the parts fit together, as those from a file need not."""
        self._ballot, self._mistaken  # noqa: B018

    def scores(self, X: Any, threads: int | None = None, first_row: int = 0) -> Floats:
        """The votes for each output, from −1 to 1 (of the direct perceptron, the share of votes): (n, K).

        A row's votes depend neither on the other rows nor on the threads; from a zero start, nor on how rows are
        stored.
        """
        rows = rows_of(X)
        threads = thread_count(threads)
        start = scores(rows, *self.start, threads, first_row)  # looks at every number of X, too
        votes = self._ballot.vote(self._mistaken, rows, _tiles(start), threads)
        return votes.transpose(0, 2, 1).reshape(-1, start.shape[1])[: rows.n] / self.moments

    @cached_property
    def _ballot(self) -> _core.Ballot:
        return _core.Ballot(
            which=self.which, output=self.output, step=self.step, count=self.count, first=self.first,
            mistaken=self.rows.shape[0], direct=self.direct, rho2=self.rho2,
        )  # fmt: skip

    @cached_property
    def _mistaken(self) -> _core.Rows:
        if not hasattr(self.rows, "indptr"):
            return _core.Rows.dense(self.rows)
        columns, starts = self.rows.indices.astype(np.int64), self.rows.indptr.astype(np.int64)
        made, flaw, *_ = _core.Rows.sparse(self.rows.data, columns, starts, *self.rows.shape)
        if made is None:
            raise ValueError(f"mistaken rows that are no sparse matrix: {flaw}")
        return made


def _tiles(rows: Floats) -> Floats:
    """(n, K) as (tiles, K, 16), the last tile filled up with zeros."""
    n, outputs = rows.shape
    tiles = -(-n // _core.TILE)
    padded = np.zeros((tiles * _core.TILE, outputs))
    padded[:n] = rows
    return np.ascontiguousarray(padded.reshape(tiles, _core.TILE, outputs).transpose(0, 2, 1))


def vote_of(source: Source, log: Log | None, state: State, batch_size: int | str, origin: State | None = None) -> Vote:
    """The vote of a run, from its log; if it went on from other rows, from `origin`, that of its weights since then."""
    outputs = range(state.n_outputs) if state.decision == "ovr" else (None,)
    paths = [trajectory_of(source, log, state, batch_size, output, origin) for output in outputs]
    mistaken = np.unique(np.concatenate([path.row for path in paths]))
    columns = [_ballots(path, k) for k, path in enumerate(paths)]
    row, output, step, count = (np.concatenate(column) for column in zip(*columns, strict=True))
    which = np.searchsorted(mistaken, row)
    first = [path.survival[0] for path in paths for _ in range(path.start[1].size)]
    W, b = (np.concatenate([path.start[part] for path in paths], axis=-1) for part in (0, 1))
    return Vote(
        rows=paths[0].rows_at(mistaken),
        start=(W, b),
        rho2=paths[0].rho2,
        moments=paths[0].visited + 1,
        which=_frozen(which),
        output=_frozen(output),
        step=_frozen(step),
        count=_frozen(count),
        first=np.array(first, dtype=np.float64),
        direct=state.decision == "direct",
    )


def _frozen(column: NDArray[Any]) -> NDArray[Any]:
    column.flags.writeable = False  # the core has checked it, and reads through it
    return column


def _stacked(rows: Any, more: Any) -> Any:
    if not hasattr(rows, "indptr") and not hasattr(more, "indptr"):
        return np.concatenate([rows, more])
    return stacked([part if isinstance(part, Csr) else Csr.of(part) for part in (rows, more)])


def _ballots(path: Trajectory, output: int) -> tuple[Ints, Ints, Floats, Floats]:
    """Row, output, signed step and count of each update of a trajectory."""
    complete = np.diff(path.change, append=path.n_changes + 1) > 0  # the last update of its change
    count = np.zeros(path.row.size)
    count[complete] = path.survival[1:]
    if path.rival is None:
        return path.row, np.full(path.row.size, output), path.step * path.sign, count
    # Two outputs move at each update; the weights are whole again after the second.
    outputs = np.stack([path.own, path.rival], axis=1)
    steps = np.stack([path.step, -path.step], axis=1)
    counts = np.stack([np.zeros(path.row.size), count], axis=1)
    return np.repeat(path.row, 2), outputs.reshape(-1), steps.reshape(-1), counts.reshape(-1)
