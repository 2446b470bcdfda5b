"""Audit: the convergence theorem, checked at every update of a run.

For a unit u in the augmented space, with γ′ = min y·u·x′ its margin on the data, every run with steps τ ≥ 0 obeys the
master law, whatever its rule, order, batches, start and sample weights:

    (a)  u·(w′ − w′₀) ≥ γ′·Στ                 each update adds τ·y·u·x′ ≥ τ·γ′
    (b)  ‖w′‖² ≤ ‖w′₀‖² + Σ(2τθ + τ²‖x′‖²)   each update had m ≤ θ

((b) row by row; of a batch with B updates, B·τ²‖x′‖² takes the place of τ²‖x′‖²), and from these follow the bounds on
updates and mistakes (docs/theory.md, laws 1 to 6 and 9). The curves of both sides are computed again from the log and
the rows (trajectory.py), not taken from the run, and must end at the run's weights; where a law is broken beyond what
rounding can do, the fault is ours, and `LawBrokenError` says so.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..data.csr import squared_lengths
from ..data.float64 import UNIT_ROUNDOFF
from ..data.scaled import Scaled
from ..errors import InputError, LawBrokenError, plural
from ..report.html_cards import audit_card
from ..report.laws import audit_text
from ..report.plain import finite, plain_values
from ..rules import Rule
from .bounds import LawCheck, RunFacts, broken_law, check_laws, check_range, law_checks, measure, why_not_plain
from .plan import Plan
from .trajectory import Floats, Ints, Pair, Trajectory, inner_product


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
    checks
        Where the run stands at its end against each bound.
    scaled
        Whether all this is in the space of the scaled rows, which the run learnt from.
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
    checks: tuple[LawCheck, ...]
    scaled: bool = False

    def to_dict(self, most: int = 400) -> dict[str, Any]:
        """It in plain values; of each curve at most so many entries, evenly spread, with both ends."""
        shown = np.unique(np.linspace(0, self.updates.size - 1, max(2, most)).round().astype(np.int64))
        curves = ("updates", "progress", "progress_floor", "norm2", "norm2_ceiling", "cosine", "cosine_floor")
        return {
            "updates": int(self.updates[-1]),
            "margin": finite(self.margin),
            "radius": finite(self.radius),
            "scaled": self.scaled,
            "laws": [check.to_dict() for check in self.checks],
            "curves": {name: plain_values(getattr(self, name)[shown]) for name in curves},
        }

    def summary(self) -> str:
        """The end of it in words, at most 80 characters wide."""
        return "\n".join(audit_text(self.to_dict()))

    def _repr_html_(self) -> str:
        return audit_card(self.to_dict())

    def __repr__(self) -> str:
        updates = plural(int(self.updates[-1]), "update")
        head = f"<Audit of {updates}{' on scaled rows' if self.scaled else ''}: every law that applies holds"
        measures = f"augmented margin {self.margin:.6g}, radius {self.radius:.6g}"
        return "\n  ".join([head, measures, *map(str, self.checks)]) + ">"


class AuditCase(NamedTuple):
    """What an audit must know of a run."""

    path: Trajectory
    rule: Rule
    parameters: dict[str, float]
    plan: Plan
    weighted: bool
    """Whether rows had sample weights."""
    clean: bool
    """Whether the run ended clean."""
    end: Pair
    """The run's own last weights."""

    def facts(self) -> RunFacts:
        """The same, as the bounds ask for it."""
        p = self.path
        return RunFacts(
            source=p.source, rho2=p.rho2, output=p.output, rule=self.rule, parameters=self.parameters,
            plan=self.plan, weighted=self.weighted, clean=self.clean, row_by_row=p.row_by_row, updates=p.row.size,
            mistakes=int((p.replay.margin <= 0).sum()),
            first_pass=int(np.searchsorted(p.births[1:], p.source.n_rows, side="right")),
            total=float(p.step.sum()) if (p.step >= 0).all() else math.nan,
            start=p.start, end=p.weights(p.n_changes),
        )  # fmt: skip


@np.errstate(over="ignore", invalid="ignore", under="ignore")  # asked for below
def audit(case: AuditCase, plane: Pair) -> Audit:
    """Check every law along a trajectory against the hyperplane(s) W (d, K), b (K,)."""
    path, facts, replay = case.path, case.facts(), case.path.replay
    update = facts.update
    unit, margins, radius = measure(path.source, path.rho2, path.output, path.start, plane)
    gamma, d = float(margins.min()), path.start[0].size
    own = path.along(lambda X, E: (E * (np.asarray(X @ unit[0]) + unit[1])).sum(axis=1))  # y·u·x′ of each update
    lengths2 = path.along(lambda X, E: (squared_lengths(X) + path.rho2) * (E * E).sum(axis=1))
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
    check_range(*sizes)
    if not (np.isfinite(replay.margin).all() and np.isfinite(margins).all()):
        raise InputError("margins leave the range of float64, so nothing can be checked: rescale the data")
    progress, sums = upto(path.step * own), upto(path.step)
    theta = np.broadcast_to(update.theta0, path.step.shape)
    if update.beta:
        theta = theta + update.beta * np.sqrt(replay.norm2)[path.change - 1]
    # Of ‖w′‖²/Στ, before each change; 0 before the first.
    shares = np.divide(update.share, sums, out=np.zeros(sums.shape), where=sums > 0)[path.change - 1]
    if update.share:
        theta = theta + shares * replay.norm2[path.change - 1]
    shared = np.bincount(path.change, minlength=path.n_changes + 1)[path.change]  # rows in the same change
    with np.errstate(invalid="ignore"):
        ceiling = replay.norm2[0] + upto(2 * path.step * theta + shared * path.step**2 * lengths2)

    # What rounding may have done to w′ by each change, in the run and in the replay, and so to all that comes of it.
    longest = np.sqrt(np.maximum.accumulate(replay.norm2)) + math.sqrt(
        float((path.step**2 * lengths2).max(initial=0.0))
    )
    drift = 16 * UNIT_ROUNDOFF * (k + d + 300) * longest
    slack = drift + 4 * UNIT_ROUNDOFF * (k + 4) * upto(np.abs(path.step) * (np.abs(own) + abs(gamma)))

    if (path.step >= 0).all():
        floor = gamma * sums
        _check_along("(a), u·(w′ − w′₀) ≥ γ′·Στ,", progress, floor - slack)
        _check_along("(b), ‖w′‖² ≤ ‖w′₀‖² + Σ(2τθ + τ²‖x′‖²),", ceiling + 4 * longest * drift, replay.norm2)
    else:
        floor = ceiling = np.full(sums.shape, math.nan)
    room = 4 * drift[path.change - 1] * (np.sqrt(lengths2) + shares * longest[path.change - 1])
    _check_along("of the rule, m ≤ θ,", theta + room, replay.margin)

    size = np.sqrt(replay.norm2)
    along = progress + inner_product(unit, path.start, path.rho2)
    cosine = np.divide(along, size, out=np.full(size.shape, math.nan), where=size > 0)
    cosine_floor = (
        np.sqrt(k) * gamma / radius if gamma >= 0 and not why_not_plain(facts) else np.full(size.shape, math.nan)
    )
    spare = np.divide(2 * drift, size, out=np.zeros(size.shape), where=size > 0)
    _check_along("3, cos(w′, u) ≥ √k·γ′/R′,", cosine + spare, cosine_floor)

    relative = 16 * UNIT_ROUNDOFF * (d + 16) * (1 + (radius / abs(gamma) if gamma else 0))
    found = law_checks(facts, plane, margins, unit, radius)
    held = check_laws(found, relative, drift[-1] / sums[-1] if sums[-1] else 0.0)
    # The sum of what the updates added along u must be where the weights are.
    W, b = (end - start for end, start in zip(case.end, path.start, strict=True))
    reached = inner_product(unit, (W, b), path.rho2)
    if abs(reached - progress[-1]) > slack[-1]:
        raise LawBrokenError(
            broken_law(f"(a) is broken: u·(w′ − w′₀) is {reached:.17g}, its updates add up to {progress[-1]:.17g}")
        )
    # Row by row the sums are made in the run's order, so nothing may differ.
    away = max(
        float(np.abs(own - theirs).max()) for own, theirs in zip(path.weights(path.n_changes), case.end, strict=True)
    )
    if away > (0 if path.row_by_row else drift[-1] * (1 + math.sqrt(path.rho2))):
        raise LawBrokenError(
            broken_law(f"of the log is broken: the log does not lead to the weights, but {away:.3g} away")
        )
    return Audit(
        gamma,
        radius,
        k,
        progress,
        floor,
        replay.norm2,
        ceiling,
        cosine,
        cosine_floor,
        held,
        isinstance(path.source, Scaled),
    )


def _check_along(law: str, larger: Floats, smaller: Floats) -> None:
    """Raise unless larger ≥ smaller everywhere; nan is not compared."""
    if (bad := np.flatnonzero(larger < smaller)).size:
        at = int(bad[0])
        raise LawBrokenError(broken_law(f"{law} is broken at entry {at}: {larger[at]:.17g} < {smaller[at]:.17g}"))
