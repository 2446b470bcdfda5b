"""The perceptron family in exact fractions: the oracle the package is compared with.

It is written from the notes alone and shares nothing with the package: no rounding, no chunks, no threads,
one plain loop.  Notation: x' = (x, rho), w' = (w, b/rho), m = y*(w.x + b).  A rule is a few numbers:

    if m <= theta0 + beta*||w'|| + share*||w'||^2/T  (m < ... when strict)  then  w' += tau*y*x',
    tau = scale * min(cap, (e + g*m) / (p*||x'||^2 + q)),   scale = eta_k or 1, times the row's weight (see weighted).

T is the sum of the tau that w' is made of (before the first, the last part of theta is 0).  With relative, theta0
counts in units of the median of ||x'||^2.

The offset scale enters only as rho2 = rho^2, so that rho = R = sqrt(50) is exact too; rho2 = 0: no offset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, isqrt, sqrt
from typing import Any, NamedTuple

Vector = tuple[Fraction, ...]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Update:
    theta0: Fraction | None = ZERO  # None: plus infinity, every example triggers
    beta: Fraction = ZERO
    share: Fraction = ZERO
    relative: bool = False
    strict: bool = False
    cap: Fraction | None = None  # None: no cap
    e: Fraction = ONE
    g: Fraction = ZERO
    p: Fraction = ZERO
    q: Fraction = ONE
    scaled: bool = True  # does eta_k multiply tau?


RULES: dict[str, Callable[[Fraction, Fraction], Update]] = {
    "perceptron": lambda beta, C: Update(),
    "target-output": lambda beta, C: Update(e=Fraction(2)),
    "margin": lambda beta, C: Update(beta=beta),
    "fixed-margin": lambda beta, C: Update(theta0=beta),
    "relative-margin": lambda beta, C: Update(theta0=beta, relative=True),
    "dynamic-margin": lambda beta, C: Update(share=beta),
    "delta": lambda beta, C: Update(theta0=None, g=-ONE),
    "passive-aggressive": lambda beta, C: Update(ONE, strict=True, g=-ONE, p=ONE, q=ZERO, scaled=False),
    "pa-1": lambda beta, C: Update(ONE, strict=True, cap=C, g=-ONE, p=ONE, q=ZERO, scaled=False),
    "pa-2": lambda beta, C: Update(ONE, strict=True, g=-ONE, p=ONE, q=1 / (2 * C), scaled=False),
}


def rule(name: str, *, beta: Any = 1, C: Any = 1) -> Update:
    """The numbers of a rule; a name the notes do not have is an error."""
    return RULES[name](Fraction(beta), Fraction(C))


class Logged(NamedTuple):
    row: int
    tau: Fraction
    visit: int  # how many rows had been visited when this one was met, itself included
    change: int  # the number of the weight change it went into


@dataclass
class Epoch:
    """What was met on the way through one epoch, each row under the weights of its own moment."""

    mistakes: int = 0
    updates: int = 0
    perceptron_loss: Fraction = ZERO  # the sum of -m over the mistakes
    squared_loss: Fraction = ZERO  # the sum of (1 - m)^2 over all rows


@dataclass
class Trace:
    """A whole run: `weights[j]` are (w, b) after j changes, and they lived for `survival[j]` moments."""

    weights: list[tuple[Vector, Fraction]]
    survival: list[int] = field(default_factory=lambda: [1])  # the start counts once
    log: list[Logged] = field(default_factory=list)
    epochs: list[Epoch] = field(default_factory=list)
    clean: bool = False
    repeated: int | None = None  # the first epoch whose last weights were an earlier epoch's, or the start's
    nearest: float = inf  # how close a margin came to deciding otherwise

    @property
    def w(self) -> Vector:
        return self.weights[-1][0]

    @property
    def b(self) -> Fraction:
        return self.weights[-1][1]

    @property
    def average(self) -> tuple[Vector, Fraction]:
        """The mean over the moments 0..T of the weights after t visits."""
        moments = list(zip(self.survival, self.weights, strict=True))
        total = sum(self.survival)
        w = tuple(sum((c * w[j] for c, (w, _) in moments), ZERO) / total for j in range(len(self.w)))
        return w, sum((c * b for c, (_, b) in moments), ZERO) / total


def vector(x: Sequence[Any]) -> Vector:
    return tuple(Fraction(v) for v in x)  # a float becomes the dyadic number it is


def dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), ZERO)


def norm2(w: Sequence[Fraction], b: Fraction, rho2: Fraction) -> Fraction:
    """||w'||^2 = ||w||^2 + b^2/rho^2."""
    return dot(w, w) + (b * b / rho2 if rho2 else ZERO)


def step_scale(schedule: str | Callable[[int], Any], eta: Fraction, k: int) -> Fraction:
    """eta_k of the k-th weight change; 1/sqrt(k) to forty digits, since it is irrational."""
    if callable(schedule):
        return eta * Fraction(schedule(k))
    if schedule == "1/sqrt(k)":
        return eta * Fraction(10**40, isqrt(k * 10**80))
    return eta * {"constant": ONE, "1/k": Fraction(1, k)}[schedule]


def median(values: Sequence[Fraction]) -> Fraction:
    """The middle one, or the mean of the two in the middle."""
    ordered, n = sorted(values), len(values)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def at(update: Update, w_norm2: Fraction, sum_tau: Fraction) -> Update:
    """The same, with all of theta but beta*||w'|| put into theta0."""
    if not update.share or not sum_tau:
        return update
    return replace(update, theta0=(update.theta0 or ZERO) + update.share * w_norm2 / sum_tau)


def absolute(update: Update, x_norm2: Sequence[Fraction]) -> Update:
    """The same, with theta0 as a number."""
    return replace(update, theta0=(update.theta0 or ZERO) * median(x_norm2)) if update.relative else update


def triggers(update: Update, m: Fraction, w_norm2: Fraction) -> bool:
    """Is m <= theta (or m < theta)?  beta*||w'|| is irrational, so non-negative sides are squared."""
    if update.theta0 is None:
        return True
    excess = m - update.theta0
    left, right = (excess * excess if excess > 0 else excess), update.beta**2 * w_norm2
    return left < right or (left == right and not update.strict)


def step(update: Update, m: Fraction, x_norm2: Fraction, w_norm2: Fraction, scale: Fraction) -> Fraction:
    """tau, or 0 where there is no update."""
    below = update.p * x_norm2 + update.q
    if below == 0 or not triggers(update, m, w_norm2):
        return ZERO
    tau = (update.e + update.g * m) / below
    return (tau if update.cap is None else min(update.cap, tau)) * (scale if update.scaled else ONE)


def weighted(update: Update, tau: Fraction, h: Fraction, m: Fraction, x_norm2: Fraction) -> Fraction:
    """h*tau; but of a rule that aims at a margin, no weight above 1 carries a row beyond it."""
    if update.g == 0 or h <= 1 or x_norm2 == 0:
        return h * tau
    reach = (update.e + update.g * m) / x_norm2
    return min(h * tau, max(tau, reach)) if tau > 0 else max(h * tau, min(tau, reach))


def nearness(update: Update, m: Fraction, w_norm2: Fraction) -> float:
    """How far m is from 0, theta and a zero step, relative to 1 + |m|; zero weights give m = 0 unrounded."""
    if w_norm2 == 0:
        return inf
    theta = inf if update.theta0 is None else float(update.theta0) + float(update.beta) * sqrt(w_norm2)
    still = inf if update.g == 0 else abs(float(update.e + update.g * m))
    return min(abs(float(m)), abs(float(m) - theta), still) / (1 + abs(float(m)))


def learn(
    rows: Sequence[Sequence[Any]],
    y: Sequence[int],
    *,
    update: Update,
    eta: Any = 1,
    schedule: str | Callable[[int], Any] = "constant",
    visits: Callable[[int], Sequence[int]] | None = None,
    batch_size: int | str = 1,
    rho2: Any = 1,
    start: tuple[Sequence[Any], Any] | None = None,
    max_epochs: int = 1000,
    sample_weight: Sequence[Any] | None = None,
    stop: bool = True,
) -> Trace:
    """Visit the rows `visits(epoch)` until an epoch is clean (if `stop`) or the budget is spent."""
    points, n, eta, rho2 = [vector(x) for x in rows], len(rows), Fraction(eta), Fraction(rho2)
    weight = [ONE] * n if sample_weight is None else list(vector(sample_weight))
    size = n if batch_size == "all" else int(batch_size)
    w, b = (vector(start[0]), Fraction(start[1])) if start else ((ZERO,) * len(points[0]), ZERO)
    x_norm2, w_norm2 = [dot(x, x) + rho2 for x in points], norm2(w, b, rho2)
    trace, seen, visit = Trace([(w, b)]), {(w, b)}, 0
    update, sum_tau = absolute(update, x_norm2), ZERO
    now = update
    while len(trace.epochs) < max_epochs and not (trace.clean and stop):
        trace.epochs.append(tally := Epoch())
        epoch = len(trace.epochs)
        pending: list[tuple[int, Fraction]] = []
        for place, i in enumerate(visits(epoch) if visits else range(n), 1):
            visit += 1
            change = len(trace.weights)  # the number of the change this batch would become
            m = int(y[i]) * (dot(w, points[i]) + b)
            tally.mistakes += m <= 0
            tally.perceptron_loss += max(-m, ZERO)
            tally.squared_loss += (1 - m) ** 2
            trace.nearest = min(trace.nearest, nearness(now, m, w_norm2))
            tau = step(now, m, x_norm2[i], w_norm2, step_scale(schedule, eta, change))
            tau = weighted(now, tau, weight[i], m, x_norm2[i])
            if tau != 0:
                tally.updates += 1
                pending.append((i, tau))
                trace.log.append(Logged(i, tau, visit, change))
            if pending and (place % size == 0 or place == n):  # the batch is full, or the epoch ends
                for j, t in pending:
                    w = tuple(a + t * int(y[j]) * v for a, v in zip(w, points[j], strict=True))
                    b += t * int(y[j]) * rho2
                sum_tau += sum((t for _, t in pending), ZERO)
                pending, w_norm2 = [], norm2(w, b, rho2)
                now = at(update, w_norm2, sum_tau)
                trace.weights.append((w, b))
                trace.survival.append(0)
            trace.survival[-1] += 1
        trace.clean = tally.updates == 0
        if trace.repeated is None and not trace.clean and (w, b) in seen:
            trace.repeated = epoch
        seen.add((w, b))
    return trace


def learn_ovr(rows: Sequence[Sequence[Any]], codes: Sequence[int], **how: Any) -> list[Trace]:
    """One against the rest: a binary run for each class; all go on until no one updates."""
    signs = [[1 if c == k else -1 for c in codes] for k in range(max(codes) + 1)]
    together = max(len(learn(rows, y, **how).epochs) for y in signs)
    return [learn(rows, y, **{**how, "max_epochs": together}, stop=False) for y in signs]


def learn_direct(
    rows: Sequence[Sequence[Any]],
    codes: Sequence[int],
    *,
    update: Update,
    rho2: Any = 1,
    visits: Callable[[int], Sequence[int]] | None = None,
    max_epochs: int = 1000,
) -> tuple[list[Vector], list[Epoch]]:
    """The direct multiclass rule, batch 1, eta 1: m = s_y - max of the others, the first of them on a tie.

    An update adds tau*x' to class y and takes it from its rival, so ||x'||^2 counts twice.
    Gives (w..., b) of each class, and the epochs' tallies.
    """
    rho2, outputs, d = Fraction(rho2), max(codes) + 1, len(rows[0])
    W = [(ZERO,) * (d + 1)] * outputs
    epochs: list[Epoch] = []
    update, sum_tau = absolute(update, [dot(x, x) + rho2 for x in map(vector, rows)]), ZERO
    while len(epochs) < max_epochs and not (epochs and epochs[-1].updates == 0):
        epochs.append(tally := Epoch())
        for i in visits(len(epochs)) if visits else range(len(rows)):
            x, own = vector(rows[i]), codes[i]
            scores = [dot(v[:d], x) + v[d] for v in W]
            rival = max((k for k in range(outputs) if k != own), key=lambda k: (scores[k], -k))
            m = scores[own] - scores[rival]
            frobenius2 = sum((norm2(v[:d], v[d], rho2) for v in W), ZERO)
            tau = step(at(update, frobenius2, sum_tau), m, 2 * (dot(x, x) + rho2), frobenius2, ONE)
            sum_tau += tau
            tally.mistakes += m <= 0
            tally.updates += tau != 0
            for k, sign in ((own, 1), (rival, -1)):
                W[k] = tuple(a + sign * tau * v for a, v in zip(W[k], (*x, rho2), strict=True))
    return W, epochs
