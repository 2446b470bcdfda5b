"""Mistakes per epoch: how soon a run came clean, or that it never did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...runs.history import History
from ...runs.run import Run
from ..canvas import ACCENT, FAINT, INK, POSITIVE, axes_of, figure_of
from ..curves import Ints, thinned
from ..lettering import count as counted
from ..lettering import head, note
from ..placing import fit
from .ending import ending

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 40
THOUSANDS = "{x:,.0f}"
DECADES = 100  # from the fewest to the most mistakes: beyond it a linear scale hides the fewest


class MistakesDisplay:
    """Mistakes (rows met with m ≤ 0) of each epoch, and how many there had been in all.

    >>> from rosenblatt import datasets, learn
    >>> display = MistakesDisplay.from_run(learn(*datasets.get("four-on-a-line")))
    >>> [int(bar.get_height()) for bar in display.bars_][-3:], display.subtitle
    ([3, 1, 0], 'clean: epoch 11 made no update; 25 updates in all')
    """

    bars_: Any = None
    """The bars, of few epochs;"""
    line_: Any = None
    """the line, of many."""
    total_line_: Any = None
    """The thin line of all mistakes so far, on an axis of its own."""
    clean_: Any = None
    """The mark of the clean epoch."""
    ax_: Any = None
    figure_: Any = None

    def __init__(self, epoch: Ints, mistakes: Ints, *, subtitle: str = "", clean: bool = False, outputs: int = 1):
        self.epoch, self.mistakes = np.asarray(epoch), np.asarray(mistakes)
        self.subtitle, self.clean, self.outputs = subtitle, clean, outputs

    @classmethod
    def from_run(cls, run: Run, *, ax: Axes | None = None) -> MistakesDisplay:
        """Of a run, with how it ended."""
        subtitle = f"{ending(run.status)}; {counted(run.updates, 'update')} in all"
        outputs = run.state.n_outputs if run.state.decision == "ovr" else 1
        history = run.history
        return cls(
            history.epoch, history.mistakes, subtitle=subtitle, clean=run.status.name == "clean", outputs=outputs
        ).plot(ax)  # fmt: skip

    @classmethod
    def from_history(cls, history: History, *, ax: Axes | None = None) -> MistakesDisplay:
        """Of a history alone, which does not say why it ended."""
        clean = len(history) > 0 and int(history.updates[-1]) == 0
        updates = counted(int(history.updates.sum()), "update")
        subtitle = f"{counted(len(history), 'epoch')}, {updates}" + (", the last epoch clean" if clean else "")
        return cls(history.epoch, history.mistakes, subtitle=subtitle, clean=clean).plot(ax)

    def plot(self, ax: Axes | None = None) -> MistakesDisplay:
        """Draw it, on these axes or on a figure of its own."""
        self.ax_ = ax = axes_of(ax)
        self.figure_ = figure_of(ax)
        self.bars_ = self.line_ = self.total_line_ = self.clean_ = None
        if not self.epoch.size:
            head(ax, "Mistakes per epoch", self.subtitle)
            ax.set_axis_off()
            note(ax, "no epoch was finished")
            return self
        if self.epoch.size <= MOST_BARS:
            self.bars_ = ax.bar(self.epoch, self.mistakes, width=0.7, color=POSITIVE, alpha=0.7)
        else:
            at = thinned(self.mistakes)
            (self.line_,) = ax.plot(self.epoch[at], self.mistakes[at], color=POSITIVE, linewidth=1.2)
            ax.fill_between(self.epoch[at], self.mistakes[at], color=POSITIVE, alpha=0.15, linewidth=0)
        self._scale(ax)
        if self.clean:
            self._mark_clean(ax)
        if self.epoch.size > 2 and self.mistakes.any():
            self._draw_total(ax)
        head(ax, "Mistakes per epoch", self.subtitle)
        fit(ax)
        return self

    def _scale(self, ax: Axes) -> None:
        """Whole numbers on both axes; a log scale where a linear one would hide the few."""
        from matplotlib.ticker import MaxNLocator

        label = "mistakes (m ≤ 0)" + (f", {self.outputs} outputs summed" if self.outputs > 1 else "")
        found, room = self.mistakes[self.mistakes > 0], 1.12
        if found.size and found.max() >= DECADES * found.min():
            ax.set_yscale("symlog", linthresh=1, linscale=0.4)
            ax.yaxis.set_major_formatter(THOUSANDS)
            label, room = f"{label}, log scale above 1", 1.8
        else:
            ax.yaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
            ax.yaxis.set_major_formatter(THOUSANDS)
        if self.epoch.size <= 15:
            ax.set_xticks(self.epoch)
        else:
            ax.xaxis.set_major_locator(MaxNLocator(10, integer=True, min_n_ticks=1))
            ax.xaxis.set_major_formatter(THOUSANDS)
        # Two epochs are not to fill the whole width.
        half = max(0.6, (6 - self.epoch.size) / 2) if self.bars_ is not None else 0.01 * self.epoch.size
        ax.set_xlim(self.epoch[0] - half, self.epoch[-1] + half)
        ax.set_ylim(0, max(1.0, float(self.mistakes.max()) * room))
        ax.set(xlabel="epoch", ylabel=label)
        ax.yaxis.label.set_color(POSITIVE)
        ax.spines["top"].set_visible(False)

    def _mark_clean(self, ax: Axes) -> None:
        """A mark where nothing moved any more: a bar of height 0 is not seen."""
        at, bars = (int(self.epoch[-1]), int(self.mistakes[-1])), self.bars_ is not None
        (self.clean_,) = ax.plot(*at, "D", color=ACCENT, markersize=7, clip_on=False, zorder=5)
        ax.annotate(
            "clean", at, xytext=(0, 9 if bars else 14), textcoords="offset points", ha="center" if bars else "right",
            color=ACCENT, fontsize=9, fontweight="bold", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip

    def _draw_total(self, ax: Axes) -> None:
        """The mistakes so far, thin and with an axis at the right: it is what a bound speaks of."""
        from matplotlib.ticker import MaxNLocator

        totals = np.cumsum(self.mistakes)
        at = thinned(totals)
        beside = _beside(ax)
        (self.total_line_,) = beside.plot(
            self.epoch[at], totals[at], color=INK, linewidth=1, marker="." if at.size <= MOST_BARS else "", zorder=4
        )
        beside.set_ylim(0, float(totals[-1]) * 1.12)
        beside.yaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
        beside.yaxis.set_major_formatter(THOUSANDS)
        beside.set_ylabel(f"so far (thin line): {totals[-1]:,} in all", color=INK)
        beside.spines["top"].set_visible(False)
        beside.spines["right"].set_color(FAINT)


def _beside(ax: Axes) -> Any:
    """The axis at the right, which is the same one when these axes are drawn on again."""
    place = ax.get_position(original=True).bounds
    for other in figure_of(ax).axes:
        if other.get_label() == "so far" and other.get_position(original=True).bounds == place:
            return other
    made = ax.twinx()
    made.set_label("so far")
    return made
