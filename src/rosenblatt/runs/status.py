"""Status: why something ended, as a key and values, with advice likewise; a function for each end of a run.

Sentences are made at the edge, from the tables of report/words.py, in the words of whoever is spoken to. So a status
can be saved, compared and added to without anybody editing English.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..report import words

Values = Mapping[str, Any]

FAULTS = ("score overflow", "norm overflow", "norm underflow", "step overflow")
"""What the core says of a row at which numbers leave float64."""


WORTH_ACTING = frozenset({
    "scale", "scale-first",  # columns of sizes far apart or rows far off 0, and a row is predicted wrong
    "still-gaining", "one-epoch",  # the epochs were spent before tol could end the run, and a row is predicted wrong
    "smaller-eta", "rescale", "rescale-weighted",  # steps that overshoot, numbers that leave float64
    "epochs-above",  # no epoch was left to make
    "more-time", "try-no-gap",  # of the largest margin: bounds further apart than was asked for
})  # fmt: skip
"""Advice that gains something for whoever follows it: a status that has some is worth a warning."""


@dataclass(frozen=True)
class Advice:
    """One piece of advice: a key of `report.words.ADVICE`, and the values its sentence speaks of."""

    key: str
    values: Values = field(default_factory=dict)


@dataclass(frozen=True)
class Status:
    """Why it ended, and what to do next.

    key
        A key of `report.words.REASONS`, where all of them are; what stands before a point is the name of the end. Of a
        run: clean, budget, plateau, step, loop, rest, non-finite, stopped, chosen; of an estimator also pass,
        validation. Of the largest margin: exact, gap, time, stalled, undecided, inseparable; of the fewest mistakes:
        exact, time, columns.
    values
        What the reason speaks of: the epoch, the loss, ...
    steps
        The advice, one piece after the other.
    face
        Whose words `str` uses: "learn", "estimator" or "command".
    """

    key: str
    values: Values = field(default_factory=dict)
    steps: tuple[Advice, ...] = ()
    face: str = field(default="learn", compare=False)

    @property
    def name(self) -> str:
        """The name of the end: clean, budget, plateau, …"""
        return self.key.partition(".")[0]

    @property
    def reason(self) -> str:
        """Why it ended, in a sentence."""
        return words.reason(self.key, self.values, self.face)

    @property
    def advice(self) -> str:
        """What to do next, in a sentence."""
        return words.advice([(step.key, step.values) for step in self.steps], self.face)

    @property
    def worth_warning(self) -> bool:
        """Whether an estimator warns of it: there is something to gain by acting. The cases are in docs/runs.md."""
        return any(step.key in WORTH_ACTING for step in self.steps)

    def facing(self, face: str) -> "Status":
        """The same, said to a caller of `learn`, of an estimator, or of the command line."""
        return replace(self, face=face)

    def advising(self, key: str, **values: Any) -> "Status":
        """With one more piece of advice."""
        return replace(self, steps=(*self.steps, Advice(key, values)))

    def without(self, key: str) -> "Status":
        """Without this piece of advice, which is said elsewhere."""
        return replace(self, steps=tuple(step for step in self.steps if step.key != key))

    def __str__(self) -> str:
        return "; ".join(part for part in (f"{self.name}: {self.reason}", self.advice) if part)


def ended(key: str, *advice: str | Advice, **values: Any) -> Status:
    """A status by its key and values; advice without values by its key alone."""
    return Status(key, values, tuple(Advice(one) if isinstance(one, str) else one for one in advice))


def clean(epoch: int, mistakes: int) -> Status:
    """An epoch without an update. Mistakes can remain only on rows that cannot move the weights."""
    if mistakes:
        return ended("clean.idle", "settled", epoch=epoch, mistakes=mistakes)
    return ended("clean", "settled", epoch=epoch)


def loop(epoch: int, since: int, mistakes: int, readout: str, always: bool) -> Status:
    """Weights that came back, in an order and with steps that depend on nothing else.

    `always`: the rule steps on every row, right or wrong.
    """
    status = Status("loop", {"epoch": epoch, "since": since})
    if mistakes == 0 and not always:
        return status.advising("margin-not-reached")
    status = status.advising("mistakes-left", mistakes=mistakes).advising("repeats")
    return status.advising("another-readout") if readout == "last" and mistakes else status


def rest(epoch: int, since: int, moves: float, mistakes: int) -> Status:
    """A rule that steps on every row, at a fixed point of the epoch: the one end it has, but for an exact fit.

    Up to rounding: weights that came back after several epochs, of which one `moves` each by so little of its size.
    """
    advice = _left(mistakes), "repeats", "near-least-squares"
    return ended("rest", *advice, epoch=epoch, since=since, moves=moves)


def step(epoch: int, moved: float, mistakes: int) -> Status:
    """An epoch that hardly moved the weights."""
    return ended("step", _left(mistakes), "smaller-step-tol", epoch=epoch, moved=moved)


def plateau(epoch: int, patience: int, mistakes: int, readout: str) -> Status:
    """A loss that has stopped falling."""
    key = "plateau.average" if readout == "averaged" else "plateau"
    status = ended(key, _left(mistakes), "larger-patience", epoch=epoch, stale=patience)
    return status.advising("average") if readout == "last" else status


def passed(epoch: int, rows: int, mistakes: int, end: Status) -> Status:
    """One epoch that was asked for, of rows that need not be all there are."""
    if end.name in ("clean", "non-finite"):
        return end
    return ended("pass", "partial-fit", epoch=epoch, rows=rows, mistakes=mistakes)


def validated(epoch: int, best: int, score: float, patience: int) -> Status:
    """Rows kept apart are predicted no better than some epochs ago."""
    values = {"epoch": epoch, "best": best, "score": score, "stale": patience}
    return kept_best(Status("validation", values), best).advising("larger-patience")


def kept_best(end: Status, best: int) -> Status:
    """A run that ended after an epoch that predicted the rows kept apart better than its last."""
    return end.advising("best-kept", epoch=best)


def chosen(
    epoch: int, name: str, held_out: int, folds: int, accuracy: float | None, mistakes: int, weighted: bool = False
) -> Status:
    """As many epochs as did best on rows held out; without such rows there was nothing to choose by."""
    if accuracy is None:
        return ended("chosen.few", _left(mistakes), epoch=epoch, name=name)
    known = {"rows": held_out, "folds": folds, "accuracy": accuracy, **({"weighted": True} if weighted else {})}
    return ended("chosen", _left(mistakes), epoch=epoch, name=name, **known)


def running(epoch: int) -> Status:
    """No end yet."""
    return ended("running", "running", epoch=epoch)


def overshooting(name: str, epoch: int, loss: float, batches: bool, safe: float | None) -> Status:
    """An end with a squared loss above that of w = 0. `safe`: the η below which no step overshoots, if it is known."""
    smaller = Advice("smaller-eta", {"batches": batches, "safe": safe})
    return ended(f"{name}.overshooting", smaller, epoch=epoch, loss=loss)


def spent(epoch: int, max_epochs: int) -> Status:
    """A run that is to go on for fewer epochs than it has behind it."""
    return ended("budget.before", Advice("epochs-above", {"epoch": epoch}), epoch=epoch, asked=max_epochs)


def budget(
    epoch: int, mistakes: int | None, upper: float, beta: float, slow: bool, always: bool, scaled: bool = False
) -> Status:
    """The epochs are spent. `upper` bounds the best augmented margin, of the rows or of the `scaled` ones; `beta` is
    the margin the rule asks for.

    `always`: the rule steps on every row, right or wrong.
    """
    status = Status("budget", {"epoch": epoch}, () if mistakes is None else (_left(mistakes),))
    if math.isfinite(upper):
        status = status.advising("margin-upper", upper=upper, **({"scaled": True} if scaled else {}))
    if beta > 0 and upper <= beta:
        return status.advising("smaller-beta", asked=beta)
    if always:
        status = status.advising("never-clean")
    elif mistakes == 0:
        status = status.advising("below-threshold")
    if slow:
        status = status.advising("constant-schedule")
    return status.advising("more-epochs")


def gaining(end: Status) -> Status:
    """The epochs are spent, and the last of them gained more than tol, be it on these rows or on rows kept apart."""
    return end.without("more-epochs").advising("one-epoch" if end.values["epoch"] == 1 else "still-gaining")


def non_finite(
    fault: str, row: int | None, epoch: int, weighted: bool, learnt: bool, overshoots: bool, batches: bool,
    safe: float | None,
) -> Status:  # fmt: skip
    """Numbers that leave float64; the weights are those before the row. None: those of shards, once they are mixed.

    `overshoots`: the rule does, for an η above `safe` (None: not known).
    """
    if row is None:
        status = ended("non-finite.mixed", "weights-kept", epoch=epoch)
    else:
        status = ended("non-finite", "weights-kept" if learnt else "nothing-learnt", row=row, epoch=epoch, fault=fault)
    if overshoots and learnt:
        return status.advising("smaller-eta", batches=batches, safe=safe)
    return status.advising("rescale-weighted" if weighted else "rescale")


def before_the_epoch(end: Status) -> Status:
    """The same of shards that were mixed: what they had learnt before the row is in nobody's hands."""
    if not any(step.key == "weights-kept" for step in end.steps):
        return end
    return replace(end.without("weights-kept"), steps=(Advice("epoch-kept"), *end.without("weights-kept").steps))


def stopped(epoch: int) -> Status:
    """The callback's word."""
    return ended("stopped", "go-on", epoch=epoch)


def log_full(epoch: int, updates: int, size: int) -> Status:
    """The log of updates has reached its limit: nothing that is made of it can go on."""
    return ended("log", "no-log", epoch=epoch, updates=updates, size=size / 1e6)


def _left(mistakes: int) -> Advice:
    return Advice("mistakes-left", {"mistakes": mistakes})
