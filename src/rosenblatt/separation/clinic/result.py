"""Clinic: what is known of a logistic regression before it is run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ...proof.numerals import exact_text
from ...proof.proof import Proof
from ...proof.verify import Check
from ...report.clinic import clinic_text
from ...report.html_cards import clinic_card
from ...report.plain import finite
from ...report.terms import term
from ...report.text import listed
from ...report.words import next_steps
from ..dependent import DROPPED, dropped_report
from ..evidence import FINITE
from ..verdict import Verdict


@dataclass(frozen=True)
class Coefficient:
    """Of one coefficient: finite, +inf, -inf or indeterminate, and its estimate if finite.

    If time ran out it may be "infinite" (not finite; to which side is not settled) or "unknown".
    `aliased`, and "dropped": its column is a combination of earlier ones, and the model does without it, as in R.
    """

    status: str
    estimate: float | None = None
    error: float | None = None
    """Its standard error."""
    aliased: bool = False


@dataclass(frozen=True)
class Removal:
    """The fewest rows, each as often as it was counted, whose removal changes whether the estimate is finite."""

    lower: int
    upper: int
    rows: tuple[int, ...]
    """Rows to remove; their counts add up to `upper`."""
    after: str
    """What the rest is: overlapping, quasi-separable or separable, "empty", or "infinite" if its kind is not known."""
    why: str
    infinite: Mapping[str, str] = field(default_factory=dict)
    """The coefficients that are not finite any more, and what they are."""
    direction: Mapping[str, Fraction] = field(default_factory=dict)
    """Of overlapping data: the direction that has only these rows on its wrong side, as in `Clinic`."""
    cores: tuple[tuple[int, ...], ...] = ()
    """Sets of rows each of which must lose one (see overlap.py); of equal rows the first stands for all."""


@dataclass(frozen=True, eq=False)
class Clinic:
    """What is known of a logistic regression before it is run; all but the estimates is in exact arithmetic.

    The proof covers the verdict, and with it the rows responsible and the removal they need. The bracket on the removal
    that overlapping data need is exact, too, but not part of the proof.

    verdict
        Separable or not, with the proof.
    coefficients
        By name, "(offset)" last: whether finite, and the estimate. R's names find them, too: "(Intercept)", "armC".
    responsible
        The rows responsible, from 0: fitted without error in the limit. Empty if the data overlap, and where they are
        not sorted out (`responsible_settled`).
    direction
        A way the estimate runs to infinity, all rows responsible strictly inside: whole numbers without a common
        factor, by name; those not named are 0.
    removal
        None if nothing is known of it, or if the rows say nothing of any coefficient.
    log_likelihood
        Its supremum, reached or not; None if it is not known.
    fit_status, converged
        How the fit of the finite part went, in words, and whether it reached the maximum.
    seconds
        How long it took.
    dependences
        The combination of earlier columns that each column dropped equals, exactly.
    nearly_dependent
        Columns that rounding alone keeps from being dependent, and about what each equals: R would drop them.
    text
        Columns of text, as `logistic_clinic` was told.
    """

    verdict: Verdict
    coefficients: Mapping[str, Coefficient]
    responsible: tuple[int, ...]
    direction: Mapping[str, Fraction]
    removal: Removal | None
    log_likelihood: float | None
    fit_status: str
    converged: bool
    total: int
    """How many rows there are, each as often as it was counted."""
    seconds: float
    dependences: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    nearly_dependent: tuple[Mapping[str, Any], ...] = ()
    text: tuple[str, ...] = ()
    least_dropped: int = 0
    """At least so many columns are dropped; `dependences` may have fewer if time ran out."""
    dropped_settled: bool = True
    """Whether `dependences` has all columns that are dropped. If not, some that are called infinite may be, too."""
    ended: str | None = None
    """Why a coefficient or the estimates were left open: "time", "stopped", "columns" (too many, given up),
    "boundary" (the rows on it are not sorted out); or None."""

    @property
    def kind(self) -> str:
        """separable, quasi-separable, overlapping, or undecided."""
        return self.verdict.kind

    @property
    def proof(self) -> Proof:
        """Of the verdict, bound to the rows that count: `verify(clinic.proof, X[counts > 0], y[counts > 0])`."""
        return self.verdict.proof

    @property
    def advice(self) -> list[str]:
        """What a statistician would do about it: keys of `report.words.ADVICE`.

        An estimate is fragile if the removal of 3 observations, or of one in 50, makes it infinite.
        """
        if self.kind == "undecided":
            return ["give-more-time", *(["infinite-coefficients"] if self.verdict.weakly_separable else [])]
        if self.kind in ("separable", "quasi-separable"):
            return [*self._more, "infinite-coefficients"]
        fragile = self.removal is not None and self.removal.upper <= max(3, self.total // 50)
        return ["fragile-estimate"] if fragile else []

    @property
    def unsettled(self) -> bool:
        """Whether a coefficient, or the estimates of those that are finite, were left open; `ended` says why."""
        return self.ended is not None

    @property
    def responsible_settled(self) -> bool:
        """Whether it is known which rows are responsible."""
        return self.kind == "overlapping" or bool(self.responsible)

    @property
    def _more(self) -> list[str]:
        """What would settle more."""
        if self.ended is None:
            return []
        if self.ended == "stopped":
            return ["run-again"]
        if not self.dropped_settled and self.verdict.examples.n_columns >= self.verdict.examples.n_rows:
            return ["wide-regression"]
        said = {"columns": "many-columns", "boundary": "give-more-time"}
        return [said.get(self.ended, "unsettled-coefficients")]

    def check(self) -> Check:
        """Whether the proof holds, by the checker."""
        return self.verdict.check()

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """All of it in plain values, exact numbers as text: what `rosenblatt clinic --json` has under "clinic".

        At most so many rows are listed, where that is asked for; how many there are stands beside them.
        """
        largest = max(map(abs, self.direction.values()), default=Fraction(1))
        return {
            "kind": self.kind,
            "weakly_separable": self.verdict.weakly_separable,
            "separable": self.verdict.separable,
            "through_origin": self.verdict.through_origin,
            "observations": self.total,
            "coefficients": [
                {
                    "name": name,
                    "term": term(name, self.text),
                    "status": one.status,
                    "estimate": finite(one.estimate),
                    "error": finite(one.error),
                    "aliased": one.aliased,
                }
                for name, one in self.coefficients.items()
            ],
            "dropped": dropped_report(self.dependences),
            "least_dropped": self.least_dropped,
            "dropped_settled": self.dropped_settled,
            "ended": self.ended,
            "nearly_dependent": [dict(one) for one in self.nearly_dependent],
            "log_likelihood": finite(self.log_likelihood),
            "fit": {"status": self.fit_status, "converged": self.converged},
            "responsible": self._listed(self.responsible[:most]),
            "responsible_count": len(self.responsible),
            "responsible_settled": self.responsible_settled,
            "direction": {name: exact_text(x) for name, x in self.direction.items()},
            "direction_rounded": {name: float(x / largest) for name, x in self.direction.items()},
            "removal": self._removal(most),
            "seconds": self.seconds,
        }

    def _removal(self, most: int | None) -> dict[str, Any] | None:
        removal = self.removal
        if removal is None:
            return None
        return {
            "lower": removal.lower,
            "upper": removal.upper,
            "rows": self._listed(removal.rows[:most]),
            "row_count": len(removal.rows),
            "after": removal.after,
            "why": removal.why,
            "infinite": dict(removal.infinite),
        }

    def _listed(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        return self.verdict.listed(np.array(rows, dtype=np.int64))

    def json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.to_dict(), allow_nan=False, indent=1)

    def summary(self) -> str:
        """All of it in words, as `rosenblatt clinic` prints it: at most 80 characters wide, to paste into a report.

        Rows are called by their lines, and counted from 0 if they have none.
        """
        data, advice = self.verdict.examples.to_dict(), next_steps(self.advice)
        return "\n".join(clinic_text({"data": data, "clinic": self.to_dict(), "next": advice}))

    def _repr_html_(self) -> str:
        return clinic_card(self.verdict.examples.to_dict(), self.to_dict())

    def __repr__(self) -> str:
        known = [(name, one.status) for name, one in self.coefficients.items() if one.status not in (FINITE, DROPPED)]
        some = [f"{term(name, self.text)} {status}" for name, status in known]
        return f"<Clinic: {self.kind}; coefficients: {listed(some, 3) if some else 'all finite'}>"
