"""The convergence theorem: the curves are the audit's, and on the right side of their laws."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from rosenblatt import Hyperplane, InputError, datasets, learn, max_margin
from rosenblatt.plots import TheoremDisplay
from rosenblatt.runs.audit import Audit


def line_audit() -> Audit:
    X, y = datasets.get("four-on-a-line")
    return learn(X, y, log=True).audit(max_margin(X, y, offset=1).hyperplane)


def curve(ax: Any, label: str) -> tuple[Any, Any]:
    (line,) = (line for line in ax.lines if line.get_label() == label)
    return line.get_data()


def said(ax: Any) -> str:
    legend = ax.get_legend()
    texts = [text.get_text() for text in ax.texts] + [text.get_text() for text in legend.get_texts()]
    return " ".join(" ".join(texts).split())


def test_curves_are_those_of_the_audit() -> None:
    audit = line_audit()
    display = TheoremDisplay.from_audit(audit)
    display.figure_.canvas.draw()
    _, progress, norm, cosine = display.axes_
    for ax, name, law, values, bound in (
        (progress, "u·(w′ − w′₀)", "γ′·Στ", audit.progress, audit.progress_floor),
        (norm, "‖w′‖²", "Σ η²‖x′‖²", audit.norm2, audit.norm2_ceiling),
        (cosine, "cos(w′, u)", "√k·γ′/R′", audit.cosine, audit.cosine_floor),
    ):
        np.testing.assert_array_equal(curve(ax, name)[0], audit.updates)
        np.testing.assert_array_equal(curve(ax, name)[1], values)
        np.testing.assert_array_equal(curve(ax, law)[1], bound)
        sign = -1 if ax is norm else 1
        assert np.nanmin(sign * (values - bound)) >= -1e-9
    # R′² = 4² + 1², of the row x = 4 and ρ = 1.
    assert curve(norm, "η²·k·R′²")[1] == pytest.approx(17.0 * np.arange(26))


def test_the_squeeze_closes_at_the_bound() -> None:
    audit = line_audit()
    ax = TheoremDisplay.from_audit(audit, panel="updates").ax_
    k, length = curve(ax, "‖w′‖")
    grid, floor = curve(ax, "η·k·γ′, the floor")
    _, ceiling = curve(ax, "η·√k·R′, the ceiling")
    assert k.tolist() == list(range(1, 26))
    assert length**2 == pytest.approx(audit.norm2[1:])
    assert (length >= np.interp(k, grid, floor) - 1e-9).all()
    assert (length <= np.interp(k, grid, ceiling) * (1 + 1e-3)).all()
    crossing = grid[np.argmax(floor > ceiling)]
    assert crossing == pytest.approx((audit.radius / audit.margin) ** 2, rel=0.05)  # 493: the grid's next point
    assert "493" in ax.texts[0].get_text()


def test_equality_is_drawn_on_the_law() -> None:
    sample = datasets.tight(7)
    display = TheoremDisplay.from_run(learn(*sample, **sample.plan, log=True), sample.hyperplane, panel="cosine")
    assert curve(display.ax_, "cos(w′, u)")[1][1:] == pytest.approx(curve(display.ax_, "√k·γ′/R′, equal")[1][1:])


@pytest.mark.parametrize(
    ("choices", "panel", "words"),
    [
        ({"batch_size": 4}, "cosine", "no floor: rows come in batches (law 3)"),
        ({"rule": "delta", "eta": 0.1, "max_epochs": 3}, "progress", "no floor: law (a) is about steps τ ≥ 0"),
        ({"rule": "delta", "eta": 0.1, "max_epochs": 3}, "norm", "no ceiling: law (b)"),
        ({"rule": "delta", "eta": 0.1, "max_epochs": 3}, "updates", "no bound: none is known"),
        ({"start": ([1.0] * 5, 0.0)}, "cosine", "no floor: the start is not zero"),
    ],
)
def test_a_law_that_does_not_apply_is_said(choices: dict[str, Any], panel: str, words: str) -> None:
    sample = datasets.separable(40, 5)
    display = TheoremDisplay.from_run(learn(*sample, offset=0, log=True, **choices), sample.hyperplane, panel=panel)
    display.figure_.canvas.draw()
    assert words in said(display.ax_)


def test_the_bound_of_another_law_is_a_line() -> None:
    sample = datasets.separable(40, 5)
    run = learn(*sample, offset=0, log=True, batch_size=4)
    display = TheoremDisplay.from_run(run, sample.hyperplane, panel="updates")
    x, k = curve(display.ax_, "k")
    assert k[-1] == run.updates
    assert x[-1] == run.state.changes
    bound = 4 * (sample.radius / sample.margin) ** 2  # law 4, batches of 4
    assert f"at most {int(bound)}" in said(display.ax_)


def test_few_and_many_updates_and_numbers_that_are_none() -> None:
    audit = line_audit()
    none = learn([[1.0]], [1], start=([1.0], 0.0), log=True).audit(Hyperplane([1.0]))
    TheoremDisplay.from_audit(none).figure_.canvas.draw()
    assert "no update was made" in said(TheoremDisplay.from_audit(none, panel="norm").ax_)
    k = np.arange(100_001)
    wave = 2 + np.sin(k)
    many = replace(
        audit, updates=k, progress=wave, progress_floor=0 * wave, norm2=wave, norm2_ceiling=wave + 1, cosine=wave / 3,
        cosine_floor=0 * wave,
    )  # fmt: skip
    display = TheoremDisplay.from_audit(many)
    display.figure_.canvas.draw()
    x, y = curve(display.axes_[1], "u·(w′ − w′₀)")
    assert x.size <= 2_000
    assert (y.min(), y.max()) == (wave.min(), wave.max())
    bad = audit.progress * np.nan
    lost = replace(audit, progress=bad, progress_floor=bad, norm2=bad + np.inf, norm2_ceiling=bad, cosine=bad)
    TheoremDisplay.from_audit(lost).figure_.canvas.draw()
    assert "has no finite values" in said(TheoremDisplay.from_audit(lost, panel="progress").ax_)


def test_a_cosine_is_never_scaled_and_a_tiny_one_is_magnified() -> None:
    """γ′ = 0.186 of four on a line is not tiny; cosines of 1e−15 are, and stand as they are."""
    audit = line_audit()
    plain = TheoremDisplay.from_audit(audit, panel="cosine").ax_
    assert plain.get_ylim()[1] == pytest.approx(1.08)
    tiny = replace(audit, cosine=audit.cosine * 1e-15, cosine_floor=audit.cosine_floor * 1e-16)
    ax = TheoremDisplay.from_audit(tiny, panel="cosine").ax_
    np.testing.assert_array_equal(curve(ax, "cos(w′, u)")[1], tiny.cosine)
    assert ax.get_ylim()[1] < 1e-13
    assert "log scale" in ax.get_ylabel()
    assert f"a cosine of {tiny.cosine[-1]:.3g}".replace("-", "−") in said(ax)
    both = replace(audit, cosine=audit.cosine * -1e-3)
    assert "magnified" in TheoremDisplay.from_audit(both, panel="cosine").ax_.get_ylabel()
    assert "1e" not in plain.get_ylabel() + ax.get_ylabel()


@pytest.mark.parametrize("scale", [1e-65, 1e65])
def test_huge_and_tiny_numbers(scale: float) -> None:
    X, y = datasets.get("four-on-a-line")
    plane = Hyperplane([-1.0], 2.5 * scale)
    display = TheoremDisplay.from_run(learn(X * scale, y, offset=scale, log=True), plane)
    display.figure_.canvas.draw()
    _, floor = curve(display.axes_[0], "η·k·γ′, the floor")
    assert 1e-9 < floor.max() < 1e9
    assert f"[1e{'+' if scale > 1 else '-'}"[:3] in display.axes_[2].get_ylabel()


def test_where_it_draws_and_what_it_refuses() -> None:
    audit = line_audit()
    axes = Figure().subplots(2, 2)
    display = TheoremDisplay.from_audit(audit, ax=axes)
    assert list(display.axes_) == list(axes.ravel())
    assert display.figure_ is axes[0, 0].figure
    again = Figure().subplots(1, 4)
    assert display.plot(list(again)) is display
    assert list(display.axes_) == list(again)
    ax = Figure().subplots()
    assert TheoremDisplay.from_audit(audit, ax=ax, panel="norm").ax_ is ax
    with pytest.raises(InputError, match="panel"):
        TheoremDisplay.from_audit(audit, panel="sine")
    with pytest.raises(InputError, match="4 panels"):
        TheoremDisplay.from_audit(audit, ax=Figure().subplots(1, 2))
    X, y = datasets.get("xor")
    with pytest.raises(InputError, match="inseparable"):
        TheoremDisplay.from_run(learn(X, y, log=True), max_margin(X, y))
