"""The four panels of the convergence theorem: each draws one law, its curve, and where it forbids the curve."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...runs.audit import Audit
from ...runs.bounds import LawCheck
from ..canvas import INK, NEGATIVE, POSITIVE
from ..curves import Floats, divided, finite, power_of, thinned, unit_of
from ..lettering import count as counted
from ..lettering import head, short
from ..placing import legend_inside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORBIDDEN: dict[str, Any] = {"color": NEGATIVE, "alpha": 0.13, "linewidth": 0, "zorder": 0}
SHADED = "where no curve can be"
TINY = 0.1  # cosines below are not told from 0 on axes up to 1
WIDE = 50  # a bound beyond this asks for log scales
MARKED = 40  # so many points are marked one by one


def draw_updates(ax: Axes, audit: Audit) -> None:
    """Law 1: ‖w′‖ between η·k·γ′ and η·√k·R′, which cross at the bound; of other rules k against their bound."""
    k, gamma, radius = audit.updates, audit.margin, audit.radius
    if k[-1] > 0 and gamma > 0 and np.isfinite(audit.cosine_floor).all():
        eta = float(audit.progress_floor[-1]) / (gamma * float(k[-1]))
        if 0 < eta < math.inf and (radius / gamma) < 1e150:
            _squeeze(ax, audit, eta)
            return
    law = audit.checks[0] if audit.checks else LawCheck("1", "updates", float(k[-1]), None, why="none was asked for")
    at = thinned(k)
    ax.plot(at, k[at], color=POSITIVE, marker=_marker(at), label="k")
    ax.set(xlabel="weight changes", ylabel="updates k")
    ax.set_xlim(-0.02 * max(1, k.size - 1), 1.02 * max(1, k.size - 1))
    whole_numbers(ax.xaxis)
    head(ax, "Updates", _against(law))
    if law.bound is not None and law.quantity == "updates" and law.bound < 1e300:
        if law.bound > WIDE * max(1, int(k[-1])):
            ax.set_yscale("symlog", linthresh=1)
        ax.axhline(law.bound, color=NEGATIVE, linestyle="--", label=f"at most {short(math.floor(law.bound), 4)}")
        ax.axhspan(law.bound, law.bound * 1e3, **FORBIDDEN, label=SHADED)
        ax.set_ylim(0, law.bound * (1.25 if ax.get_yscale() == "linear" else 10))
    else:
        whole_numbers(ax.yaxis)
    remarks = [f"no bound: {_why(law.why)}"] if law.bound is None else []
    legend_inside(ax, *remarks, *([] if k[-1] else ["no update was made"]))


def _squeeze(ax: Axes, audit: Audit, eta: float) -> None:
    """Novikoff's picture, up to where the line meets the root."""
    gamma, radius = audit.margin, audit.radius
    bound = (radius / gamma) ** 2
    wide = bound > WIDE
    end = bound**1.08 * 1.3 if wide else bound * 1.2
    grid = np.geomspace(1, end, 400) if wide else np.linspace(0, end, 400)
    k, length = audit.updates.astype(np.float64), np.sqrt(audit.norm2)
    largest = eta * radius * math.sqrt(end)
    power = 0 if wide and 1e-6 < largest < 1e20 else power_of(largest, eta * gamma)  # log scales say it themselves
    line, root, length = (divided(part, power) for part in (eta * gamma * grid, eta * radius * np.sqrt(grid), length))
    at = thinned(length)
    at = at[k[at] > 0] if wide else at
    ax.fill_between(grid, line, line[0] * 1e-3 if wide else 0, **FORBIDDEN, label=SHADED)
    ax.fill_between(grid, root, root[-1] * 1e3 if wide else root[-1] * 9, **FORBIDDEN)
    ax.plot(grid, line, color=NEGATIVE, linestyle="--", linewidth=1.2, label="η·k·γ′, the floor")
    ax.plot(grid, root, color=NEGATIVE, linestyle="-", linewidth=1.2, label="η·√k·R′, the ceiling")
    ax.plot(k[at], length[at], color=POSITIVE, linewidth=1.8, marker=_marker(at), label="‖w′‖")
    ax.plot(k[-1], length[-1], "o", color=POSITIVE, markersize=6)
    ax.axvline(bound, color=INK, linestyle=":", linewidth=1)
    if wide:
        ax.set(xscale="log", yscale="log", xlim=(0.8, end), ylim=(line[0] * 0.8, root[-1] * 2))
    else:
        ax.set(xlim=(0, end), ylim=(0, root[-1] * 1.12))
    ax.set(xlabel="updates k" + (" (log scales)" if wide else ""), ylabel=f"‖w′‖{unit_of(power)}")
    head(ax, "The squeeze", f"k = {int(k[-1]):,}; the two meet at (R′/γ′)² = {short(bound, 5)}")
    legend_inside(ax, loc="upper left" if wide else "lower right")


def draw_progress(ax: Axes, audit: Audit) -> None:
    """Master law (a): u·(w′ − w′₀) ≥ γ′·Στ."""
    reason = "law (a) is about steps τ ≥ 0, and some are negative"
    legend_inside(
        ax, *_two_sides(ax, audit, audit.progress, audit.progress_floor, "u·(w′ − w′₀)", "γ′·Στ", reason, above=True)
    )
    head(ax, "Progress along u", "an update adds at least τ·γ′")


def draw_norm(ax: Axes, audit: Audit) -> None:
    """Master law (b): ‖w′‖² ≤ ‖w′₀‖² + Σ(2τθ + τ²‖x′‖²); of the perceptron also ≤ η²·k·R′²."""
    reason = "law (b) is about steps τ ≥ 0, and some are negative"
    name = "‖w′₀‖² + Σ(2τθ + τ²‖x′‖²)" if audit.norm2[0] > 0 else "Σ(2τθ + τ²‖x′‖²)"
    extra = None
    k = audit.updates
    if k[-1] > 0 and audit.margin != 0 and np.isfinite(audit.cosine_floor).all():
        eta = float(audit.progress_floor[-1]) / (audit.margin * float(k[-1]))
        name, extra = "Σ η²‖x′‖²", finite((eta * audit.radius) ** 2 * k)
    legend_inside(
        ax, *_two_sides(ax, audit, audit.norm2, audit.norm2_ceiling, "‖w′‖²", name, reason, above=False, extra=extra)
    )
    said = "an update, a mistake, adds at most η²‖x′‖²" if extra is not None else "an update, m ≤ θ, adds 2τm + τ²‖x′‖²"
    head(ax, "Squared length", said)


def draw_cosine(ax: Axes, audit: Audit) -> None:
    """Law 3: cos(w′, u) ≥ √k·γ′/R′."""
    law = next((check for check in audit.checks if check.law == "3"), None)
    why = law.why if law is not None and law.why else "it is the perceptron's, from zero, row by row"
    reason = f"{_why(why)} (law 3)"
    tiny = float(np.nanmax(np.abs(finite(audit.cosine)), initial=0.0)) < TINY
    remarks = _two_sides(
        ax, audit, audit.cosine, audit.cosine_floor, "cos(w′, u)", "√k·γ′/R′", reason, above=True, scaled=False
    )
    last = finite(audit.cosine)[-1]
    said = "w′ = 0 at the end" if math.isnan(last) else f"{_degrees(last)} from u at the end"
    if tiny and not math.isnan(last):
        said += f", a cosine of {short(last)}"
    head(ax, "Angle", said)
    if tiny and audit.updates[-1] > 0:
        _magnify(ax, audit)
    else:
        low = np.nanmin(np.append(finite(audit.cosine), 0.0))
        ax.axhline(1, color=INK, linewidth=0.8, linestyle=":")
        ax.set_ylim(min(-0.04, low - 0.08), 1.08)
    legend_inside(ax, *remarks)


def _magnify(ax: Axes, audit: Audit) -> None:
    """Cosines that are tiny: by decades where all are above 0, else with the ends of the axis near them."""
    sides = np.append(audit.cosine[1:], audit.cosine_floor[1:])
    sides = sides[np.isfinite(sides)]
    if sides.size and float(sides.min()) > 0:
        ax.set_yscale("log")
        ax.set_ylim(float(sides.min()) / 2, float(sides.max()) * 4)
        ax.set_ylabel("cos(w′, u), log scale")
    else:
        ax.yaxis.set_major_formatter(lambda value, _: short(value, 2))
        ax.set_ylabel("cos(w′, u), magnified: 1 is far above")


def _two_sides(
    ax: Axes, audit: Audit, curve: Floats, law: Floats, name: str, law_name: str, why: str, *, above: bool,
    extra: Floats | None = None, scaled: bool = True,
) -> list[str]:  # fmt: skip
    """A curve over its floor, or under its ceiling, against k; what is to be said about it."""
    others = [] if extra is None else [extra]
    power = power_of(curve, law, *others) if scaled else 0
    curve, law, *others = (divided(part, power) for part in (curve, law, *others))
    k = audit.updates
    at = thinned(curve, law)
    ax.plot(k[at], curve[at], color=POSITIVE, linewidth=1.8, marker=_marker(at), label=name)
    ax.set(xlabel="updates k", ylabel=f"{name}{unit_of(power)}")
    ax.set_xlim(-0.02 * max(1, k[-1]), max(1.0, 1.02 * float(k[-1])))
    applies = np.isfinite(law).any()
    both = np.isfinite(curve) & np.isfinite(law)
    if applies and k[-1] > 0 and both.any() and np.allclose(curve[both], law[both], rtol=1e-9, atol=0):
        # One on the other: the law is the broad band below, so that both are seen.
        ax.plot(k[at], law[at], color=NEGATIVE, linewidth=6, alpha=0.4, zorder=1, label=f"{law_name}, equal")
    elif applies:
        ax.plot(k[at], law[at], color=NEGATIVE, linestyle="--", linewidth=1.2, label=law_name)
    if applies:
        for other in others:
            ax.plot(k[at], other[at], color=NEGATIVE, linestyle=":", linewidth=1.2, label="η²·k·R′²")
    low, high = _span(curve, law, *others)
    room = 0.06 * (high - low) or abs(high) * 0.1 or 1.0
    ax.set_ylim(low - room, high + room)
    if applies and k[-1] > 0:
        far = low - 99 * room if above else high + 99 * room
        ax.fill_between(k[at], law[at], far, **FORBIDDEN, label=SHADED)
    whole_numbers(ax.xaxis)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.6g}".replace("-", "−"))
    remarks = [] if applies else [f"no {'floor' if above else 'ceiling'}: {why}"]
    if not np.isfinite(curve).any():
        remarks.append(f"{name} has no finite values")
    return [*remarks, *([] if k[-1] else ["no update was made"])]


def _span(*curves: Floats) -> tuple[float, float]:
    """The least and the largest value of all."""
    values = np.concatenate(curves)
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)


def whole_numbers(axis: Any) -> None:
    """Ticks at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    axis.set_major_formatter("{x:,.0f}")


def _degrees(cosine: float) -> str:
    angle = math.degrees(math.acos(min(1.0, max(-1.0, cosine))))
    return "less than 0.01°" if angle < 0.01 else f"{angle:.3g}°"  # a cosine of floats tells no smaller ones apart


def _why(reason: str) -> str:
    """What a law says of the hyperplane, which is not its subject here."""
    return reason.replace("it does not", "the hyperplane does not")


def _marker(at: Any) -> str:
    return "." if len(at) <= MARKED else ""


def _against(law: LawCheck) -> str:
    said = counted(int(law.value), law.quantity.rstrip("s")) if math.isfinite(law.value) else law.quantity
    if law.bound is None:
        return said
    most = math.floor(law.bound) if math.isfinite(law.bound) else law.bound
    return f"{said}, at most {short(most, 4)} (law {law.law})"


PANELS: dict[str, Callable[[Axes, Audit], None]] = {
    "updates": draw_updates,
    "progress": draw_progress,
    "norm": draw_norm,
    "cosine": draw_cosine,
}
