"""The audit of a run that bets (rules/coin.py): the wealth of every coordinate beside its floor, and so the regret.

With F the potential of rules/coin.py and M the largest |g| there is, every coordinate has E ≥ ε·F(G/M, θ/M) after every
update. A run with a log is played again, from its rows and nothing else, and the law checked at the updates on the way;
of a run without one the purses at its end are looked at. Where M was not known beforehand no law is claimed.

The hinge loss that the run met is Σ(1 − m) = Σh − Σ_j gain_j over its updates, h being the weights of their rows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.hyperplane import Hyperplane
from ..data.rows import matrix_of
from ..data.scans import chunk_matrices
from ..errors import InputError, LawBrokenError, plural
from ..report.plain import finite
from .bounds import broken_law
from .trajectory import Floats

if TYPE_CHECKING:
    from .run import Run

_ROUNDING = 1e-9  # relative, of a wealth: more than the sums of a run lose
_MOST = 200_000
"""Coordinates of which a run that is played again checks the law; beyond, at some updates, evenly spread."""

_lgamma = np.vectorize(math.lgamma, otypes=[np.float64])


def log_potential(spread: Floats, total: Floats) -> Floats:
    """Ln F(G, θ), in units of M.

    >>> np.exp(log_potential(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.0]))).round(12).tolist()
    [1.0, 1.0, 0.5]
    """
    a, b = (spread + 1 + total) / 2, (spread + 1 - total) / 2
    found: Floats = spread * math.log(2) + _lgamma(a) + _lgamma(b) - _lgamma(spread + 1) - math.log(math.pi)
    return found


@dataclass(frozen=True)
class CoinAudit:
    """The purses of a run that bets, beside the law of their wealth.

    updates, coordinates
        How many updates there were, and how many coordinates (of all outputs, offsets too) were told anything.
    checked
        At how many updates the law was checked on the way; 0 without a log, when only the end was.
    least_room
        The least wealth/floor that was seen: 1 or more, but for rounding. None where no law is claimed.
    hinge_loss, rival_loss
        What the run met on its way, and what the hyperplane loses on the same rows; None unless rows without weights
        were met in whole epochs, by one output or by all of `direct`.
    regret, regret_bound
        Their difference, and Σ(u_j·θ_j + ε − ε·F) that it is below.
    """

    updates: int
    coordinates: int
    checked: int
    claimed: bool
    least_room: float | None
    hinge_loss: float
    rival_loss: float | None
    regret: float | None
    regret_bound: float | None
    scaled: bool = False
    """Whether all this is in the space of the scaled rows, which the run learnt from."""

    def to_dict(self) -> dict[str, Any]:
        """It in plain values."""
        return {name: finite(value) if isinstance(value, float) else value for name, value in vars(self).items()}

    def summary(self) -> str:
        """The same in words, at most 80 characters wide."""
        of = " on scaled rows" if self.scaled else ""
        head = f"{plural(self.updates, 'update')}, {plural(self.coordinates, 'coordinate')} that bet{of}"
        lines = [head, f"hinge loss met on the way   {self.hinge_loss:.6g}"]
        if not self.claimed:
            return "\n".join([*lines, "no law is claimed: the largest entries were not known beforehand"])
        assert self.least_room is not None
        when = f"at {plural(self.checked, 'update')}" if self.checked else "at the end"
        lines.append(f"wealth, at least            {self.least_room:.6g} of its floor, {when}")
        if self.rival_loss is not None:
            lines.append(f"the hyperplane's loss       {self.rival_loss:.6g}")
            lines.append(f"regret                      {self.regret:.6g}, at most {self.regret_bound:.6g}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<CoinAudit\n{self.summary()}>"


def audit_coins(run: "Run", planes: Sequence[Hyperplane]) -> CoinAudit:
    """Check the law of every purse, and the regret against hyperplanes. Raises `LawBrokenError` if it is broken."""
    state, wealth = run.state, run.rule.update().coin
    parts = [getattr(state, f"coin_{name}") for name in ("sum", "spread", "gain", "largest")]
    if any(part is None for part in parts):
        raise InputError("the state has no purses to look at")
    total, spread, gain, largest = (np.append(W, b[None, :], axis=0) for W, b in parts)
    told = spread > 0
    claimed = state.conditions.get("largest") == "surveyed"
    loss = float(state.sum_tau.sum() - gain.sum())
    plain = int(told.sum())
    if not claimed:
        return CoinAudit(run.updates, plain, 0, False, None, loss, None, None, None)
    floor = np.full(total.shape, wealth)
    floor[told] = wealth * np.exp(
        np.minimum(700, log_potential(spread[told] / largest[told], total[told] / largest[told]))
    )
    room = float(((wealth + gain[told]) / floor[told]).min(initial=math.inf))
    checked, along = _played_again(run, wealth)
    room = min(room, along)
    if room < 1 - _ROUNDING:
        raise LawBrokenError(broken_law(f"of the purses is broken: a wealth is {room:.17g} of its floor"))
    weighted = state.conditions["weights_digest"] is not None  # and the weights are not kept
    if state.decision == "ovr" or weighted or state.epoch_rows or len(planes) != state.n_outputs:
        return CoinAudit(run.updates, plain, checked, True, room, loss, None, None, None)
    U = np.append(np.stack([plane.w for plane in planes], axis=1), [[plane.b for plane in planes]], axis=0)
    rival = run.epochs * _hinge(run, U)
    bound = float((U * total + wealth - floor).sum())
    if loss - rival > bound + _ROUNDING * (abs(loss) + abs(rival) + float(np.abs(U * total).sum())):
        raise LawBrokenError(broken_law(f"of the regret is broken: {loss - rival:.17g} > {bound:.17g}"))
    return CoinAudit(run.updates, plain, checked, True, room, loss, rival, loss - rival, bound)


def _hinge(run: "Run", U: Floats) -> float:
    """The hinge loss of hyperplanes on all rows."""
    total = 0.0
    for _, X, codes in chunk_matrices(run.learnt_rows):
        s = np.asarray(X @ U[:-1]) + U[-1]
        if s.shape[1] == 1:
            margin = s[:, 0] * codes
        else:
            own = s[np.arange(len(codes)), codes].copy()
            s[np.arange(len(codes)), codes] = -np.inf
            margin = own - s.max(axis=1)
        total += float(np.maximum(0, 1 - margin).sum())
    return total


def _played_again(run: "Run", wealth: float) -> tuple[int, float]:
    """At how many updates of the log the law was checked, and the least wealth/floor. The log must lead to the end."""
    log, source = run.log, run.learnt_rows
    if log is None or log.first or not len(log.row):
        return 0, math.inf
    d, K = run.state.weights.shape
    w, total, spread, gain = (np.zeros((d + 1, K)) for _ in range(4))
    assert run.state.coin_largest is not None
    largest = np.append(run.state.coin_largest[0], run.state.coin_largest[1][None, :], axis=0)
    offset = run.state.rho2 > 0
    every, least, checked = max(1, len(log.row) * min(d, 1000) // _MOST), math.inf, 0
    for first in range(0, len(log.row), 1000):
        rows = np.asarray(log.row[first : first + 1000])
        taken = source.gather(np.unique(rows))
        X, places = matrix_of(taken.rows), np.searchsorted(np.unique(rows), rows)
        for i, place in enumerate(places.tolist(), first):
            x = X[[place]].toarray()[0] if source.is_sparse else X[place]
            k, label = int(log.output[i]), int(taken.labels[place])
            y = label if K == 1 else 1 if label == k else -1
            g = float(log.step[i]) * y * np.append(x, float(offset))
            at = np.flatnonzero(g)
            gain[at, k] += g[at] * w[at, k]
            total[at, k] += g[at]
            spread[at, k] += np.abs(g[at])
            M = largest[at, k]
            w[at, k] = (wealth + gain[at, k]) * total[at, k] / (M * (spread[at, k] + M))
            if i % every == 0:
                floor = wealth * np.exp(np.minimum(700, log_potential(spread[at, k] / M, total[at, k] / M)))
                least = min(least, float(((wealth + gain[at, k]) / floor).min(initial=math.inf)))
                checked += 1
    away = np.abs(np.append(run.state.weights, run.state.offsets[None, :], axis=0) - w)
    if (away > 1e-9 * (np.abs(w) + 1e-300)).any():
        raise LawBrokenError(broken_law(f"of the log is broken: played again it ends {away.max():.3g} away"))
    return checked, least
