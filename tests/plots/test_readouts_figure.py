"""Readouts side by side: the regions are those that `predict` has, and the vote's are not those of a hyperplane."""

import io

import numpy as np
import pytest

from rosenblatt import Examples, InputError, datasets, learn
from rosenblatt.plots import ReadoutsDisplay

ALL = ("last", "averaged", "voted")


def overlapping() -> tuple[np.ndarray, np.ndarray]:
    """Two clouds of twenty points that overlap: the weights never settle, and the vote has many corners."""
    rng = np.random.default_rng(3)
    return np.vstack([rng.normal(0, 1, (20, 2)), rng.normal(1.2, 1, (20, 2))]), np.repeat([-1, 1], 20)


def test_regions_are_what_predict_says() -> None:
    X, y = overlapping()
    run = learn(X, y, readout=(*ALL, "pocket"), max_epochs=3)
    display = ReadoutsDisplay.from_run(run)
    assert display.readouts_ == (*ALL, "pocket")
    some = np.random.default_rng(0).integers(0, len(display.grid_), 500)
    for readout in display.readouts_:
        expected = run.read(readout).predict(display.grid_[some])
        assert (run.classes[display.codes_[readout][some]] == expected).all()
    assert len(display.axes_) == 4
    assert len({ax.get_xlim() + ax.get_ylim() for ax in display.axes_}) == 1
    out = io.BytesIO()
    display.figure_.savefig(out, format="png", dpi=50)


def bent(codes: np.ndarray) -> float:
    """How many cells the boundary is from the nearest line, where it is farthest: of a half-plane about one."""
    side, found = round(codes.size**0.5), []
    for table in (codes.reshape(side, side), codes.reshape(side, side).T):
        counts = table.sum(axis=1)
        at = np.flatnonzero((counts > 0) & (counts < side))
        if at.size > side / 2:
            line = np.polyfit(at, counts[at], 1)
            found.append(float(np.abs(np.polyval(line, at) - counts[at]).max()))
    return min(found, default=0.0)


def test_the_vote_is_no_half_plane() -> None:
    X, y = overlapping()
    clouds = ReadoutsDisplay.from_run(learn(X, y, readout=ALL, max_epochs=3))
    xor = ReadoutsDisplay.from_run(learn(*datasets.get("xor"), readout=ALL))
    for display in (clouds, xor):
        assert bent(display.codes_["voted"]) > 10
        assert max(bent(display.codes_[name]) for name in ("last", "averaged")) < 1.5


def test_xor_by_hand() -> None:
    # w = 0, then (1, 1), b = 1, after (1, 1); (0, 2), b = 0 after (1, −1); (1, 1), b = −1 after (−1, 1); and 0 again.
    display = ReadoutsDisplay.from_run(learn(*datasets.get("xor"), readout=ALL))
    x, y = display.grid_.T
    votes = np.sign(x + y + 1) + np.sign(y) + np.sign(x + y - 1)  # w = 0 has no side, and so no vote
    assert ((votes > 0) == (display.codes_["voted"] == 1)).all()
    assert display.axes_[0].get_title(loc="left") == "Last weights (w = 0)"


def test_three_classes() -> None:
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 2)) + np.repeat([[0, 0], [4, 0], [0, 4]], 20, axis=0)
    run = learn(Examples.of(X, np.repeat(["a", "b", "c"], 20)), readout=ALL, max_epochs=5)
    display = ReadoutsDisplay.from_run(run)
    assert set(display.codes_["voted"].tolist()) == {0, 1, 2}


def test_what_cannot_be_shown_is_said() -> None:
    sample = datasets.get("eight-in-the-plane")
    with pytest.raises(InputError, match="cannot be read out as averaged or voted: learn"):
        ReadoutsDisplay.from_run(learn(*sample))
    with pytest.raises(InputError, match="of two columns, and these rows have 1"):
        ReadoutsDisplay.from_run(learn(*datasets.get("four-on-a-line"), readout=ALL))
    from matplotlib import pyplot as plt

    _, axes = plt.subplots(1, 2)
    with pytest.raises(InputError, match="2 axes given; expected 3"):
        ReadoutsDisplay.from_run(learn(*sample, readout=ALL), ax=axes)
