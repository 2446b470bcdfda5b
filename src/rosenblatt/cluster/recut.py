"""Recut: rows of a collection in shards that begin at multiples of 4,096 rows, as full batches and proofs take them.

Every shard hands the rows before the first such row to the shard before. Those few are cut out where they are, and move
alone; the others are copied where they are.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.csr import stacked
from ..data.examples import Examples, weighted
from ..data.rows import matrix_of, rows_of
from ..data.source import CHUNK
from .cut import Cut, Ranges, ShardFacts
from .failures import named
from .shard import Shard

if TYPE_CHECKING:
    from .sharded import ShardedSource

Span = tuple[int, int]
"""The first of some rows of a shard, and the one behind the last."""


def cut_anew(source: "ShardedSource") -> "ShardedSource":
    """The same rows, cut anew; the source itself, if its rows were dealt: then their order is not that of shards."""
    before = source.cut
    if not isinstance(before, Ranges):
        return source
    n, old = source.n_rows, list(zip(before.firsts.tolist(), before.sizes(), strict=True))
    begins = np.unique([-(-first // CHUNK) * CHUNK for first, _ in old])
    cut = Ranges(begins[begins < n].tolist(), n)
    pieces: list[list[tuple[int, Span]]] = [
        [
            (i, (max(0, first - begin), min(rows, first + size - begin)))
            for i, (begin, rows) in enumerate(old)
            if begin < first + size and begin + rows > first
        ]
        for first, size in zip(cut.firsts.tolist(), cut.sizes(), strict=True)
    ]
    # The largest piece of each new shard stays where it is; the others are cut out, and go there.
    moved = [(i, span) for own in pieces for i, span in own if (i, span) != _largest(own)]
    names, kept = [one.called for one in source.shards], [one[0] for one in source.kept]
    cuttings = named(
        [names[i] for i, _ in moved], source.engine.keep, cut_out, [kept[i] for i, _ in moved], [s for _, s in moved],
        shared=cut,
    ) if moved else []  # fmt: skip
    small = dict(zip(moved, cuttings, strict=True))
    parts = [[small.get(one, kept[one[0]]) for one in own] for own in pieces]
    spans = [[(0, span[1] - span[0]) if (i, span) in small else span for i, span in own] for own in pieces]
    of = [names[own[0][0]] if len(own) == 1 else f"{names[own[0][0]]} to {names[own[-1][0]]}" for own in pieces]
    shards = [ShardFacts(at, "", size, of[at]) for at, size in enumerate(cut.sizes())]
    made = named(of, source.engine.keep, joined_rows, parts, spans, list(range(len(shards))), shared=cut)
    return source.in_shards(made, shards, cut)


def _largest(pieces: Sequence[tuple[int, Span]]) -> tuple[int, Span]:
    return max(pieces, key=lambda piece: piece[1][1] - piece[1][0])


def cut_out(shard: Shard, span: Span, cut: Cut) -> Shard:
    """Some rows of a shard that follow each other, as one of their own."""
    return joined_rows([shard], [span], shard.place, cut)


def joined_rows(shards: Sequence[Shard], spans: Sequence[Span], place: int, cut: Cut) -> Shard:
    """Rows of neighbouring shards as one, those of a span of each."""
    taken = [one.source.gather(np.arange(first, last)) for one, (first, last) in zip(shards, spans, strict=True)]
    matrices = [matrix_of(one.rows) for one in taken]
    matrix: Any = stacked(matrices) if taken[0].rows.is_sparse else np.concatenate(matrices)
    weights = [one.weight for one in taken if one.weight is not None]
    source = shards[0].source
    examples = Examples(
        rows_of(matrix), np.concatenate([one.labels for one in taken]), source.classes, source.feature_names,
        weights=np.concatenate(weights) if weights else None,
    )  # fmt: skip
    return Shard(place, cut, place, weighted(examples, None))
