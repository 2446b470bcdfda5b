"""MaxMargin: the hyperplane with the largest margin, bracketed and certified.

**From below** by a hyperplane whose margin is computed exactly; **from above** by a point of the hull (hull.py): half
of the distance between the hulls of the two classes if the offset is free, the distance from the origin to the hull of
{y·x′} if it has a scale ρ. Where few rows lie on the margin the two are equal, and proven to be (enclosure.py, and
rational.py where floats do not suffice).

Margins of two kinds enter different bounds. The un-augmented margin is min m/‖w‖, the distance from the hyperplane to
the nearest row: γ* is the largest of them. The augmented margin is min m/‖w′‖ with w′ = (w, b/ρ): γ′* is the largest of
those, and the one that the mistakes of a run are bounded by, (R′/γ′*)².
"""

import math
import sys
import textwrap
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...choices import number, thread_count
from ...data.examples import Examples
from ...data.hyperplane import Hyperplane
from ...data.rows import matrix_of
from ...data.two_classes import two_classes
from ...errors import InputError, plural
from ...proof.fingerprint import fingerprint
from ...proof.nouns import ExactHyperplane, Hull, Proof
from ...proof.verify import Check, verify
from ...runs.plan import offset_scale
from ...runs.status import Status
from ..signed_rows import SignedRows
from ..verdict import Verdict, root
from .corral import Question
from .nearest import Bounds, Held, gap_of, nearest, scaled_down

Ints = NDArray[np.int64]


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
    examples: Examples
    threads: int
    digest: int
    found: Held | Bounds | None

    @property
    def separable(self) -> bool | None:
        """True, False, or None if it is not known."""
        return {"inseparable": False, "undecided": None}.get(self.status.name, True)

    @property
    def _found(self) -> Held | Bounds:
        """The answer, whose exact numbers may have to be computed from the rows."""
        if self.found is None:
            raise InputError(f"there is no hyperplane to speak of: {self.status}")
        if not self.examples.rows.sound() or self.examples.digest(all=True) != self.digest:
            raise InputError("the rows or labels were changed since: ask again")
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
        if self.found is None:
            return None
        near, sides = self._found.near, self.examples.classes
        w, b = (near, 0.0) if self.rho2 == 0 else (near[:-1], float(near[-1]))
        return Hyperplane(w, b, (sides[0], sides[1]))

    @cached_property
    def plain_margin(self) -> float:
        """The un-augmented margin of the hyperplane, min m/‖w‖, rounded: the distance to its nearest row."""
        if not self.separable:
            return 0.0
        if not self.rho2:
            return self.margin
        w, b = self.exact_hyperplane
        plain2 = sum((x * x for x in w), Fraction(0))
        return root(self.margin2 * (1 + b * b / self.rho2 / plain2))

    @cached_property
    def radius(self) -> float:
        """R = max ‖x‖, rounded up; of an offset of scale ρ, R′ = √(R² + ρ²)."""
        s = SignedRows(self.examples, self.rho2 == 0, math.inf, self.threads)
        tame, shift = scaled_down(Question(s, None))  # where squares would leave the range of float64
        try:
            R = math.ldexp(tame.s.radius, shift)
        except OverflowError:
            R = math.inf
        d = self.examples.n_columns
        return math.nextafter(math.hypot(R, math.sqrt(self.rho2 or 0)) * (1 + (d + 8) * 2.0**-53), math.inf)

    @property
    def difficulty(self) -> float:
        """R′/γ′*: its square bounds the mistakes of a perceptron with this offset. (R/γ* if the offset is free.)

        By the margin that was found, so it is never too small.
        """
        if not self.separable:
            return math.inf
        if self.margin > 1e-290 and self.radius < math.inf:
            return math.nextafter(self.radius / self.margin, math.inf)
        return root(Fraction(min(self.radius, sys.float_info.max)) ** 2 / self.margin2) * (1 + 1e-15)

    @cached_property
    def proof(self) -> Proof:
        """All that anyone needs to check the bracket with `verify`; of inseparable rows, the verdict's proof."""
        if self.verdict is not None:
            return self.verdict.proof
        found = self._found
        return Proof(
            "largest-margin",
            rows=self.examples.n_rows,
            columns=self.examples.n_columns,
            sha256=fingerprint(matrix_of(self.examples.rows), self.examples.labels),
            through_origin=self.rho2 == 0,
            hyperplane=ExactHyperplane.of(*self.exact_hyperplane),
            margin2=found.margin2,
            hull=Hull.of(found.rows.tolist(), found.alpha, upper2=found.upper2, rho2=self.rho2),
            reading={"numbers": "as stored, each an exact float64", "positive": str(self.examples.classes[1])},
        )

    def check(self) -> Check:
        """Whether the proof holds, by the checker, on the rows it speaks of."""
        return verify(self.proof, matrix_of(self.examples.rows), self.examples.labels)

    def summary(self) -> str:
        """Text to paste into a report. Rows are numbered from 0."""
        n, d = self.examples.n_rows, self.examples.n_columns
        kind = "a free offset" if self.rho2 is None else "no offset" if self.rho2 == 0 else f"offset {self.offset}"
        if self.verdict is not None:
            return _wrapped([*self.verdict.summary().splitlines(), f"Margin: {self.status}."])
        lines = [f"{n} rows, {d} columns, {kind}: {self.status}."]
        if self.separable is None:
            return _wrapped(lines)
        name = "augmented margin" if self.rho2 else "margin"
        lines.append(f"Largest {name} {self.margin:.9g}, gap {self.gap:.2g}: none is above {self.margin_upper:.9g}.")
        if self.rho2:
            lines.append(f"Its hyperplane's distance to the nearest row: {self.plain_margin:.9g}.")
        rows = ", ".join(map(str, self.support_rows[:12].tolist()))
        more = f" and {self.support_rows.size - 12} more" if self.support_rows.size > 12 else ""
        lines.append(f"{plural(self.support_rows.size, 'row')} hold it (counted from 0): {rows}{more}.")
        lines.append(f"Difficulty, radius/margin: {self.difficulty:.6g}.")
        return _wrapped(lines)

    def __repr__(self) -> str:
        if not self.separable:
            return f"<MaxMargin: {self.status.name}>"
        return f"<MaxMargin: {self.margin:.9g}, gap {self.gap:.2g}; {plural(self.support_rows.size, 'support row')}>"


def _wrapped(lines: list[str]) -> str:
    return "\n".join(textwrap.fill(line, 80, break_long_words=False) for line in lines)


def max_margin(
    X: Any,
    y: Any = None,
    *,
    offset: float | str = "free",
    rel_gap: float = 1e-6,
    time_limit: float | None = None,
    threads: int | None = None,
) -> MaxMargin:
    """The hyperplane with the largest margin, between bounds that are proven.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y.
    offset
        "free": the margin is min m/‖w‖, the distance to the nearest row. A number ρ, or "radius" for ρ = max ‖x‖: the
        margin in the augmented space, min m/‖(w, b/ρ)‖, which bounds the mistakes of `learn(offset=ρ)`. 0: hyperplanes
        through the origin. (ρ² counts as float64 rounds it.)
    rel_gap
        How far apart the bounds may be, relatively. Where at most some hundred rows hold the hyperplane they are equal
        anyway; 0 asks for that, whatever it takes.
    time_limit
        Seconds after which to make do with the bounds there are; looked at between steps. None: never.
    threads
        None: as many as there are CPUs.

    >>> best = max_margin([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> best.margin2, best.gap, best.support_rows.tolist()
    (Fraction(1, 4), 0.0, [1, 2])
    >>> max_margin([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]).verdict.kind
    'overlapping'
    """
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    rel_gap, threads = number("rel_gap", rel_gap, least=0), thread_count(threads)
    scale = offset if isinstance(offset, str) and offset == "free" else offset_scale(offset, "'free' or 'radius'")
    examples = two_classes(X, y, "max_margin")
    if scale != 0 and np.unique(examples.labels).size < 2:
        raise InputError("all rows carry one label, so that there is no largest margin: two classes are needed")
    begin = time.monotonic()
    s = SignedRows(examples, scale == 0, seconds, threads)
    if scale == "free":
        rho2 = None
    elif scale == "radius":
        if not 1e-140 < s.radius < 1e140:
            raise InputError(
                f"the squares of rows as long as {s.radius:g} leave the range of float64: rescale the data"
            )
        rho2 = Fraction(_core.radius2(examples.rows, threads)[0])
    else:
        rho2 = Fraction(float(scale) ** 2)
    answer = nearest(Question(s, rho2), rel_gap)
    took, digest = time.monotonic() - begin, examples.digest(all=True)
    return MaxMargin(answer.status, scale, rho2, answer.verdict, took, examples, threads, digest, answer.found)
