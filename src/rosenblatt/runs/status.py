"""Status: why a run ended, in one sentence, and what to do next, in another. One function for each end."""

import math
import re
from dataclasses import dataclass

from ..errors import plural


@dataclass(frozen=True)
class Status:
    """`name` is one of clean, budget, plateau, step, loop, rest, non-finite, stopped.

    Of an estimator also pass, validation.
    """

    name: str
    reason: str
    advice: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}; {self.advice}"


def clean(epoch: int, mistakes: int) -> Status:
    """An epoch without an update. Mistakes can remain only on rows that cannot move the weights."""
    idle = f" ({plural(mistakes, 'mistake')}, on rows whose step is zero)" if mistakes else ""
    return Status("clean", f"epoch {epoch} made no update{idle}", "nothing can change any more")


def loop(epoch: int, since: int, mistakes: int, readout: str, always: bool) -> Status:
    """Weights that came back, in an order and with steps that depend on nothing else.

    `always`: the rule steps on every row, right or wrong.
    """
    where = "at the start" if since == 0 else f"after epoch {since}"
    reason = f"the weights after epoch {epoch} are those {where}, so the run repeats for ever"
    if mistakes == 0 and not always:
        return Status("loop", reason, "no mistakes are left, but the margin the rule asks for is never reached")
    better = "; readout='averaged' or 'pocket' may do better" if readout == "last" and mistakes else ""
    return Status("loop", reason, f"{_left(mistakes)}; more epochs change nothing{better}")


def rest(epoch: int, since: int, moves: float, mistakes: int) -> Status:
    """A rule that steps on every row, at a fixed point of the epoch: the one end it has, but for an exact fit.

    Up to rounding: weights that came back after several epochs, of which one `moves` each by so little of its size.
    """
    if since == epoch - 1:
        reason = f"epoch {epoch} ended with the weights it began with: its steps cancel, or are lost to rounding"
    else:
        back = f"the weights after epoch {epoch} are those after epoch {since}"
        reason = f"{back}, and the next epoch moves none by more than {moves:.1g} of its size: rounding"
    fit = "with a small eta that is near the least-squares fit, which need not separate what can be separated"
    return Status("rest", reason, f"{_left(mistakes)}; more epochs change nothing; {fit}")


def step(epoch: int, moved: float, mistakes: int) -> Status:
    """An epoch that hardly moved the weights."""
    reason = f"epoch {epoch} moved the weights by {moved:.3g}, less than step_tol"
    return Status("step", reason, f"{_left(mistakes)}; a smaller step_tol goes on")


def plateau(epoch: int, patience: int, mistakes: int, readout: str) -> Status:
    """A loss that has stopped falling."""
    what = "what the average gets wrong" if readout == "averaged" else "the mean loss"
    reason = f"{what} has not fallen by more than tol for {plural(patience, 'epoch')}, up to epoch {epoch}"
    better = ", readout='averaged' often predicts better" if readout == "last" else ""
    return Status("plateau", reason, f"{_left(mistakes)}; a larger patience goes on{better}")


def passed(epoch: int, rows: int, mistakes: int, end: Status) -> Status:
    """One epoch that was asked for, of rows that need not be all there are."""
    if end.name in ("clean", "non-finite"):
        return end
    reason = f"epoch {epoch}, over {plural(rows, 'row')}, made {plural(mistakes, 'mistake')}"
    return Status("pass", reason, "partial_fit goes on")


def validated(epoch: int, best: int, score: float, patience: int) -> Status:
    """Rows kept apart are predicted no better than some epochs ago."""
    reason = f"no better validation score than {score:.4g}, of epoch {best}, for {plural(patience, 'epoch')}"
    advice = f"{_kept(best)}; a larger n_iter_no_change goes on"
    return Status("validation", f"{reason}, up to epoch {epoch}", advice)


def kept_best(end: Status, best: int) -> Status:
    """A run that ended otherwise, after an epoch that predicted the rows kept apart better than its last."""
    return Status(end.name, end.reason, f"{end.advice}; {_kept(best)}")


def with_wrong(end: Status, wrong: int, rows: int) -> Status:
    """What the model gets wrong on the rows it learnt from, in place of what was met on the way."""
    said = f"{wrong} of {plural(rows, 'training row')} are predicted wrong"
    if end.name == "plateau":
        said += "; scaled columns may do better, and separability(X, y) tells whether any need be wrong"
    advice = re.sub(r"\b\d+ mistakes? in the last epoch", said, end.advice)
    return Status(end.name, end.reason, advice)


def running(epoch: int) -> Status:
    """No end yet."""
    return Status("running", f"epoch {epoch} has ended", "the run goes on")


def overshooting(name: str, epoch: int, loss: float, batches: bool, safe: float | None) -> Status:
    """An end with a squared loss above that of w = 0. `safe`: the η below which no step overshoots, if it is known."""
    spent = f"{plural(epoch, 'epoch')} spent" if name == "budget" else f"no gain up to epoch {epoch}"
    reason = f"{spent}, with a mean squared loss of {loss:.3g} in the last; w = 0 has 1"
    return Status(name, reason, _smaller_eta(batches, safe))


def spent(epoch: int, max_epochs: int) -> Status:
    """A run that is to go on for fewer epochs than it has behind it."""
    reason = f"{plural(epoch, 'epoch')} spent already, and max_epochs={max_epochs} counts from the beginning"
    return Status("budget", reason, f"give max_epochs above {epoch} to go on")


def budget(epoch: int, mistakes: int | None, upper: float, beta: float, slow: bool, always: bool) -> Status:
    """The epochs are spent. `upper` bounds the best augmented margin; `beta` is the margin the rule asks for.

    `always`: the rule steps on every row, right or wrong.
    """
    reason = f"{plural(epoch, 'epoch')} spent"
    parts = [] if mistakes is None else [_left(mistakes)]
    if math.isfinite(upper):
        parts.append(f"if the data are separable, their augmented margin is at most {upper:.3g}")
    if beta > 0 and upper <= beta:
        parts.append(f"beta = {beta:g} asks for more than that, so no epoch will ever be clean: take a smaller beta")
        return Status("budget", reason, "; ".join(parts))
    if always:
        parts.append("the rule steps on every row that does not fit exactly: step_tol or tol ends it")
    elif mistakes == 0:
        parts.append(
            "what is left are margins below the rule's threshold, perhaps by rounding only: step_tol ends that"
        )
    if slow:
        parts.append("steps of 1/k can take astronomically long: try schedule='constant'")
    parts.append("a larger max_epochs with start=run goes on")
    return Status("budget", reason, "; ".join(parts))


# What `learn` calls it, and what an estimator does.
_ESTIMATORS_WORDS = {
    r"a larger max_epochs with start=run goes on": "a larger max_iter goes on",
    r"learn\(\.\.\., start=run\) goes on": "partial_fit goes on",
    r"step_tol or tol ends": "tol ends",
    r"\bstep_tol ends": "tol ends",
    r"\bmax_epochs\b": "max_iter",
    r"\bpatience\b": "n_iter_no_change",
    r"\beta\b": "eta0",
    r"^seed must": "random_state must",
    r": seed was": ": random_state was",
    r"^threads must": "n_jobs must",
}


def in_estimators_words(text: str) -> str:
    """What the engine says of its parameters, as an estimator calls them."""
    for said, word in _ESTIMATORS_WORDS.items():
        text = re.sub(said, word, text)
    return text


def for_estimator(end: Status) -> Status:
    """The same in the words of an estimator's parameters."""
    return Status(end.name, in_estimators_words(end.reason), in_estimators_words(end.advice))


FAULTS = {
    "score overflow": "its score overflows float64",
    "norm overflow": "its squared length overflows float64",
    "norm underflow": "its squared length underflows float64",
    "step overflow": "its update would leave the range of float64",
}


def non_finite(
    fault: str, row: int, epoch: int, weighted: bool, learnt: bool, overshoots: bool, batches: bool, safe: float | None
) -> Status:
    """Numbers that leave float64; the weights are those before the row.

    `overshoots`: the rule does, for an η above `safe` (None: not known).
    """
    before = "the weights are those before this row" if learnt else "nothing was learnt before this row"
    what = _smaller_eta(batches, safe) if overshoots and learnt else ""
    what = what or "rescale the data" + (" or the sample weights" if weighted else "")
    return Status("non-finite", f"row {row} in epoch {epoch}: {FAULTS[fault]}", f"{before}; {what}")


def stopped(epoch: int) -> Status:
    """The callback's word."""
    return Status("stopped", f"the callback ended the run in epoch {epoch}", "learn(..., start=run) goes on")


def _smaller_eta(batches: bool, safe: float | None) -> str:
    """Of the delta rule, whose step multiplies the error of its own row by 1 − η‖x′‖²."""
    if batches:
        where = "above 2/λ, λ the largest eigenvalue of a batch's Σx'x'^T,"
        return f"take a smaller eta: {where} a batch's step overshoots, and the weights may diverge"
    known = "" if safe is None else f" = {safe:.3g}"
    return f"take a smaller eta: below 2/R'^2{known} no step overshoots its row; above, the weights may diverge"


def _kept(best: int) -> str:
    return f"the weights of epoch {best}, the best on the rows kept apart, are kept"


def _left(mistakes: int) -> str:
    return f"{plural(mistakes, 'mistake')} in the last epoch"
