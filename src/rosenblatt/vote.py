"""Vote: every weight vector of a run votes with its sign, weighed by how long it lived (Freund and Schapire 1999).

The prediction is sign Σ_m c_m·sign(w_m·x + b_m), with sign(0) = 0. No weight vector is stored: w_m is the start plus
the first m updates, so its score on x is a running sum of products of x with the mistaken rows. Those rows, the steps
and the counts are enough; predicting is one matrix product with the distinct mistaken rows, a running sum and a
weighted count of signs.

With K > 2 classes one-vs-rest holds K votes, and the class with the most wins; the weight vectors of the direct
perceptron each vote for the class they would predict. Unlike an average, a vote need not have a hyperplane for its
boundary.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from . import _core
from .examples import matrix_of, rows_of
from .hyperplane import scores
from .path import Floats, Ints, Pair, Path
from .plan import thread_count

_PRODUCTS = 2**20  # numbers in a block of products: 8 MB, whatever the size of the log


@dataclass(frozen=True, eq=False)
class Vote:
    """The mistaken rows (a copy), and how each update and each weight vector counts."""

    rows: Any
    """The distinct mistaken rows: an array, or CSR."""
    start: Pair
    rho2: float
    moments: int
    """T + 1: all the votes there are."""
    which: Ints
    """Of each update and output it moves: the place of its row in `rows`,"""
    output: Ints
    """the output,"""
    step: Floats
    """its signed step ±τ,"""
    count: Floats
    """and how long the weights then lived: 0 where more updates belong to the same change."""
    first: Floats
    """How long the start lived, for each output."""
    direct: bool

    def __repr__(self) -> str:
        return f"<Vote of {np.count_nonzero(self.count) + 1} weight vectors, by {self.rows.shape[0]} mistaken rows>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def scores(self, X: Any, threads: int | None = None) -> Floats:
        """The votes for each output, from −1 to 1 (of the direct perceptron, the share of votes): (n, K).

        Blocks of rows keep the memory for products small.
        """
        rows = rows_of(X)
        threads = thread_count(threads)
        start = scores(rows, *self.start, threads)  # looks at every number of X, too
        if self.step.size == 0:
            return (np.eye(start.shape[1])[start.argmax(axis=1)] if self.direct else np.sign(start)) * 1.0
        if rows.is_sparse and self._sparse is not None:
            votes = _rows(self._ballot.sparse(self._sparse, rows, _tiles(start), threads))[: rows.n]
            return votes / self.moments
        table, votes = matrix_of(rows), np.empty_like(start)
        size = _core.TILE * max(1, _PRODUCTS // (_core.TILE * max(1, self.rows.shape[0])))
        for begin in range(0, rows.n, size):
            block = slice(begin, begin + size)
            tiles = _tiles(start[block])
            found = self._ballot.dense(self._products(table[block], tiles.shape[0]), tiles, threads)
            votes[block] = _rows(found)[: votes[block].shape[0]]
        return votes / self.moments

    def _products(self, block: Any, tiles: int) -> Floats:
        """x·z for each mistaken row x and each row z of the block, in whole tiles."""
        products = np.zeros((self.rows.shape[0], tiles * _core.TILE))
        if hasattr(block, "toarray") or hasattr(self.rows, "toarray"):
            products[:, : block.shape[0]] = self.rows @ block.T
        else:
            np.matmul(self.rows, block.T.astype(np.float64, copy=False), out=products[:, : block.shape[0]])
        return products

    @cached_property
    def _ballot(self) -> _core.Ballot:
        parts = (self.which, self.output, self.step, self.count, self.first)
        return _core.Ballot(*parts, self.rows.shape[0], self.direct, self.rho2)

    @cached_property
    def _sparse(self) -> _core.Rows | None:
        if not hasattr(self.rows, "indptr"):
            return None
        columns, starts = self.rows.indices.astype(np.int64), self.rows.indptr.astype(np.int64)
        made, *_ = _core.Rows.sparse(self.rows.data, columns, starts, *self.rows.shape)
        return made


def _tiles(rows: Floats) -> Floats:
    """(n, K) as (tiles, K, 16), the last tile filled up with zeros."""
    n, outputs = rows.shape
    tiles = -(-n // _core.TILE)
    padded = np.zeros((tiles * _core.TILE, outputs))
    padded[:n] = rows
    return np.ascontiguousarray(padded.reshape(tiles, _core.TILE, outputs).transpose(0, 2, 1))


def _rows(tiles: Floats) -> Floats:
    """(tiles, K, 16) as rows of K, those that filled up the last tile included."""
    return tiles.transpose(0, 2, 1).reshape(-1, tiles.shape[1])


def vote_of(paths: tuple[Path, ...], direct: bool) -> Vote:
    """The vote of a run: of its one path, or of the paths of one-vs-rest's outputs."""
    mistaken = np.unique(np.concatenate([path.row for path in paths]))
    columns = [_ballots(path, k, direct) for k, path in enumerate(paths)]
    row, output, step, count = (np.concatenate(column) for column in zip(*columns, strict=True))
    which, first = (
        np.searchsorted(mistaken, row),
        [path.survival[0] for path in paths for _ in range(path.start[1].size)],
    )
    for column in (which, output, step, count):
        column.flags.writeable = False  # the core has checked them, and reads through them
    W, b = (np.concatenate([path.start[part] for path in paths], axis=-1) for part in (0, 1))
    return Vote(
        rows=matrix_of(paths[0].examples.rows)[mistaken].astype(np.float64),
        start=(W, b),
        rho2=paths[0].rho2,
        moments=paths[0].visited + 1,
        which=which,
        output=output,
        step=step,
        count=count,
        first=np.array(first, dtype=np.float64),
        direct=direct,
    )


def _ballots(path: Path, output: int, direct: bool) -> tuple[Ints, Ints, Floats, Floats]:
    """Row, output, signed step and count of each update of a path."""
    complete = np.diff(path.change, append=path.n_changes + 1) > 0  # the last update of its change
    count = np.zeros(path.row.size)
    count[complete] = path.survival[1:]
    if not direct:
        return path.row, np.full(path.row.size, output), path.step * path.code[:, 0], count
    # Two outputs move at each update; the weights are whole again after the second.
    outputs = np.stack([path.code.argmax(axis=1), path.code.argmin(axis=1)], axis=1)
    steps = np.stack([path.step, -path.step], axis=1)
    counts = np.stack([np.zeros(path.row.size), count], axis=1)
    return np.repeat(path.row, 2), outputs.reshape(-1), steps.reshape(-1), counts.reshape(-1)
