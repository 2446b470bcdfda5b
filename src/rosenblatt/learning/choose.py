"""Choosing: which rule, margin, scale and number of epochs do best on rows held out; then that one, on all rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..choices import count, thread_count
from ..data.labels import weights_of
from ..data.source import Source, Weighted
from ..errors import InputError
from ..report.choice import choice_text
from ..runs import status
from ..runs.run import Run
from .candidates import Candidate, candidates_for
from .learn import learn
from .progress import Progress
from .race import Lane, Race, format_for

_FEWEST = 20  # rows to choose by; with fewer the first candidate is taken, for as many epochs
_EPOCHS = 10


class Tried(NamedTuple):
    """A candidate, and how it did: `accuracy` of the rows held out after its best number of `epochs`, of those `met`.

    `end` says why it went no further: "stale" (no gain), "behind" the leader, "epochs" (all of them), or "fault" (its
    numbers left float64, and there is no accuracy).
    """

    candidate: Candidate
    epochs: int
    accuracy: float | None
    met: int
    end: str


@dataclass(frozen=True, eq=False)
class Choice:
    """What was tried, what was chosen, and by how much.

    tried, chosen
        The candidates, and the index of the one that was taken.
    folds, held_out
        How it was judged: by so many rows in that many folds; 1 fold is one part, held out. 0 rows: too few to choose.
    most_common
        The share of them that is of the most common class: what a guess would get right.
    lead, lead_error
        By how much the chosen is ahead of the next best, and the standard error of that; None without a next.
    """

    rows: int
    seed: int
    folds: int
    held_out: int
    most_common: float | None
    tried: tuple[Tried, ...]
    chosen: int
    lead: float | None
    lead_error: float | None

    @property
    def best(self) -> Tried:
        """The one that was chosen."""
        return self.tried[self.chosen]

    def plan(self) -> dict[str, Any]:
        """What `learn` is given to learn the chosen one, again and bit for bit."""
        return {**self.best.candidate.plan(), "max_epochs": self.best.epochs, "seed": self.seed}

    def to_dict(self) -> dict[str, Any]:
        """It in plain values."""
        return {
            "rows": self.rows,
            "seed": self.seed,
            "folds": self.folds,
            "held_out": self.held_out,
            "most_common": self.most_common,
            "lead": self.lead,
            "lead_error": self.lead_error,
            "candidates": [
                {
                    "name": one.candidate.name,
                    **one.candidate._asdict(),
                    "epochs": one.epochs,
                    "accuracy": one.accuracy,
                    "met": one.met,
                    "end": one.end,
                    "chosen": i == self.chosen,
                }
                for i, one in enumerate(self.tried)
            ],
        }

    def summary(self) -> str:
        """The table, at most 80 characters wide."""
        return "\n".join(choice_text(self.to_dict()))

    def __repr__(self) -> str:
        return f"<Choice\n{self.summary()}>"


def choose(
    source: Source,
    *,
    seed: int = 0,
    offset: float = 1.0,
    sample_weight: Any = None,
    threads: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    racing: Callable[[int, int], Any] | None = None,
) -> tuple[Run, Choice]:
    """Choose by rows held out, then learn the chosen one on all rows: by `learn(source, **choice.plan())`.

    `racing` is told of each epoch of the race, and how many candidates are still in it; `callback` is that of `learn`.
    """
    seed, threads = count("seed", seed, least=0, most=2**64 - 1), thread_count(threads)
    if (weight := weights_of(sample_weight, source.n_rows)) is not None:
        if source.has_weights:
            raise InputError("the source has sample weights of its own: leave out sample_weight")
        source = Weighted(source, weight)
    choice = _chosen(source, seed, offset, threads, racing or (lambda epoch, running: None))
    run = learn(source, **choice.plan(), offset=offset, threads=threads, callback=callback)
    if run.status.name in ("budget", "clean"):
        mistakes = int(run.history.mistakes[-1])
        best = choice.best
        end = status.chosen(run.epochs, best.candidate.name, choice.held_out, best.accuracy, mistakes)
        run = replace(run, status=end)
    return run, choice


def _chosen(source: Source, seed: int, offset: float, threads: int, tell: Callable[[int, int], Any]) -> Choice:
    n, K = source.n_rows, source.n_outputs
    candidates = candidates_for(source.is_sparse, source.classes.size)
    if n < _FEWEST:
        tried = Tried(candidates[0], _EPOCHS, None, 0, "epochs")
        return Choice(n, seed, 0, 0, None, (tried,), 0, None, None)
    form = format_for(n, _entries(source) * K)
    race = Race(source, candidates, form, seed, offset, threads)
    race.run(tell)
    leader = race.leader
    others = [lane for lane in race.lanes if lane is not leader and lane.best >= 0 and lane.end != "fault"]
    next_best = max(others, key=lambda lane: lane.shares[lane.best], default=None)
    lead = leader.lead_over(next_best, race.weight) if next_best is not None else (None, None)
    held = np.concatenate([part.labels for part in race.held["none"]])
    counts = np.bincount(np.unique(held, return_inverse=True)[1], race.weight)
    return Choice(
        n, seed, form.folds, held.size, float(counts.max()), tuple(map(_tried, race.lanes)),
        race.lanes.index(leader), *lead,
    )  # fmt: skip


def _tried(lane: Lane) -> Tried:
    if lane.best < 0 or lane.end == "fault":
        return Tried(lane.candidate, 0, None, len(lane.shares), "fault")
    return Tried(lane.candidate, lane.best + 1, lane.shares[lane.best], len(lane.shares), lane.end)


def _entries(source: Source) -> float:
    """How many numbers its rows hold, about."""
    if not source.is_sparse:
        return float(source.n_rows) * source.n_columns
    sample = source.gather(np.linspace(0, source.n_rows - 1, min(source.n_rows, 100)).astype(np.int64))
    return float(sample.rows.arrays[0].size) / sample.rows.n * source.n_rows
