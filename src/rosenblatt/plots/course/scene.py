"""The scene of an animation: rows, the line, the arrow w and a counter, drawn anew for each frame."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.hyperplane import length_of
from ...runs.run import Run
from ..canvas import (
    ACCENT,
    INK,
    MANY,
    NEGATIVE,
    NEGATIVE_MARK,
    POSITIVE,
    POSITIVE_MARK,
    THIRD,
    new_figure,
)
from ..curves import Floats, divided, power_of, unit_of
from ..lettering import class_name, column_name
from .ending import ending

if TYPE_CHECKING:
    from .animation import Frame

DPI = 90
WIDTH = 62  # characters of a line of the counter


class Scene:
    """A figure whose moving parts are set for one frame after another."""

    def __init__(self, run: Run, frames: list[Frame]):
        self.run, self.frames, self.path = run, frames, run.trajectory()
        n = run.source.n_rows
        self.step = -(-n // MANY)
        numbers = np.arange(0, n, self.step)
        rows, labels = self._rows(numbers), run.source.labels_of(numbers)
        self.power = power_of(rows)
        rows = divided(rows, self.power)
        self.flat = run.source.n_columns == 1
        # Inches from the paper's edge, the same in every frame, so that nothing jumps.
        width, height = 5.6, 3.6 if self.flat else 6.5
        self.figure = new_figure(width, height)
        self.figure.set_layout_engine("none")
        self.figure.set_dpi(DPI)
        self.ax = self.figure.add_axes((0.75 / width, 0.85 / height, 4.7 / width, (height - 1.8) / height))
        self._frame_axes(rows)
        self._draw_rows(rows, labels)
        self._prepare()

    def _rows(self, numbers: Any) -> Floats:
        """Rows by number, as points of the plane."""
        table = self.path.rows_at(numbers)
        table = table.toarray() if hasattr(table, "toarray") else table
        return table if table.shape[1] == 2 else np.column_stack([table, np.zeros(len(table))])

    def _frame_axes(self, rows: Floats) -> None:
        """Square axes around all rows and the origin, so that w stands at right angles to its line."""
        points = np.vstack([rows, np.zeros((1, 2))])
        low, high = points.min(axis=0), points.max(axis=0)
        self.half = 0.62 * (float((high - low).max()) or 1.0)
        self.middle = (low + high) / 2
        (x, y), half = self.middle, self.half
        self.tall = 0.4 * half if self.flat else half
        self.ax.set(xlim=(x - half, x + half), ylim=(y - self.tall, y + self.tall), aspect="equal")
        names = self.run.source.feature_names
        scaled = ", scaled" if self.run.scaled else ""
        labels = [f"{column_name(names, j)}{scaled}" for j in range(self.run.source.n_columns)]
        self.ax.set_xlabel(labels[0] + unit_of(self.power))
        if self.flat:
            self.ax.set_yticks([])
        else:
            self.ax.set_ylabel(labels[1] + unit_of(self.power))

    def _draw_rows(self, rows: Floats, labels: Any) -> None:
        """The classes: × and o."""
        size = 9 if len(rows) <= 60 else 4 if len(rows) <= 500 else 2.5
        for sign, colour, mark in ((1, POSITIVE, POSITIVE_MARK), (-1, NEGATIVE, NEGATIVE_MARK)):
            at = rows[labels == sign]
            name = class_name(1 if sign > 0 else 0, self.run.classes)
            if len(at):
                self.ax.plot(
                    at[:, 0], at[:, 1], mark, color=colour, markersize=size, markeredgewidth=2 if size > 5 else 1,
                    markerfacecolor="white" if size > 5 else colour, linestyle="", label=name, zorder=3,
                )  # fmt: skip

    def _prepare(self) -> None:
        """What moves, and the words that change."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        ax = self.ax
        (self.line,) = ax.plot([], [], color=INK, linewidth=2, label="line", zorder=2)
        (self.ring,) = ax.plot(
            [], [], "o", markersize=19, markerfacecolor="none", markeredgecolor=THIRD, markeredgewidth=2.5,
            linestyle="", label="row of the update", zorder=4,
        )  # fmt: skip
        self.sides = [ax.fill([0], [0], color=colour, alpha=0.1, linewidth=0, zorder=0)[0] for colour in
                      (POSITIVE, NEGATIVE)]  # fmt: skip
        self.arrow = ax.annotate(
            "", (0, 0), (0, 0), zorder=5,
            arrowprops={"arrowstyle": "-|>", "color": ACCENT, "linewidth": 2.5, "mutation_scale": 18, "shrinkA": 0,
                        "shrinkB": 0},
        )  # fmt: skip
        ax.plot([], [], color=ACCENT, linewidth=2.5, label="w (its own scale)")
        title = self.title()
        ax.set_title(
            title, loc="left", fontsize=min(12, 4.7 * 72 / (0.66 * len(title))), fontweight="bold", color=INK, pad=49
        )
        self.counter = ax.annotate(
            "", (0, 1), xytext=(0, 47), xycoords="axes fraction", textcoords="offset points", fontsize=10, color=INK,
            va="top", linespacing=1.3,
        )  # fmt: skip
        handles, labels = ax.get_legend_handles_labels()
        small = dict(zip(labels, handles, strict=True)) | {"row of the update": _small(self.ring)}
        self.figure.legend(
            list(small.values()), list(small), loc="lower center", ncols=5, fontsize=9, frameon=False,
            columnspacing=1, handletextpad=0.4,
        )  # fmt: skip
        for artist in (*self.sides, self.line, self.ring, self.arrow, self.counter):
            artist.set_animated(True)
        canvas: Any = FigureCanvasAgg
        self._canvas = canvas(self.figure)
        self._canvas.draw()
        self._still = self._canvas.copy_from_bbox(self.figure.bbox)
        self.longest = max((length_of(frame.w) for frame in self.frames), default=0.0)

    def image(self, k: int) -> Any:
        """Frame k as an array (height, width, 3). What stands still is drawn once."""
        canvas = self._canvas
        self.show(k)
        canvas.restore_region(self._still)
        for artist in (*self.sides, self.line, self.ring, self.arrow, self.counter):
            self.figure.draw_artist(artist)
        return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()

    def show(self, k: int) -> None:
        """Set everything that moves."""
        frame = self.frames[k]
        self.counter.set_text("\n".join(self.words(k)))
        if frame.row is None:
            self.ring.set_data([], [])
        else:
            x, y = divided(self._rows(np.array([frame.row])), self.power)[0]
            self.ring.set_data([x], [y])
        self._show_line(frame)

    def _show_line(self, frame: Frame) -> None:
        """The line w·x + b = 0, its two sides, and w at right angles to it; nothing where w = 0."""
        size = length_of(frame.w)
        if not (0 < size < np.inf):
            self.line.set_data([], [])
            self.arrow.set_visible(False)
            for side in self.sides:
                side.set_xy(np.zeros((1, 2)))
            return
        unit = np.append(frame.w, 0.0)[:2] / size
        away = float(divided(frame.b / size, self.power))  # unit·x + away = 0
        foot = self.middle - (unit @ self.middle + away) * unit
        if self.flat:
            foot[1] = 0.0
        along = np.array([-unit[1], unit[0]]) * 4 * self.half
        self.line.set_data(*np.stack([foot - along, foot + along]).T)
        for side, sign in zip(self.sides, (1, -1), strict=True):
            far = foot + sign * unit * 9 * self.half
            side.set_xy(np.stack([foot - along, foot + along, far + along, far - along]))
        tip = foot + unit * self.half * (0.15 + 0.4 * size / self.longest)
        self.arrow.xy = tuple(tip)
        self.arrow.set_position(tuple(foot))
        self.arrow.set_visible(bool((np.abs(foot - self.middle) < 1.2 * self.half).all()))

    def words(self, k: int) -> list[str]:
        """The counter, and what is to be said of this frame."""
        frame, last = self.frames[k], k == len(self.frames) - 1
        if last:  # the run went on for a while after its last update: what is said is how it stood at its end
            met = max(self.path.visited, frame.round)
            epoch = max(1, -(-met // self.run.source.n_rows))
            first = f"round {met:,} (epoch {epoch:,}, the end), mistakes {frame.mistakes:,}"
            return [first, *textwrap.wrap(ending(self.run.status), WIDTH)[:2]]
        first = f"round {frame.round:,} (epoch {frame.epoch:,}), mistakes {frame.mistakes:,}"
        if not frame.w.any():
            return [first, "w = 0: no line yet"]
        if frame.row is None:
            return [first, ""]
        return [first, f"row {frame.row} moved w" if self.path.row_by_row else f"row {frame.row} ends a batch"]

    def title(self) -> str:
        """Whose run it is, and what is left out."""
        stride = self.frames[1].change - self.frames[0].change if len(self.frames) > 1 else 1
        said = f"The {self.run.rule.name} rule"
        if stride > 1:
            said += f", every {_ordinal(stride)} update"
        return said + (f", every {_ordinal(self.step)} row" if self.step > 1 else "")


def _small(line: Any) -> Any:
    """A mark like this one, of a size that fits a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], marker="o", linestyle="", markerfacecolor="none", markeredgecolor=line.get_markeredgecolor(),
        markersize=9, markeredgewidth=2,
    )  # fmt: skip


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"
