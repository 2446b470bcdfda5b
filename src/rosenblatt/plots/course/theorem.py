"""The convergence theorem, live: the laws of docs/theory.md along a run, both sides of each.

Novikoff's proof is a squeeze: each update adds at least ηγ′ to w′·u, and at most η²R′² to ‖w′‖². So η·k·γ′ ≤ w′·u ≤
‖w′‖ ≤ η·√k·R′, a line under a root, and they cross at k = (R′/γ′)²: no run goes beyond. Where a law forbids the curve,
the panel is shaded; where a law does not apply, the panel says why.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...choices import one_of
from ...data.hyperplane import Hyperplane
from ...errors import InputError
from ...runs.audit import Audit
from ...runs.coins import CoinAudit
from ...runs.run import Run
from ..canvas import INK, axes_of, figure_of
from ..lettering import count as counted
from ..lettering import short
from ..placing import axes_for, fit, is_several
from .theorem_panels import PANELS


class TheoremDisplay:
    """Both sides of each law at every update: the squeeze on k, progress, length and angle.

    >>> from rosenblatt import datasets, learn, max_margin
    >>> X, y = datasets.get("four-on-a-line")
    >>> display = TheoremDisplay.from_run(learn(X, y, log=True), max_margin(X, y, offset=1))
    >>> display.panels, display.subtitle
    (('updates', 'progress', 'norm', 'cosine'), 'k = 25 updates, γ′ = 0.186, R′ = 4.12: at most (R′/γ′)² = 493')
    """

    panels: tuple[str, ...] = ()
    """The panels that were drawn last,"""
    axes_: Any = None
    """their axes,"""
    ax_: Any = None
    """the first of these,"""
    figure_: Any = None
    """and the figure."""

    def __init__(self, audit: Audit):
        self.audit = audit

    @classmethod
    def from_audit(cls, audit: Audit | CoinAudit, *, ax: Any = None, panel: str | None = None) -> TheoremDisplay:
        """Of an audit, `run.audit(hyperplane)`; on `ax`, one axes for one panel or an array of four for all."""
        if isinstance(audit, CoinAudit):
            raise InputError("a rule that bets has other laws than the theorem's: see the audit itself")
        return cls(audit).plot(ax, panel=panel)

    @classmethod
    def from_run(
        cls, run: Run, best: Any, *, output: int | None = None, ax: Any = None, panel: str | None = None
    ) -> TheoremDisplay:
        """Of a run with a log, against `max_margin(X, y, offset=ρ)` or a hyperplane (of direct multiclass, all)."""
        plane = best
        if not isinstance(best, (Hyperplane, list, tuple)):
            plane = getattr(best, "hyperplane", None)
            if not isinstance(plane, Hyperplane):
                why = f": {best.status}" if hasattr(best, "status") else ""
                raise InputError(f"the theorem needs a separating hyperplane, or max_margin(X, y, offset=...){why}")
        found = run.audit(plane, output)
        if isinstance(found, CoinAudit):
            raise InputError(f"rule {run.rule.name!r} has other laws than the theorem's: see run.audit")
        return cls.from_audit(found, ax=ax, panel=panel)

    @property
    def subtitle(self) -> str:
        """What the run came to, and the bound on it where there is one."""
        a, check = self.audit, self.audit.checks[0] if self.audit.checks else None
        said = f"k = {counted(int(a.updates[-1]), 'update')}, γ′ = {short(a.margin)}, R′ = {short(a.radius)}"
        if check is None or check.bound is None:
            return said
        name = "(R′/γ′)² = " if check.law == "1" else ""
        what = "" if check.quantity == "updates" else f" {check.quantity}"
        return f"{said}: at most {name}{short(float(np.floor(check.bound)), 4)}{what}"

    def plot(self, ax: Any = None, *, panel: str | None = None) -> TheoremDisplay:
        """Draw one `panel` (updates, progress, norm, cosine), or all four, on `ax` or on a figure of their own."""
        if panel is not None or (ax is not None and not is_several(ax)):
            self.panels = (one_of("panel", panel or "updates", tuple(PANELS)),)
            drawn = axes_for(ax, self.panels, 0, 0, (1, 1)) if ax is not None else [axes_of(None)]
        else:
            self.panels = tuple(PANELS)
            drawn = axes_for(ax, self.panels, 9.6, 7.6, (2, 2))
        self.axes_ = np.array(drawn, dtype=object)
        self.ax_ = drawn[0]
        self.figure_ = figure_of(self.ax_)
        if ax is None and len(drawn) > 1:
            said = "The convergence theorem, update by update\n" + self.subtitle
            self.figure_.suptitle(said, fontsize=12, color=INK)
        for name, one in zip(self.panels, drawn, strict=True):
            PANELS[name](one, self.audit)
            fit(one)
        return self
