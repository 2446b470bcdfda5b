"""Law checks: where a run stands at its end against each bound on its updates, mistakes and margins.

The laws are those of docs/theory.md, read for one hyperplane: its margin γ′ in the augmented space, the radius R′ and
how the run was set up. `Run.audit` asks for them along with the curves, `Run.against` by themselves.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..data.csr import squared_lengths
from ..data.scans import chunk_matrices, classes_occurring
from ..data.source import Source
from ..errors import InputError, LawBrokenError, plural
from ..report.html_cards import bounds_card
from ..report.laws import bounds_text
from ..report.plain import finite
from ..rules import Rule, Setting, Update
from .plan import Plan
from .trajectory import Floats, Pair, inner_product, margins_of


@dataclass(frozen=True)
class LawCheck:
    """Where the run stands against one law.

    >>> print(LawCheck("1", "updates", 3, 39.99999999999999))  # 40, but for rounding
    law 1   updates 3                    at most 40
    """

    law: str
    quantity: str
    value: float
    bound: float | None
    """At most this (at least this, if `at_least`); None: the law says nothing here, and `why` says why."""
    at_least: bool = False
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """It in plain values; a bound on a count is a whole number."""
        bound, why = self.bound, self.why
        if bound is not None and not math.isfinite(bound):
            bound, why = None, "beyond what a float can say"
        if bound is not None and self._counts:
            bound = _whole(bound)
        own = {"law": self.law, "quantity": self.quantity, "value": finite(float(self.value)), "bound": bound}
        return {**own, "at_least": self.at_least, "why": why}

    @property
    def _counts(self) -> bool:
        return self.quantity.startswith(("updates", "mistakes"))

    def __str__(self) -> str:
        said = self.quantity if math.isnan(self.value) else f"{self.quantity} {self.value:.6g}"
        if self.bound is None:
            return f"law {self.law:<3} {said:<28} no bound: {self.why}"
        counts = self._counts and math.isfinite(self.bound)
        bound = _whole(self.bound) if counts else self.bound
        return f"law {self.law:<3} {said:<28} at {'least' if self.at_least else 'most'} {bound:.6g}"


def _whole(bound: float) -> int:
    """A bound on a count; where it is a whole number but for rounding, that number."""
    return math.floor(bound * (1 + 1e-12))


@dataclass(frozen=True)
class BoundComparison:
    """A run beside every bound that a hyperplane gives; laws are numbered as in docs/theory.md.

    margin, radius
        γ′ of the hyperplane in the run's augmented space, and R′.
    difficulty
        R′/γ′, whose square bounds the perceptron's mistakes; infinity if the hyperplane does not separate the rows.
    checks
        One for each law.
    scaled
        Whether margin and radius are those of the scaled rows, which the run learnt from.
    """

    updates: int
    mistakes: int | None
    margin: float
    radius: float
    checks: tuple[LawCheck, ...]
    scaled: bool = False

    @property
    def difficulty(self) -> float:
        """R′/γ′."""
        return self.radius / self.margin if self.margin > 0 else math.inf

    def to_dict(self) -> dict[str, Any]:
        """It in plain values."""
        return {
            "updates": self.updates,
            "mistakes": self.mistakes,
            "margin": finite(self.margin),
            "radius": finite(self.radius),
            "difficulty": finite(self.difficulty),
            "scaled": self.scaled,
            "laws": [check.to_dict() for check in self.checks],
        }

    def summary(self) -> str:
        """The same in words, at most 80 characters wide."""
        return "\n".join(bounds_text(self.to_dict()))

    def _repr_html_(self) -> str:
        return bounds_card(self.to_dict())

    def __repr__(self) -> str:
        met = "" if self.mistakes is None else f", {plural(self.mistakes, 'mistake')}"
        of = " of the scaled rows" if self.scaled else ""
        head = f"<{plural(self.updates, 'update')}{met}, against a difficulty R′/γ′ of {self.difficulty:.6g}{of}"
        return "\n  ".join([head, *map(str, self.checks)]) + ">"


class RunFacts(NamedTuple):
    """What the bounds must know of a run."""

    source: Source
    rho2: float
    output: int | None
    """The class that this output of one-vs-rest speaks of."""
    rule: Rule
    parameters: dict[str, float]
    plan: Plan
    weighted: bool
    """Whether rows had sample weights."""
    clean: bool
    """Whether the run ended clean."""
    row_by_row: bool
    updates: int
    mistakes: int | None
    """Rows met with m ≤ 0; None if not all of them were counted."""
    first_pass: int | None
    """Updates in the first epoch, likewise."""
    total: float
    """Στ; nan if some τ < 0."""
    start: Pair
    end: Pair

    @property
    def update(self) -> Update:
        """The rule's numbers."""
        return self.rule.update(**self.parameters)

    @property
    def start_norm(self) -> float:
        """‖w′₀‖."""
        return length(self.start, self.rho2)

    @property
    def batch_size(self) -> int:
        """Rows per weight change."""
        n = self.source.n_rows
        return n if self.plan.batch_size == "all" else min(n, int(self.plan.batch_size))


def length(pair: Pair, rho2: float) -> float:
    """‖w′‖, of all outputs together."""
    with np.errstate(over="ignore", under="ignore"):
        return math.sqrt(inner_product(pair, pair, rho2))


def check_range(*sizes: float) -> None:
    """Raise if the squares of some of these numbers, where they are not 0, would leave the range of float64."""
    if not all(1e-140 < abs(size) < 1e140 for size in sizes if size != 0):
        raise InputError(
            "squares of these numbers leave the range of float64, so nothing can be checked: rescale the data"
        )


@np.errstate(over="ignore", invalid="ignore")  # what overflows is for `check_range` to refuse
def measure(source: Source, rho2: float, output: int | None, like: Pair, plane: Pair) -> tuple[Pair, Floats, float]:
    """A hyperplane as a unit vector of the augmented space, its margins there, and R′; `like` are run weights."""
    W, b = plane
    if W.shape != like[0].shape:
        (d, K), (own_d, own_K) = W.shape, like[0].shape
        raise InputError(f"{K} hyperplane(s) of {d} weight(s); the run has {own_K} output(s) of {own_d}")
    if rho2 == 0 and b.any():
        raise InputError("the hyperplane has an offset b, but the run has none (offset=0): give one through the origin")
    big = max(float(np.abs(W).max()), float(np.abs(b).max()))
    if big == 0:
        raise InputError("w = 0 and b = 0 is no hyperplane")
    W, b = W / big, b / big
    size = length((W, b), rho2)
    unit = W / size, b / size
    margins, longest = np.empty(source.n_rows), 0.0
    for span, X, labels in chunk_matrices(source):
        block = X.astype(np.float64)
        scores = np.asarray(block @ unit[0]) + unit[1]
        margins[span] = margins_of(scores, labels, output)
        longest = max(longest, float(squared_lengths(block).max()))
    # In the joint space of K outputs a row stands twice, once with each sign.
    return unit, margins, math.sqrt((longest + rho2) * (2 if b.size > 1 else 1))


def _why_no_bound(f: RunFacts) -> str:
    """Why no bound on updates is known, whatever the rule; "" if nothing stands in its way."""
    if f.weighted:
        return "rows have sample weights"
    return "" if f.plan.schedule == "constant" else "the step η changes"


def _is_perceptron(f: RunFacts) -> bool:
    """Whether the rule is the perceptron, up to the size of its step."""
    return f.update._replace(e=1.0) == Update()


def why_not_plain(f: RunFacts) -> str:
    """Why laws 1, 3 and 6 say nothing: they speak of the perceptron from zero, row by row, with one η."""
    if not _is_perceptron(f):
        return "not the perceptron rule"
    if not f.row_by_row:
        return "rows come in batches"
    return "the start is not zero" if f.start_norm else _why_no_bound(f)


def law_checks(f: RunFacts, plane: Pair, margins: Floats, unit: Pair, radius: float) -> Iterator[LawCheck]:
    """Where the run stands at its end: the rule's own bound (law 1, 4 or 5), laws 2, 3, 6 and 9.

    The margins are those of the hyperplane in the augmented space, where it is the unit vector `unit`.
    """
    rule, updates, gamma = f.rule, f.updates, float(margins.min())
    setting = Setting(
        radius=radius, margin=gamma, eta=f.plan.eta, start_norm=f.start_norm, batch_size=f.batch_size, **f.parameters
    )
    no_margin = "" if gamma > 0 else "it does not separate the rows"
    uncounted = "the history does not reach back to the start"

    value = updates if rule.counts == "updates" else f.mistakes
    why = no_margin or _why_no_bound(f) or (uncounted if value is None else "")
    try:
        bound = None if why else rule.bound(setting)
    except (OverflowError, ZeroDivisionError):
        bound = math.inf  # beyond float64
    law = "5" if not _is_perceptron(f) else "4" if why_not_plain(f) else "1"
    why = why or ("" if bound else "none is known for this rule and plan")
    yield LawCheck(law, rule.counts, math.nan if value is None else value, bound, why=why)

    if f.plan.offset == "radius" and f.start[1].size == 1:
        W, _ = plane
        plain = gamma * length(plane, f.rho2) / math.sqrt(float((W * W).sum()) or 1.0)
        both = f.output is not None or classes_occurring(f.source) == 2
        why = no_margin or why_not_plain(f) or ("" if W.any() else "w = 0") or ("" if both else "only one class occurs")
        yield LawCheck("2", "updates", updates, None if why else 4 * f.rho2 / plain**2, why=why)

    size = length(f.end, f.rho2)
    along = inner_product(unit, f.end, f.rho2)
    why = no_margin or why_not_plain(f) or ("" if updates else "no update was made")
    bound = None if why else math.sqrt(updates) * gamma / radius
    yield LawCheck("3", "cosine", along / size if size else math.nan, bound, True, why)

    if rule.reached is not None:
        why = no_margin or _why_no_bound(f) or ("" if f.clean else "the run did not end clean")
        reached = None if why else rule.reached(setting)
        why = why or ("" if size else "w is zero")
        margin = math.nan if why else float(measure(f.source, f.rho2, f.output, f.start, f.end)[1].min())
        yield LawCheck("5", "margin reached", margin, reached, True, why or ("" if reached else "none is promised"))

    why = why_not_plain(f) or (uncounted if f.first_pass is None else "")
    first_pass = math.nan if f.first_pass is None else f.first_pass
    yield LawCheck("6", "updates, first epoch", first_pass, None if why else _almost(margins, radius), why=why)

    why = "" if f.total > 0 else "no update was made" if not updates else "some τ < 0"
    moved = length((f.end[0] - f.start[0], f.end[1] - f.start[1]), f.rho2)
    yield LawCheck("9", "margin", gamma, None if why else moved / f.total, why=why)


def check_laws(found: Iterable[LawCheck], room: float, drift: float = 0.0) -> tuple[LawCheck, ...]:
    """The checks; raise if a bound is passed by more than rounding: relatively, and of law 9 absolutely too."""
    known = tuple(found)
    for s in known:
        if s.bound is None:
            continue
        # Law 9 reads w′ − w′₀, a difference that keeps the rounding of both; and a margin is a difference, too.
        spare = room * abs(s.bound) + (drift if s.law == "9" or s.quantity == "margin reached" else 0.0)
        if s.value < s.bound - spare if s.at_least else s.value > s.bound + spare:
            raise LawBrokenError(broken_law(f"{s.law} is broken: {s.quantity} {s.value:.17g}, bound {s.bound:.17g}"))
    return known


def broken_law(what: str) -> str:
    """What to say of a broken law."""
    return f"law {what}; this is a fault of rosenblatt, or the rows were changed since the run: please report it"


def _almost(margins: Floats, radius: float) -> float:
    """Law 6: ((R′ + D)/γ)² with D² = Σ max(0, γ − y·u·x′)², at the best γ > 0; every γ gives a bound.

    With t = 1/γ its root is R′t + ‖(1 − t·m)₊‖, which is convex: so the least is found by narrowing down (golden
    section). t → 0 gives n, the number of rows.
    """

    def root(t: float) -> float:
        return radius * t + math.sqrt(float(np.square(np.maximum(0.0, 1 - t * margins)).sum()))

    low, high = 0.0, 1.0 / (float(np.abs(margins).max()) or 1.0)
    while root(2 * high) < root(high):
        high *= 2
    high *= 2
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if root(left) <= root(right) else (left, high)
    return min(root(0.0), root((low + high) / 2)) ** 2
