"""One update as vector addition: w + τ·y·x, in the plane that both lie in.

A row with m ≤ 0 makes an angle of at least 90° with w, seen as y·x. Adding it turns w towards it, and raises its margin
by exactly τ‖x‖² (law 7). Two vectors always lie in one plane: of more than two columns that plane is drawn, and
nothing in the picture is a projection.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...choices import count, number
from ...errors import InputError, shown
from ...runs.run import Run
from ..canvas import axes_of, display_name, figure_of, needs_matplotlib
from ..curves import Floats
from ..lettering import column_name, short
from ..lettering import count as counted
from .update_panel import draw_update

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class UpdateDisplay:
    """w, what is added to it, and what comes of it, with the boundary and the angle before and after.

    w_, move_, after_, x_
        The four vectors in the plane that is drawn.
    angles
        Between w and y·x in degrees, before and after; nan where one of them is 0.
    margins
        Of the row, before and after.

    >>> display = UpdateDisplay.from_vectors([3, -1], [-2, -2], 1)
    >>> display.after_.tolist(), display.margins, [round(angle) for angle in display.angles]
    ([1.0, -3.0], (-4.0, 4.0), [117, 63])
    """

    ax_: Any = None
    figure_: Any = None

    def __init__(
        self, w: Floats, x: Floats, y: int, step: float = 1.0, *, title: str = "One update", names: Any = None,
        what: str = "y·x",
    ):  # fmt: skip
        self.y, self.step, self.title, self.what = y, step, title, what
        move = step * y * x
        self.exact, basis = w.size <= 2, _basis(w, move)
        self.w_, self.move_, self.x_ = (_seen(v, basis) for v in (w, move, x))
        self.after_ = self.w_ + self.move_
        self.names = names
        with np.errstate(over="ignore", invalid="ignore"):
            self.margins = float(y * (w @ x)), float(y * ((w + move) @ x))
        self.angles = angle_between(self.w_, self.move_), angle_between(self.after_, self.move_)

    @classmethod
    def from_vectors(
        cls, w: Any, x: Any, y: int, eta: float = 1.0, *, names: Any = None, ax: Axes | None = None
    ) -> UpdateDisplay:
        """Of vectors as they are; append the offset's b/ρ to w and ρ to x where there is one."""
        needs_matplotlib()
        before, row = (np.asarray(v, dtype=np.float64).ravel() for v in (w, x))
        if before.size != row.size or not before.size or not np.isfinite(np.append(before, row)).all():
            raise InputError(f"w and x must be finite and of one length, not {before.size} and {row.size} numbers")
        if y not in (-1, 1):
            raise InputError(f"the label y must be −1 or +1, not {shown(y)}")
        labels = tuple(display_name(name) for name in names[:2]) if names is not None else ("first", "second")
        return cls(before, row, int(y), number("eta", eta), names=labels).plot(ax)

    @classmethod
    def from_run(cls, run: Run, update: int = 1, *, output: int | None = None, ax: Axes | None = None) -> UpdateDisplay:
        """Of a run with a log: its update of this number, from 1; of batches, the change of this number."""
        needs_matplotlib()
        path = run.trajectory(output)
        if path.start[1].size > 1:
            raise InputError("an update of direct multiclass moves two outputs: draw one-vs-rest, with output=")
        if not path.n_changes:
            raise InputError("this run made no update, so there is none to draw")
        k = count("update", update, most=path.n_changes)
        (W, b), at = path.weights(k - 1), np.flatnonzero(path.change == k)
        rho = math.sqrt(path.rho2)
        before = np.append(W[:, 0], b / rho) if rho else W[:, 0]
        rows = path.rows_at(path.row[at])
        rows = rows.toarray() if hasattr(rows, "toarray") else rows
        rows = np.column_stack([rows, np.full(len(rows), rho)]) if rho else rows
        y, step, what = int(path.sign[at[0]]), float(path.step[at[0]]), "y·x"
        title = f"Update {k:,} of {path.n_changes:,}: row {int(path.row[at[0]])}"
        row = rows[0]
        if at.size > 1:
            row, y, step, what = (path.step[at] * path.sign[at]) @ rows, 1, 1.0, "Σ τ·y·x"
            title = f"Change {k:,} of {path.n_changes:,}: a batch of {counted(at.size, 'update')}"
        title += ", scaled" if run.scaled else ""
        return cls(before, row, y, step, title=title, names=_names(run, rho), what=what).plot(ax)

    @property
    def subtitle(self) -> str:
        """The margin before and after, and in which plane all this is drawn."""
        parts = []
        if self.what == "y·x":
            before, after = (short(m, 4) for m in self.margins)
            parts.append(f"y = {self.y:+d}, margin m = {before} before, {after} after".replace("-", "−"))
        if not self.w_.any():
            parts.append("w = 0 has no direction yet")
        if not self.move_.any():
            parts.append("x = 0 moves nothing")
        elif not self.after_.any():
            parts.append("it ends at 0")
        if not self.exact:
            other = "x" if self.what == "y·x" else "the sum"
            parts.append(f"the plane of w and {other}: both lie in it")
        return "; ".join(parts)

    @property
    def letters(self) -> str:
        """What is added, in short."""
        return self.what if self.step == 1 else f"τ·{self.what}"

    @property
    def added(self) -> str:
        """The same, with the size of the step."""
        return self.what if self.step == 1 else f"{self.letters}, τ = {short(self.step)}"

    def plot(self, ax: Axes | None = None) -> UpdateDisplay:
        """Draw it, on these axes or on a figure of its own."""
        self.ax_ = ax = axes_of(ax, 6.4, 6.6)
        self.figure_ = figure_of(ax)
        draw_update(ax, self)
        return self


def angle_between(one: Floats, other: Floats) -> float:
    """In degrees; nan where one of them is 0."""
    if not (one.any() and other.any()):
        return math.nan
    (a, b), (c, d) = one / np.abs(one).max(), other / np.abs(other).max()
    return math.degrees(abs(math.atan2(a * d - b * c, a * c + b * d)))


def _basis(w: Floats, move: Floats) -> Floats | None:
    """Two orthonormal vectors that w and what is added to it lie in; None where there are no others."""
    if w.size <= 2:
        return None
    first = _unit(w if w.any() else move)
    rest = move / (float(np.abs(move).max()) or 1.0)
    for _ in range(2):  # twice is enough
        rest = rest - (rest @ first) * first
    across = rest if np.linalg.norm(rest) > 1e-12 else np.zeros(w.size)
    return np.stack([first, _unit(across)])


def _seen(v: Floats, basis: Floats | None) -> Floats:
    if basis is not None:
        return basis @ v
    return v.copy() if v.size == 2 else np.append(v, 0.0)


def _unit(v: Floats) -> Floats:
    big = float(np.abs(v).max(initial=0.0))
    return v if big == 0 else v / big / np.linalg.norm(v / big)


def _names(run: Run, rho: float) -> tuple[str, str]:
    """What the two axes are."""
    d, given = run.source.n_columns, run.source.feature_names
    if d == 1:
        name = "weight w, row x" if given is None else column_name(given, 0)
        return name, f"offset b/ρ, row ρ = {short(rho)}" if rho else ""
    return column_name(given, 0), column_name(given, 1)
