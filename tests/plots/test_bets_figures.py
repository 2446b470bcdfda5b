"""Figures of runs that bet: those that need only weights are drawn, those that need a path are refused by name."""

from pathlib import Path

import matplotlib as mpl
import pytest

from rosenblatt import Hyperplane, InputError, datasets, learn, plots

mpl.use("Agg")


@pytest.mark.parametrize("rule", ["coin", "scinol"])
def test_what_can_be_drawn_is_and_the_rest_is_refused_by_name(rule: str, tmp_path: Path) -> None:
    X, y = datasets.separable(60, 2, margin=0.1)
    run = learn(X, y, rule=rule, log=True, max_epochs=30, readout=("averaged", "last", "pocket"))
    drawn = plots.MarginDistributionDisplay.from_run(run)
    assert len(drawn.margins_) == 1
    plane = run.hyperplane
    assert plots.SeparationDisplay.from_run(run).figure_ is not None
    assert plots.ReadoutsDisplay.from_run(run).readouts_ == ("last", "averaged", "pocket")
    assert plots.MistakesDisplay.from_run(run).ax_ is not None
    for draw in (
        lambda: plots.SeparationDisplay.from_run(run, path=True),
        lambda: plots.UpdateDisplay.from_run(run),
        lambda: plots.LossDisplay.from_run(run),
        lambda: plots.animate(run, tmp_path / "a.gif"),
        lambda: plots.TheoremDisplay.from_run(run, Hyperplane(plane.w, plane.b)),
    ):
        with pytest.raises(InputError, match=f"^rule '{rule}' has ") as caught:
            draw()
        assert "\n" not in str(caught.value)
