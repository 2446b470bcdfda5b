"""Run: what came of learning: a final state, a status with advice, a history per epoch, a log of updates."""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.examples import Examples
from ..data.hyperplane import Hyperplane, scores
from ..data.labels import predicted_codes
from ..data.scaled import scaled_rows
from ..data.scans import surveys
from ..data.source import Source
from ..errors import InputError, plural
from ..files.door import rows_like
from ..rules import Rule
from .account import run_html, run_summary
from .audit import AuditCase, audit
from .bounds import BoundComparison, RunFacts, check_laws, check_range, law_checks, measure
from .bracket import MarginBracket, lower_margin, upper_margin
from .coins import audit_coins
from .history import History
from .log import Log
from .plan import Plan
from .state import Pair, State
from .status import Status
from .theorem import against_theorem
from .trace import Trace, trace_of
from .trajectory import Trajectory, output_of, trajectory_of
from .vote import Vote, vote_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """The result of `learn`. It refers to the rows it learnt from (it does not copy them), for its trajectory."""

    status: Status
    state: State
    history: History
    log: Log | None
    rule: Rule
    parameters: dict[str, float]
    """The rule's: beta, C."""
    plan: Plan
    source: Source
    """Where its rows are."""
    digest: int | None
    """Of all the rows, as they were when the run ended; None without a log, of which alone the trajectory is made."""

    @property
    def examples(self) -> Examples:
        """The rows and labels, if they are in memory."""
        if not isinstance(self.source, Examples):
            raise InputError("this run learnt from rows that are not in memory, so they cannot be had at once")
        return self.source

    @cached_property
    def learnt_rows(self) -> Source:
        """The rows as they were learnt from: scaled, if there is a scale. Bounds and the trajectory speak of them."""
        return self.source if self.state.scaling is None else scaled_rows(self.source, self.state.scaling)

    @property
    def scaled(self) -> bool:
        """Whether they were scaled."""
        return self.state.scaling is not None

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted; of two, the second is the positive one."""
        return self.source.classes

    @property
    def epochs(self) -> int:
        """Finished epochs, the last, clean one included."""
        return self.state.epoch

    @property
    def updates(self) -> int:
        """Rows that moved the weights."""
        return self.state.updates

    @property
    def absolute(self) -> dict[str, float]:
        """The rule's parameters as its formula has them: β times the unit it is given in."""
        return self.rule.absolute(self.parameters, self.state.unit)

    def read(self, readout: str) -> "Run":
        """The same run, predicting by another readout: last, averaged, voted or pocket.

        The run must have kept what it takes: `learn(..., readout=("last", "averaged", "voted", "pocket"))` keeps all.

        >>> from rosenblatt import learn
        >>> run = learn([[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1], offset=0, readout=("last", "averaged"))
        >>> run.hyperplane.w.tolist(), run.read("averaged").hyperplane.w.round(2).tolist()
        ([1.0, -3.0], [1.67, -1.89])
        """
        other = replace(self, plan=replace(self.plan, readout=readout))
        if readout == "voted":
            vars(other)["vote"] = self.vote  # made once; says at once what is missing
        else:
            self.state.read(readout)
        return other

    @property
    def readouts(self) -> tuple[str, ...]:
        """What the run can be read out as, what it predicts by first."""
        whole_log = self.log is not None and self.log.first == 0 and self.rule.additive and not self.scaled
        return tuple(dict.fromkeys((self.plan.readout, *self.plan.kept, "last", *(("voted",) if whole_log else ()))))

    @cached_property
    def vote(self) -> Vote:
        """The vote of all weight vectors of the run, which needs its log."""
        if self.scaled:
            raise InputError("a vote is made of rows as they are, and these were scaled: scale them beforehand")
        if self.log is None:
            raise InputError("a vote needs the log of the run: learn(..., readout='voted'), or log=True")
        self._additive("vote")
        self._unchanged()
        return self.vote_from(None)

    def vote_from(self, origin: State | None) -> Vote:
        """The vote of its weights since it went on from other rows, at `origin`; not asking whether rows changed."""
        return vote_of(self.source, self.log, self.state, self.plan.batch_size, origin)

    @property
    def hyperplanes(self) -> tuple[Hyperplane, ...]:
        """One hyperplane for two classes; for K > 2 one for each class."""
        if self.plan.readout == "voted":
            raise InputError("a vote is no hyperplane: predict by it, or read another: run.read('last').hyperplane(s)")
        w, b = self.state.folded(self.plan.readout)
        sides = (self.classes[0], self.classes[1]) if self.state.n_outputs == 1 else None
        return tuple(Hyperplane(w[:, k], float(b[k]), sides) for k in range(b.size))

    @property
    def hyperplane(self) -> Hyperplane:
        """The hyperplane of a two-class run."""
        planes = self.hyperplanes
        if len(planes) > 1:
            raise ValueError(f"this run has {len(planes)} classes, so {len(planes)} hyperplanes: see run.hyperplanes")
        return planes[0]

    def scores(self, X: Any) -> Floats:
        """The scores of the readout: (n,) for two classes, (n, K) for K > 2. Of a vote, its share:
        from −1 to 1, or of direct multiclass from 0 to 1.

        The columns of a frame are found by name if the run learnt from named ones, in whatever order, and text is coded
        as it was there; what the run does not know is left out, with a warning.
        """
        reading = getattr(self.source.original, "reading", None)
        X = rows_like(X, self.source.feature_names, self.source.n_columns, reading)
        if self.plan.readout == "voted":
            found = self.vote.scores(X, self.plan.threads)
        else:
            found = scores(X, *self.state.folded(self.plan.readout), self.plan.threads)
        return found[:, 0] if self.state.n_outputs == 1 else found

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row: the positive one where the score is > 0; of K > 2, the class of the largest score."""
        return np.asarray(self.classes[predicted_codes(self.scores(X))])

    def survey(self, readout: str, learnt: bool = False) -> tuple[Floats, int, float]:
        """Of the weights of this readout on all rows: the least margins, how many are predicted wrong, and R².

        Of the rows as given; or as they were `learnt` from. One pass, the first time it is asked for.
        """
        if (key := (readout, learnt and self.scaled)) not in self._surveys:
            source, pair = (self.learnt_rows, self.state.read) if learnt else (self.source, self.state.folded)
            # A pass over rows elsewhere is dear, and whoever asks about one of these will ask about the other.
            asked = [*({readout, "last", self.plan.readout} - {"voted"} if not source.in_memory else {readout})]
            found = surveys(source, [pair(one) for one in asked], self.state.decision == "direct", self.plan.threads)
            self._surveys.update(zip(((one, key[1]) for one in asked), found, strict=True))
        return self._surveys[key]

    @cached_property
    def _surveys(self) -> dict[tuple[str, bool], tuple[Floats, int, float]]:
        return {}

    def to_dict(self) -> dict[str, Any]:
        """How it went, in plain values: what `rosenblatt train --json` says of a run."""
        return self._plain(against_theorem(self))

    def _plain(self, bound: dict[str, Any] | None) -> dict[str, Any]:
        history, plan, end = self.history, self.plan, self.status
        return {
            "status": end.name,
            "reason": end.reason,
            "advice": end.advice,
            "rule": self.rule.name,
            "readout": plan.readout,
            "order": plan.order,
            "seed": plan.seed if plan.order == "shuffled" else None,
            "scale": plan.scale,
            "outputs": self.source.n_outputs,
            "epochs": self.epochs,
            "updates": self.updates,
            "mistakes": {
                "first_epoch": int(history.mistakes[0]) if len(history) and history.epoch[0] == 1 else None,
                "last_epoch": int(history.mistakes[-1]) if len(history) else None,
            },
            "bound": bound,
        }

    def summary(self) -> str:
        """The same in words, as `rosenblatt train` prints it: at most 80 characters wide, to paste into a report."""
        return run_summary(self)

    def _repr_html_(self) -> str:
        return run_html(self, self._plain)

    def trajectory(self, output: int | None = None) -> Trajectory:
        """The way the weights went, from the log: any weight vector, its losses, lengths and angles; on scaled rows, if
        they were.

        With K > 2 classes in one-vs-rest give `output`, the index of the class in `run.classes`.
        """
        self._additive("trajectory")
        self._unchanged()
        return trajectory_of(self.learnt_rows, self.log, self.state, self.plan.batch_size, output)

    def trace(self, first: int = 1, most: int = 1000, output: int | None = None) -> Trace:
        """The run round by round, as one works it out on paper: row, score, margin, step, and the weights after it.

        At most so many rounds, from `first` on (counted from 1). Needs the log. For one-vs-rest give `output`, the
        index of the class in `run.classes`.

        >>> from rosenblatt import datasets, learn
        >>> sample = datasets.xor()
        >>> print(learn(*sample, **sample.plan, log=True).trace())
        Rounds 1 to 4 of 4: perceptron, cyclic order, through the origin.
        round  epoch  row  label  score  margin  mistake  step  w0  w1  c
            0                                                    0   0  1
            1      1    0      1      0       0  yes         1   1   1  1
            2      1    1     -1      0       0  yes         1   0   2  1
            3      1    2     -1      2      -2  yes         1   1   1  1
            4      1    3      1     -2      -2  yes         1   0   0  1
        """
        if self.log is None:
            raise InputError("a trace needs the log of the run: learn(..., log=True)")
        return trace_of(self.trajectory(output), self.log, self.plan, self.learnt_rows, self.rule.name, first, most)

    def audit(self, hyperplane: Hyperplane | Sequence[Hyperplane], output: int | None = None) -> Any:
        """Check the convergence theorem at every update, against a hyperplane (best: the one with the largest margin).

        An `Audit`; of rule "coin", whose law is another, a `CoinAudit`, for which no log is needed.

        Gives both sides of each law as curves, and where the run stands against each bound. Raises `LawBrokenError` if
        a law is broken, which would be a fault of this library. Needs the log. For the direct perceptron give the
        hyperplanes of all classes; for one-vs-rest give `output`, the index of the class in `run.classes`.

        >>> from rosenblatt import Hyperplane, learn
        >>> run = learn([[1], [2], [3], [4]], [1, 1, -1, -1], log=True)
        >>> run.audit(Hyperplane([-1.0], 2.5))
        <Audit of 25 updates: every law that applies holds
          augmented margin 0.185695, radius 4.12311
          law 1   updates 25                   at most 493
          law 3   cosine 0.999703              at least 0.225189
          law 6   updates, first epoch 2       at most 4
          law 9   margin 0.185695              at most 0.304631>
        """
        planes = (hyperplane,) if isinstance(hyperplane, Hyperplane) else tuple(hyperplane)
        if not all(isinstance(plane, Hyperplane) for plane in planes) or len({plane.w.size for plane in planes}) != 1:
            raise InputError("audit takes a Hyperplane, or those of all classes, all of one length")
        if len(planes) == 1 and planes[0].classes is not None and len(self.classes) == 2:
            planes = (self._turned(planes[0]),)
        pair = self._unfolded((np.stack([plane.w for plane in planes], axis=1), np.array([p.b for p in planes])))
        if not self.rule.additive:
            self._unchanged()
            planes = tuple(Hyperplane(w, b) for w, b in zip(pair[0].T, pair[1], strict=True))
            return replace(audit_coins(self, planes), scaled=self.scaled)
        weighted = self.state.conditions["weights_digest"] is not None
        pick = output_of(self.state, output)
        end = self.state.weights[:, pick], self.state.offsets[pick]
        clean = self.status.name == "clean"
        case = AuditCase(self.trajectory(output), self.rule, self.absolute, self.plan, weighted, clean, end)
        return audit(case, pair)

    def against(self, best: Any, output: int | None = None) -> BoundComparison:
        """The run's updates and mistakes beside every bound that a hyperplane gives, best: `max_margin(X, y, ...)`.

        Needs no log. For the sharpest bounds give the largest margin in the run's own augmented space,
        `max_margin(..., offset=ρ)` with the ρ of the run; a `Hyperplane` will do, too. Raises `LawBrokenError` if a
        bound is passed, which would be a fault of this library.

        >>> from rosenblatt import learn, max_margin
        >>> X, y = [[1], [2], [3], [4]], [1, 1, -1, -1]
        >>> learn(X, y).against(max_margin(X, y, offset=1))
        <25 updates, 25 mistakes, against a difficulty R′/γ′ of 22.2036
          law 1   updates 25                   at most 493
          law 3   cosine 0.999703              at least 0.225189
          law 6   updates, first epoch 2       at most 4
          law 9   margin 0.185695              at most 0.304631>
        """
        plane = best if isinstance(best, Hyperplane) else getattr(best, "hyperplane", None)
        if not isinstance(plane, Hyperplane):
            why = f": {best.status}" if hasattr(best, "status") else ""
            raise InputError(f"against needs a separating hyperplane, or max_margin(X, y, offset=...){why}")
        self._unchanged()
        self._additive("bound on updates")
        own_data = getattr(best, "digest", None)
        if own_data is not None and own_data != self.source.digest(every_row=True):
            raise InputError("that hyperplane was found on other data than the run learnt from")
        pick = output_of(self.state, output)
        if self.state.decision == "direct":
            raise InputError("of the direct perceptron give all hyperplanes, and ask for an audit: run.audit(...)")
        if plane.classes is not None and len(self.classes) == 2:
            plane = self._turned(plane)
        (W0, b0), (W, b) = self.state.first_weights, self.state.read("last")
        start, end = (W0[:, pick], b0[pick]), (W[:, pick], b[pick])
        whole = len(self.history) > 0 and int(self.history.epoch[0]) == 1 and self.state.epoch_rows == 0
        own = self.state.outputs[output or 0]
        one = self.state.n_outputs == 1  # the history sums over outputs
        facts = RunFacts(
            source=self.learnt_rows, rho2=self.state.rho2, output=output, rule=self.rule, parameters=self.absolute,
            plan=self.plan, weighted=self.state.conditions["weights_digest"] is not None,
            clean=self.status.name == "clean",
            row_by_row=self.plan.batch_size == 1, updates=own.updates,
            mistakes=int(self.history.mistakes.sum()) if whole and one else None,
            first_pass=int(self.history.updates[0]) if whole and one else None,
            total=float(self.state.sum_tau[output or 0]) if own.all_steps_nonnegative else math.nan,
            start=start, end=end,
        )  # fmt: skip
        pair = self._unfolded((plane.w[:, None], np.array([plane.b])))
        unit, margins, radius = measure(self.learnt_rows, self.state.rho2, output, start, pair)
        gamma = float(margins.min())
        ends = [float(np.abs(part).max(initial=0.0)) for pair_ in (start, end) for part in pair_]
        check_range(radius or math.nan, gamma, self.state.rho2**0.5, *ends)
        room = 1e-9 * (1 + (radius / abs(gamma) if gamma else 0))
        held = check_laws(law_checks(facts, pair, margins, unit, radius), room, 1e-9 * radius)
        return BoundComparison(facts.updates, facts.mistakes, gamma, radius, held, self.scaled)

    def _unfolded(self, pair: Pair) -> Pair:
        """Hyperplanes of the rows as those of the rows that were learnt from."""
        scaling = self.state.scaling
        if scaling is None or pair[0].shape[0] != scaling.factor.size:  # said where it is measured
            return pair
        return scaling.unfold(*pair)

    def _turned(self, plane: Hyperplane) -> Hyperplane:
        """The hyperplane with the run's positive class on its positive side."""
        sides, own = list(plane.classes or ()), self.classes.tolist()
        if sides == own:
            return plane
        if sides == own[::-1]:
            return Hyperplane(-plane.w, -plane.b)
        raise InputError(f"the hyperplane is one of the classes {sides}, the run of {own}")

    def margin_bracket(self, output: int | None = None) -> MarginBracket:
        """Bounds on the best margin in the augmented space, from the run alone, rounded outward.

        From below by the best of what the run can read out, from above by law 9: the sums of τ per row of its log, or
        without a log the bound of its history.

        >>> from rosenblatt import learn
        >>> learn([[1], [2], [3], [4]], [1, 1, -1, -1], log=True).margin_bracket()
        <MarginBracket: 0.131306 <= best augmented margin <= 0.304631>
        """
        self._additive("bracket of the margin")
        self._unchanged()
        pick = output_of(self.state, output)
        lower, by = -math.inf, "last"
        for readout in dict.fromkeys(("last", *self.plan.kept)):
            if readout != "voted":
                W, b = (part[..., pick] for part in self.state.read(readout))
                found = lower_margin(self.learnt_rows, (W, b), self.state.rho2, output)
                lower, by = (found, readout) if found > lower else (lower, by)
        uppers = self.history.margin_upper
        uppers = uppers if uppers.ndim == 1 else uppers[:, output or 0]
        upper = float(uppers.min(initial=math.inf))
        if self.log is None or self.log.first:
            return MarginBracket(lower, upper, by, None, None, None, self.scaled)
        # The whole run's multipliers, or those up to the epoch whose bound was the best: each is its own witness.
        path, best = self.trajectory(output), int(uppers.argmin()) + 1 if uppers.size else 0
        then = np.searchsorted(path.births[path.change], best * self.source.n_rows, side="right")
        ends = {path.row.size, int(then)}
        hull, rows, rivals, multipliers = min((upper_margin(path, end) for end in ends), key=lambda found: found[0])
        if not rows.size:
            return MarginBracket(lower, hull, by, None, None, None, self.scaled)
        return MarginBracket(lower, hull, by, rows, rivals, multipliers, self.scaled)

    def _additive(self, what: str) -> None:
        if not self.rule.additive:
            raise InputError(f"rule {self.rule.name!r} has no {what}: its weights are no sum of rows; see run.audit")

    def _unchanged(self) -> None:
        sound = self.source.unchanged() and self.source.digest() == self.state.conditions["digest"]
        if not sound or (self.digest is not None and self.source.digest(every_row=True) != self.digest):
            raise InputError("the rows or labels were changed since the run learnt from them: learn again")

    def __repr__(self) -> str:
        epochs, updates = plural(self.epochs, "epoch"), plural(self.updates, "update")
        readout = "" if self.plan.readout == "last" else f", read out as {self.plan.readout}"
        head = f"<Run {self.rule.name}, {self.plan.order}: {epochs}, {updates}{readout}"
        return head + "\n" + textwrap.fill(str(self.status), 78, initial_indent="  ", subsequent_indent="  ") + ">"
