"""Why a run ends: an epoch is judged by what was met in it, and by the plateau and the budget behind it."""

import math
from collections.abc import Callable
from typing import Any

from ..data.scans import largest_square
from ..runs import status
from ..runs.status import Status
from .setup import Setup

_ROUNDING = 1e-9  # of what a weight is made of: an epoch that moves each by less does so by rounding


class Judge:
    """What is remembered from epoch to epoch: the plateau's best loss and its length, the least bound on the margin.

    `losses` are those of a row: one for each output that learns by itself. `error` gives the share of the rows that the
    average gets wrong; `next_move` by how much one more epoch would move a weight: both ask all rows, so they are asked
    only where they matter.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        losses: int,
        rho2: float,
        error: Callable[[], float],
        next_move: Callable[[], float],
    ) -> None:
        self.source, self.rule, parameters, self.plan = setup
        self.update = self.rule.update(**parameters)
        self.losses, self.rho2, self.error, self.next_move = losses, rho2, error, next_move
        self.best, self.stale, self.upper = math.inf, 0, math.inf

    def after_epoch(self, epoch: int, end: dict[str, Any]) -> Status | None:
        """Why the run ends with this epoch; None if it goes on."""
        # Of several outputs the one with the least room left is the one to wait for.
        self.upper = min(self.upper, *end["margin_upper"])
        plan, mistakes = self.plan, end["mistakes"]
        if end["updates"] == 0:
            return status.clean(epoch, mistakes)
        if end["repeats"] >= 0:
            always, since = self._always(), end["repeats"]
            moves = 0.0 if since == epoch - 1 else self.next_move() if always else math.inf
            if always and moves < _ROUNDING:
                return status.rest(epoch, since, moves, mistakes)
            return status.loop(epoch, since, mistakes, plan.readout, always)
        if plan.step_tol is not None and end["moved"] < plan.step_tol:
            return status.step(epoch, end["moved"], mistakes)
        if plan.tol is not None and self._plateau(end):
            if self._overshoots(end):
                return self._overshooting("plateau", epoch, end)
            return status.plateau(epoch, plan.patience, mistakes, plan.readout)
        return self.budget(epoch, end) if epoch >= plan.max_epochs else None

    def budget(self, epoch: int, end: dict[str, Any] | None) -> Status:
        """The epochs are spent, perhaps before the first of this run: then there is no `end` of one."""
        if end is None and epoch > self.plan.max_epochs:
            return status.spent(epoch, self.plan.max_epochs)
        if end is not None and self._overshoots(end):
            return self._overshooting("budget", epoch, end)
        slow, mistakes = self.plan.schedule == "1/k", end["mistakes"] if end is not None else None
        scaled = self.plan.scale != "none"
        spent = status.budget(epoch, mistakes, self.upper, self.update.beta, slow, self._always(), scaled)
        return status.gaining(spent) if end is not None and self.plan.tol is not None and self.stale == 0 else spent

    def non_finite(self, event: str, row: int | None, epoch: int, norm2: float, weighted: bool, learnt: bool) -> Status:
        """Numbers that leave float64, at a row of squared length `norm2`."""
        overshoots = self.rule.diverges and 0 < norm2 < math.inf
        safe = self._safe_eta() if self.rule.diverges else None
        return status.non_finite(event, row, epoch, weighted, learnt, overshoots, self.plan.batch_size != 1, safe)

    def _plateau(self, end: dict[str, Any]) -> bool:
        loss = self.error() if self.plan.readout == "averaged" else self._loss(end)
        self.stale = self.stale + 1 if loss >= self.best - float(self.plan.tol or 0) else 0
        self.best = min(self.best, loss)
        return self.stale >= self.plan.patience

    def _loss(self, end: dict[str, Any]) -> float:
        loss: float = end["squared" if self.rule.loss == "squared" else "criterion"] / self.source.n_rows
        return loss

    def _overshoots(self, end: dict[str, Any]) -> bool:
        """Whether the epoch's squared loss is above that of w = 0, where each row loses 1, and η not known as safe."""
        if not self.rule.diverges or not end["squared"] > end["rows"] * self.losses:
            return False
        safe = self._safe_eta()
        return safe is None or callable(self.plan.schedule) or self.plan.eta >= safe

    def _overshooting(self, name: str, epoch: int, end: dict[str, Any]) -> Status:
        loss, batches = end["squared"] / end["rows"], self.plan.batch_size != 1
        return status.overshooting(name, epoch, loss, batches, self._safe_eta())

    def _safe_eta(self) -> float | None:
        """2/R′², below which no step of the delta rule overshoots its row; None in batches, or if R′² overflows."""
        most, bad, _ = largest_square(self.source, self.plan.threads)
        size = most + self.rho2
        return 2 / size if self.plan.batch_size == 1 and bad < 0 and 1e-280 < size < 1e280 else None

    def _always(self) -> bool:
        """Whether the rule steps on every row, right or wrong."""
        return math.isinf(self.update.theta0)
