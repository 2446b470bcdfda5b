"""MaxMargin: what is known of the largest margin, bracketed and certified."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...data.examples import Examples
from ...data.float64 import UNIT_ROUNDOFF
from ...data.hyperplane import Hyperplane, weights_listed
from ...data.scans import answer_of
from ...data.source import Source, TakenRows
from ...errors import InputError, plural
from ...proof.parts import ExactHyperplane, Hull
from ...proof.proof import Proof
from ...proof.verify import Check
from ...report.html_cards import margin_card
from ...report.margin import margin_text
from ...report.plain import finite
from ...runs.status import Status
from ..exact import root
from ..signed_rows import Ints, SignedRows
from ..subject import check_unchanged, checked, data_of, hyperplane_between, in_memory, listed, proof_facts
from ..verdict import Verdict
from .corral import MarginProblem
from .nearest import ExactMargin, MarginBounds, gap_of, scaled_down

_LARGEST = 1e150  # a difficulty whose square is surely a float


@dataclass(frozen=True, eq=False)
class MaxMargin:
    """The largest margin: between `margin`, which `hyperplane` has, and `margin_upper`, which none exceeds.

    status
        `exact`: the two are one number. `gap`: they are as near as was asked for. `stalled`: as near as floats could
        bring them. `time`: the limit ran out. `inseparable`: `verdict` is the answer, and there is no margin.
        `undecided`: the limit ran out before it was known whether there is one.
    offset, rho2
        The offset as it was asked for, and ρ²: None if it is free. With ρ > 0, `margin`, `margin_upper` and `radius`
        are those of the augmented space; `plain_margin` is not.
    verdict
        Of rows that no hyperplane separates: that, with its proof. Else None.
    seconds
        How long it took.
    """

    status: Status
    offset: float | str
    rho2: Fraction | None
    verdict: Verdict | None
    seconds: float
    source: Source
    threads: int
    digest: int
    found: ExactMargin | MarginBounds | None

    @property
    def examples(self) -> Examples:
        """The rows, if they are in memory. Raises `InputError` if they are elsewhere."""
        return in_memory(self.source, "all rows of a margin")

    @property
    def separable(self) -> bool | None:
        """True, False, or None if it is not known."""
        return {"inseparable": False, "undecided": None}.get(self.status.name, True)

    @property
    def _found(self) -> ExactMargin | MarginBounds:
        """The answer, whose exact numbers may have to be computed from the rows."""
        if self.found is None:
            raise InputError(f"there is no hyperplane to speak of: {self.status}")
        check_unchanged(self.source, self.digest)
        return self.found

    @property
    def support_rows(self) -> Ints:
        """The rows that hold the hyperplane where it is: those with a multiplier > 0, on the margin or nearly so."""
        return np.empty(0, dtype=np.int64) if self.found is None else self.found.rows

    @cached_property
    def margin(self) -> float:
        """The margin of the hyperplane, rounded down; 0 if none is known."""
        return 0.0 if self.found is None else self._found.lower

    @cached_property
    def margin_upper(self) -> float:
        """No hyperplane has a margin above this: rounded up. 0 if none separates, infinity if nothing is known."""
        return self._found.upper if self.found is not None else 0.0 if self.separable is False else math.inf

    @property
    def margin2(self) -> Fraction:
        """The margin of the hyperplane, squared, exactly."""
        return self._found.margin2

    @property
    def upper2(self) -> Fraction:
        """The square of a number that no hyperplane's margin exceeds, exactly."""
        return self._found.upper2

    @property
    def gap(self) -> float:
        """1 − margin/margin_upper: 0 only if they are one number. NaN if there is no margin."""
        return math.nan if self.found is None else gap_of(self.found)

    @property
    def exact_hyperplane(self) -> tuple[tuple[Fraction, ...], Fraction]:
        """(w, b), exactly, scaled so that the nearest rows have m = 1, or nearly so."""
        v = self._found.v
        return (tuple(v), Fraction(0)) if self.rho2 == 0 else (tuple(v[:-1]), v[-1])

    @cached_property
    def hyperplane(self) -> Hyperplane | None:
        """The same in float64, scaled to a largest weight of about 1; None if there is none."""
        return None if self.found is None else hyperplane_between(self.source, self._found.near)

    @cached_property
    def plain_margin(self) -> float:
        """The un-augmented margin of the hyperplane, min m/‖w‖, rounded: the distance to its nearest row."""
        if not self.separable:
            return 0.0
        if not self.rho2:
            return self.margin
        w, b = self.exact_hyperplane
        common = math.lcm(*(x.denominator for x in w))  # sums of integers: those of long fractions take minutes
        plain2 = Fraction(sum((x.numerator * (common // x.denominator)) ** 2 for x in w), common**2)
        return root(self.margin2 * (1 + b * b / self.rho2 / plain2))

    @cached_property
    def radius(self) -> float:
        """R = max ‖x‖, rounded up; of an offset of scale ρ, R′ = √(R² + ρ²)."""
        R, d = answer_of(self.source, partial(_longest, threads=self.threads), max), self.source.n_columns
        return math.nextafter(math.hypot(R, math.sqrt(self.rho2 or 0)) * (1 + (d + 8) * UNIT_ROUNDOFF), math.inf)

    @property
    def difficulty(self) -> float:
        """R′/γ′*: its square bounds the mistakes of a perceptron with this offset. (R/γ* if the offset is free.)

        By the margin that was found, so it is never too small.
        """
        if not self.separable:
            return math.inf
        if self.radius == math.inf:
            return math.inf  # its square root leaves float64, so nothing is claimed
        if self.margin > 1e-290:
            return math.nextafter(self.radius / self.margin, math.inf)
        return root(Fraction(self.radius) ** 2 / self.margin2) * (1 + 1e-15)

    @cached_property
    def proof(self) -> Proof:
        """All that anyone needs to check the bracket with `verify`; of inseparable rows, the verdict's proof."""
        if self.verdict is not None:
            return self.verdict.proof
        found = self._found
        return Proof(
            "largest-margin",
            hyperplane=ExactHyperplane.of(*self.exact_hyperplane),
            margin2=found.margin2,
            hull=Hull.of(found.rows.tolist(), found.alpha, upper2=found.upper2, rho2=self.rho2),
            **proof_facts(self.source, self.rho2 == 0),
        )

    def check(self) -> Check:
        """Whether the proof holds, by the checker, on the rows it speaks of."""
        return checked(self.proof, self.source)

    def to_dict(self) -> dict[str, Any]:
        """The bracket and what follows from it in plain values: what `rosenblatt margin --json` has under "margin"."""
        plane = self.hyperplane
        square = None if self.difficulty > _LARGEST else self.difficulty**2
        bound = None if square is None or self.rho2 is None else math.floor(square * (1 + 1e-15))
        return {
            "status": self.status.name,
            "reason": self.status.reason,
            "advice": self.status.advice,
            "separable": self.separable,
            "offset": self.offset,
            "margin": finite(self.margin) if self.separable else None,
            "margin_upper": finite(self.margin_upper),
            "gap": finite(self.gap),
            "plain_margin": finite(self.plain_margin) if self.separable else None,
            "radius": finite(self.radius) if self.separable else None,
            "difficulty": finite(self.difficulty),
            "difficulty2": square,
            "most_updates": bound,
            "support": listed(self.source, self.support_rows.tolist()),
            "hyperplane": None if plane is None else weights_listed(plane.w, plane.b, self.source.feature_names),
            "seconds": self.seconds,
        }

    def summary(self) -> str:
        """The margin in words, as `rosenblatt margin` prints it: at most 80 characters wide, to paste into a report.

        Rows are called by their lines, and counted from 0 if they have none.
        """
        verdict = None if self.verdict is None else self.verdict.to_dict()
        own = self.to_dict()
        return "\n".join(margin_text({"data": data_of(self.source), "margin": own, "verdict": verdict, "next": []}))

    def _repr_html_(self) -> str:
        return margin_card(data_of(self.source), self.to_dict())

    def __repr__(self) -> str:
        if not self.separable:
            return f"<MaxMargin: {self.status.name}>"
        return f"<MaxMargin: {self.margin:.9g}, gap {self.gap:.2g}; {plural(self.support_rows.size, 'support row')}>"


def _longest(taken: TakenRows, threads: int) -> float:
    """Max ‖x‖ of some rows, where squares would leave the range of float64, too."""
    s = SignedRows(Examples(taken.rows, taken.labels, np.array([-1, 1])), True, math.inf, threads)
    scaled, shift = scaled_down(MarginProblem(s, None))
    try:
        return math.ldexp(scaled.s.radius, shift)
    except OverflowError:
        return math.inf
