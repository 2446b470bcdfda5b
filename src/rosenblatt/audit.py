"""Audit: the convergence theorem, checked at every update of a run.

For a unit u in the augmented space, with γ′ = min y·u·x′ its margin on the data, every run with steps τ ≥ 0 obeys the
master law, whatever its rule, order, batches, start and sample weights:

    (a)  u·(w′ − w′₀) ≥ γ′·Στ                 each update adds τ·y·u·x′ ≥ τ·γ′
    (b)  ‖w′‖² ≤ ‖w′₀‖² + Σ(2τθ + τ²‖x′‖²)   each update had m ≤ θ

((b) row by row; of a batch with B updates, B·τ²‖x′‖² takes the place of τ²‖x′‖²), and from these follow the bounds on
updates and mistakes (docs/theory.md, laws 1 to 6 and 9). The curves of both sides are computed again from the log and
the rows (path.py), not taken from the run, and must end at the run's weights; where a law is broken beyond what
rounding can do, the fault is ours, and `LawBrokenError` says so.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .errors import InputError, LawBrokenError, plural
from .path import Floats, Ints, Pair, Path, margins_of
from .plan import Plan
from .rules import Rule, Setting, Update

_UNIT = 2.0**-53


@dataclass(frozen=True)
class Standing:
    """Where the run stands against one law."""

    law: str
    quantity: str
    value: float
    bound: float | None
    """At most this (at least this, if `at_least`); None: the law says nothing here, and `why` says why."""
    at_least: bool = False
    why: str = ""

    def __str__(self) -> str:
        said = f"{self.quantity} {self.value:.6g}"
        if self.bound is None:
            return f"law {self.law:<3} {said:<28} no bound: {self.why}"
        return f"law {self.law:<3} {said:<28} at {'least' if self.at_least else 'most'} {self.bound:.6g}"


@dataclass(frozen=True, eq=False)
class Audit:
    """Both sides of the laws: of the curves, one entry for the start and one for each weight change.

    margin, radius
        γ′ of the hyperplane in the augmented space, and R′ = max ‖x′‖ (of K outputs that move together, √2 times that).
    updates
        k, the updates so far.
    progress, progress_floor
        u·(w′ − w′₀), and γ′·Στ, below which it never is. The floor is nan if the law does not apply (some τ < 0).
    norm2, norm2_ceiling
        ‖w′‖², and ‖w′₀‖² + Σ(2τθ + τ²‖x′‖²), above which it never is. The ceiling is nan if some τ < 0.
    cosine, cosine_floor
        cos(w′, u), nan where w′ = 0; and √k·γ′/R′, nan if the law does not apply (it is the perceptron's, from zero,
        row by row).
    standings
        Where the run stands at its end against each bound.
    """

    margin: float
    radius: float
    updates: Ints
    progress: Floats
    progress_floor: Floats
    norm2: Floats
    norm2_ceiling: Floats
    cosine: Floats
    cosine_floor: Floats
    standings: tuple[Standing, ...]

    def __repr__(self) -> str:
        updates = plural(int(self.updates[-1]), "update")
        head = f"<Audit of {updates}: every law that applies holds"
        measures = f"augmented margin {self.margin:.6g}, radius {self.radius:.6g}"
        return "\n  ".join([head, measures, *map(str, self.standings)]) + ">"


class Case(NamedTuple):
    """What an audit must know of a run."""

    path: Path
    rule: Rule
    parameters: dict[str, float]
    plan: Plan
    weighted: bool
    """Whether rows had sample weights."""
    clean: bool
    """Whether the run ended clean."""
    end: Pair
    """The run's own last weights."""

    @property
    def update(self) -> Update:
        """The rule's numbers."""
        return self.rule.update(**self.parameters)

    @property
    def start_norm(self) -> float:
        """‖w′₀‖."""
        return math.sqrt(self.path.replay.norm2[0])

    @property
    def batch_size(self) -> int:
        """Rows per weight change."""
        n = self.path.examples.n_rows
        return n if self.plan.batch_size == "all" else min(n, int(self.plan.batch_size))


@np.errstate(over="ignore", invalid="ignore", under="ignore")  # asked for below
def audit(case: Case, plane: Pair) -> Audit:
    """Check every law along a path against the hyperplane(s) W (d, K), b (K,)."""
    path, update, replay = case.path, case.update, case.path.replay
    unit, margins, radius = _measure(path, plane)
    gamma, d = float(margins.min()), path.start[0].size
    own = path.along(lambda X, E: (E * (np.asarray(X @ unit[0]) + unit[1])).sum(axis=1))  # y·u·x′ of each update
    lengths2 = path.along(lambda X, E: (np.asarray((X * X).sum(axis=1)) + path.rho2) * (E * E).sum(axis=1))
    # Of each change, how many updates there had been.
    k = np.searchsorted(path.change, np.arange(path.n_changes + 1), side="right")

    def upto(values: Floats) -> Floats:
        return np.append(0.0, np.cumsum(values))[k]

    sizes = [
        radius,
        abs(gamma) or radius,
        float(replay.norm2.max()) or 1.0,
        float(replay.norm2[replay.norm2 > 0].min(initial=1.0)),
    ]
    if not (
        all(1e-140 < size < 1e140 for size in sizes) and np.isfinite(replay.margin).all() and np.isfinite(margins).all()
    ):
        raise InputError(
            "squares of these numbers leave the range of float64, so nothing can be checked: rescale the data"
        )
    progress, sums = upto(path.step * own), upto(path.step)
    theta = np.broadcast_to(update.theta0, path.step.shape)
    if update.beta:
        theta = theta + update.beta * np.sqrt(replay.norm2)[path.change - 1]
    shared = np.bincount(path.change, minlength=path.n_changes + 1)[path.change]  # rows in the same change
    with np.errstate(invalid="ignore"):
        ceiling = replay.norm2[0] + upto(2 * path.step * theta + shared * path.step**2 * lengths2)

    # What rounding may have done to w′ by each change, in the run and in the replay, and so to all that comes of it.
    longest = np.sqrt(np.maximum.accumulate(replay.norm2)) + math.sqrt(
        float((path.step**2 * lengths2).max(initial=0.0))
    )
    drift = 16 * _UNIT * (k + d + 300) * longest
    slack = drift + 4 * _UNIT * (k + 4) * upto(np.abs(path.step) * (np.abs(own) + abs(gamma)))

    if (path.step >= 0).all():
        floor = gamma * sums
        _hold("(a), u·(w′ − w′₀) ≥ γ′·Στ,", progress, floor - slack)
        _hold("(b), ‖w′‖² ≤ ‖w′₀‖² + Σ(2τθ + τ²‖x′‖²),", ceiling + 4 * longest * drift, replay.norm2)
    else:
        floor = ceiling = np.full(sums.shape, math.nan)
    _hold("of the rule, m ≤ θ,", theta + 4 * drift[path.change - 1] * np.sqrt(lengths2), replay.margin)

    size = np.sqrt(replay.norm2)
    along = progress + float((unit[0] * path.start[0]).sum()) + _offsets(unit[1], path.start[1], path.rho2)
    cosine = np.divide(along, size, out=np.full(size.shape, math.nan), where=size > 0)
    cosine_floor = np.sqrt(k) * gamma / radius if gamma >= 0 and not _unplain(case) else np.full(size.shape, math.nan)
    spare = np.divide(2 * drift, size, out=np.zeros(size.shape), where=size > 0)
    _hold("3, cos(w′, u) ≥ √k·γ′/R′,", cosine + spare, cosine_floor)

    standings = tuple(_standings(case, plane, margins, radius, cosine[-1]))
    relative = 16 * _UNIT * (d + 16) * (1 + (radius / abs(gamma) if gamma else 0))
    for s in standings:
        if s.bound is None:
            continue
        # Law 9 reads w′ − w′₀, a difference that keeps the rounding of both.
        room = relative * abs(s.bound) + (drift[-1] / sums[-1] if s.law == "9" else 0.0)
        if s.value < s.bound - room if s.at_least else s.value > s.bound + room:
            raise LawBrokenError(_broken(f"{s.law} is broken: {s.quantity} {s.value:.17g}, bound {s.bound:.17g}"))
    # The sum of what the updates added along u must be where the weights are.
    W, b = (end - start for end, start in zip(case.end, path.start, strict=True))
    reached = float((unit[0] * W).sum()) + _offsets(unit[1], b, path.rho2)
    if abs(reached - progress[-1]) > slack[-1]:
        raise LawBrokenError(
            _broken(f"(a) is broken: u·(w′ − w′₀) is {reached:.17g}, its updates add up to {progress[-1]:.17g}")
        )
    # Row by row the sums are made in the run's order, so nothing may differ.
    away = max(
        float(np.abs(own - theirs).max()) for own, theirs in zip(path.weights(path.n_changes), case.end, strict=True)
    )
    if away > (0 if path.row_by_row else drift[-1] * (1 + math.sqrt(path.rho2))):
        raise LawBrokenError(
            _broken(f"of the log is broken: the log does not lead to the weights, but {away:.3g} away")
        )
    return Audit(gamma, radius, k, progress, floor, replay.norm2, ceiling, cosine, cosine_floor, standings)


def _hold(law: str, larger: Floats, smaller: Floats) -> None:
    """Raise unless larger ≥ smaller everywhere; nan is not compared."""
    if (bad := np.flatnonzero(larger < smaller)).size:
        at = int(bad[0])
        raise LawBrokenError(_broken(f"{law} is broken at entry {at}: {larger[at]:.17g} < {smaller[at]:.17g}"))


def _broken(what: str) -> str:
    return f"law {what}; this is a fault of rosenblatt, or the rows were changed since the run: please report it"


def _measure(path: Path, plane: Pair) -> tuple[Pair, Floats, float]:
    """The hyperplane as a unit vector of the augmented space; its margins there; and R′."""
    W, b = plane
    if W.shape != path.start[0].shape:
        (d, K), (own_d, own_K) = W.shape, path.start[0].shape
        raise InputError(f"{K} hyperplane(s) of {d} weight(s); the run has {own_K} output(s) of {own_d}")
    if path.rho2 == 0 and b.any():
        raise InputError("the hyperplane has an offset b, but the run has none (offset=0): give one through the origin")
    big = max(float(np.abs(W).max()), float(np.abs(b).max()))
    if big == 0:
        raise InputError("w = 0 and b = 0 is no hyperplane")
    W, b = W / big, b / big
    length = math.sqrt(float((W * W).sum()) + _offsets(b, b, path.rho2))
    unit = W / length, b / length
    labels, X = path.examples.labels, path.matrix
    margins, longest = np.empty(labels.size), 0.0
    for first in range(0, labels.size, 4096):
        block = X[first : first + 4096].astype(np.float64)
        scores = np.asarray(block @ unit[0]) + unit[1]
        margins[first : first + 4096] = margins_of(scores, labels[first : first + 4096], path.output)
        longest = max(longest, float(np.asarray((block * block).sum(axis=1)).max()))
    # In the joint space of K outputs a row stands twice, once with each sign.
    return unit, margins, math.sqrt((longest + path.rho2) * (2 if b.size > 1 else 1))


def _offsets(b: Floats, c: Floats, rho2: float) -> float:
    """The offsets' part of an inner product in the augmented space, (b/ρ)·(c/ρ)."""
    return float((b * (c / rho2)).sum()) if rho2 else 0.0


def _unsettled(case: Case) -> str:
    """Why no bound on updates is known, whatever the rule; "" if nothing stands in its way."""
    if case.weighted:
        return "rows have sample weights"
    return "" if case.plan.schedule == "constant" else "the step η changes"


def _is_perceptron(case: Case) -> bool:
    """Whether the rule is the perceptron, up to the size of its step."""
    return case.update._replace(e=1.0) == Update()


def _unplain(case: Case) -> str:
    """Why laws 1, 3 and 6 say nothing: they speak of the perceptron from zero, row by row, with one η."""
    if not _is_perceptron(case):
        return "not the perceptron rule"
    if not case.path.row_by_row:
        return "rows come in batches"
    return "the start is not zero" if case.start_norm else _unsettled(case)


def _standings(case: Case, plane: Pair, margins: Floats, radius: float, cosine: float) -> Iterator[Standing]:
    """Where the run stands at its end: the rule's own bound (law 1, 4 or 5), laws 2, 3, 6 and 9."""
    path, rule, gamma = case.path, case.rule, float(margins.min())
    updates, mistakes = path.row.size, int((path.replay.margin <= 0).sum())
    setting = Setting(
        radius=radius, margin=gamma, eta=case.plan.eta, start_norm=case.start_norm, batch_size=case.batch_size,
        **case.parameters,
    )  # fmt: skip
    no_margin = "" if gamma > 0 else "it does not separate the rows"

    value = mistakes if rule.counts == "mistakes" else updates
    why = no_margin or _unsettled(case)
    bound = None if why else rule.bound(setting)
    law = "5" if not _is_perceptron(case) else "4" if _unplain(case) else "1"
    yield Standing(law, rule.counts, value, bound, why=why or ("" if bound else "none is known for this rule and plan"))

    if case.plan.offset == "radius" and path.start[1].size == 1:
        W, b = plane
        plain = (
            gamma * math.sqrt(float((W * W).sum()) + _offsets(b, b, path.rho2)) / math.sqrt(float((W * W).sum()) or 1.0)
        )
        both = path.output is not None or np.unique(path.examples.labels).size == 2
        why = no_margin or _unplain(case) or ("" if W.any() else "w = 0") or ("" if both else "only one class occurs")
        yield Standing("2", "updates", updates, None if why else 4 * path.rho2 / plain**2, why=why)

    why = no_margin or _unplain(case) or ("" if updates else "no update was made")
    yield Standing("3", "cosine", cosine, None if why else math.sqrt(updates) * gamma / radius, True, why)

    if rule.reached is not None:
        final = path.weights(path.n_changes)
        why = no_margin or _unsettled(case) or ("" if case.clean else "the run did not end clean")
        reached = None if why else rule.reached(setting)
        why = why or ("" if final[0].any() or final[1].any() else "w is zero")
        margin = float("nan") if why else float(_measure(path, final)[1].min())
        yield Standing("5", "margin reached", margin, reached, True, why or ("" if reached else "none is promised"))

    first_pass = int(np.searchsorted(path.births[1:], path.examples.n_rows, side="right"))
    why = _unplain(case)
    yield Standing("6", "updates, first epoch", first_pass, None if why else _almost(margins, radius), why=why)

    W, b = (end - start for end, start in zip(path.weights(path.n_changes), path.start, strict=True))
    total = float(path.step.sum())
    why = "" if total > 0 and (path.step >= 0).all() else "no update was made" if not updates else "some τ < 0"
    moved = math.sqrt(float((W * W).sum()) + _offsets(b, b, path.rho2))
    yield Standing("9", "margin", gamma, None if why else moved / total, why=why)


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
