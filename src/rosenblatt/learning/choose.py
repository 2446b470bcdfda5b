"""Choosing: which rule, margin, scale and number of epochs do best on rows held out; then that one, on all rows."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..choices import count, thread_count
from ..data.evaluation import Evaluation
from ..data.examples import weighted
from ..data.source import Source
from ..data.tally import evaluate
from ..runs import status
from ..runs.choice import Choice, Tried
from ..runs.run import Run
from .candidates import candidates_for
from .learn import learn
from .progress import Progress
from .race import FEW, Format, Lane, Race, format_for

_FEWEST = 20  # rows to choose by; with fewer the first candidate is taken, for as many epochs
_EPOCHS = 10


def choose(
    source: Source,
    *,
    seed: int = 0,
    offset: float = 1.0,
    sample_weight: Any = None,
    threads: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    racing: Callable[[int, int], Any] | None = None,
    chosen: Callable[[Choice], Any] | None = None,
    marks: Iterable[int] = (),
) -> tuple[Run, Choice]:
    """Choose by rows held out, then learn the chosen one on all rows: by `learn(source, **choice.plan())`.

    The rows may be anywhere: they are read in pieces, once an epoch for all candidates of a scale. Weights count in
    learning and in choosing; the evaluation of what is chosen counts every row once. A row of weight 0 teaches and
    chooses nothing, but enters the scale of the columns. `seed` says which rows are held out, and in what order rows
    are met; threads change no bit.

    `racing` is told of each epoch of the race, and how many candidates are still in it; `chosen` of the choice, before
    it is learnt; `callback` is that of `learn`.

    >>> from rosenblatt import Examples, datasets
    >>> run, choice = choose(Examples.of(*datasets.get("breast-cancer")))
    >>> print(choice.summary())
    candidate                        epochs  accuracy  ended
    relative-margin 3, standardised       1    98.24%  chosen
    relative-margin 1, standardised       1    97.89%  after 6: no gain
    coin                                  2    91.74%  after 3: left behind
    scinol                                5    90.69%  after 5: left behind
    relative-margin 1                     1    90.33%  after 2: left behind
    Accuracy by 5 folds of 569 rows; the best of several looks a little better than
    it is. Chosen by a lead of 0.35 ± 0.25 points, then learnt again on all rows.
    """
    seed, threads = count("seed", seed, least=0, most=2**64 - 1), thread_count(threads)
    source = weighted(source, sample_weight)
    choice = _chosen(source, seed, offset, threads, racing or (lambda epoch, running: None))
    if chosen is not None:
        chosen(choice)
    run = learn(source, **choice.plan(), offset=offset, threads=threads, callback=callback, marks=marks)
    return ended_as_chosen(run, choice), choice


def ended_as_chosen(run: Run, choice: Choice) -> Run:
    """The run, with an end that says what was chosen, if it has learnt that to its end."""
    best = choice.best
    if run.status.name not in ("budget", "clean") or (run.status.name == "budget" and run.epochs != best.epochs):
        return run
    mistakes = int(run.history.mistakes[-1]) if len(run.history) else 0
    end = status.chosen(
        run.epochs, best.candidate.name, choice.held_out, choice.folds, best.accuracy, mistakes, choice.weighted
    )
    if best.accuracy is not None and choice.most_common is not None and best.accuracy <= choice.most_common:
        end = end.advising(
            "no-better-than-guess", share=choice.most_common, **({"weighted": True} if choice.weighted else {})
        )
    return replace(run, status=end)


def most_epochs(source: Source) -> int:
    """How many epochs a race on these rows may take; 0 if they are too few for one."""
    return _form(source).epochs if source.n_rows >= _FEWEST else 0


def _form(source: Source) -> Format:
    return format_for(source.n_rows, _entries(source) * source.n_outputs)


def _chosen(source: Source, seed: int, offset: float, threads: int, tell: Callable[[int, int], Any]) -> Choice:
    n, form = source.n_rows, _form(source)
    candidates = candidates_for(source.is_sparse, source.n_columns, source.classes.size, n < FEW)
    if n < _FEWEST:
        tried = Tried(candidates[0], _EPOCHS, None, 0, "epochs")
        return Choice(n, seed, 0, 0, None, (tried,), 0, None, None)
    race = Race(source, candidates, form, seed, offset, threads)
    race.run(tell)
    leader = race.leader
    others = [lane for lane in race.lanes if lane is not leader and lane.best >= 0 and lane.end != "fault"]
    next_best = max(others, key=lambda lane: lane.height, default=None)
    lead = leader.lead_over(next_best, race.weight) if next_best is not None else (None, None)
    held = np.concatenate([part.labels for part in race.held["none"]])
    counts = np.bincount(np.unique(held, return_inverse=True)[1], race.weight)
    return Choice(
        n, seed, form.folds, held.size, float(counts.max()), tuple(map(_tried, race.lanes)),
        race.lanes.index(leader), lead[0], lead[1], _evaluation(race), bool(np.ptp(race.weight)),
    )  # fmt: skip


def _evaluation(race: Race) -> Evaluation:
    """How the chosen one did on the rows held out, each counted once, whatever it weighs."""
    classes, (codes, scores) = race.source.classes, race.answers()
    held = [part.labels for part in race.held["none"]]
    labels = np.concatenate(held).astype(np.int64)
    own = np.maximum(labels, 0) if classes.size == 2 else labels
    fold = np.repeat(np.arange(len(held)), [part.size for part in held]) if race.form.folds > 1 else None
    return evaluate(classes[own], classes[codes], classes, scores=scores, folds=fold)


def _tried(lane: Lane) -> Tried:
    if lane.best < 0 or lane.end == "fault":
        return Tried(lane.candidate, 0, None, len(lane.shares), "fault")
    return Tried(lane.candidate, lane.best + 1, lane.shares[lane.best], len(lane.shares), lane.end)


def _entries(source: Source) -> float:
    """How many numbers its rows hold, about; or a learner's weights, where these are more."""
    if not source.is_sparse:
        return float(source.n_rows) * source.n_columns
    sample = source.gather(np.linspace(0, source.n_rows - 1, min(source.n_rows, 100)).astype(np.int64))
    return max(float(sample.rows.arrays[0].size) / sample.rows.n * source.n_rows, float(source.n_columns))
