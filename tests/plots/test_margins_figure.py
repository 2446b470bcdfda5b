"""Margins before and after: every row is counted once, on the side it is on."""

import io

import numpy as np
import pytest

from rosenblatt import Examples, Hyperplane, InputError, MaxMarginClassifier, datasets, learn
from rosenblatt.plots import MarginDistributionDisplay


def test_counts_are_the_rows_and_none_is_on_both_sides() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((500, 3)), rng.choice([-1, 1], 500)
    planes = {"one": Hyperplane([1, 0, 0], 0.1), "two": Hyperplane([1, 2, -1], 0)}
    display = MarginDistributionDisplay.from_hyperplanes(planes, X, y)
    for label, plane in planes.items():
        margins = y * (X @ plane.w + plane.b) / np.linalg.norm(plane.w)
        np.testing.assert_allclose(display.margins_[label], margins)
        assert display.counts_[label].sum() == 500
        at = int(np.flatnonzero(display.edges_ == 0)[0])
        assert display.counts_[label][:at].sum() == (margins < 0).sum() == display.mistakes_[label]
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts[0] == f"one:\n{display.mistakes_['one']} mistakes, 500 rows"
    assert "mistakes (m ≤ 0)" in texts
    assert display.gamma_ is None
    assert display.zero_.get_xdata() == [0, 0]


def test_before_is_the_end_of_the_first_epoch() -> None:
    sample = datasets.get("four-on-a-line")
    display = MarginDistributionDisplay.from_run(learn(*sample, log=True))
    first = learn(*sample, max_epochs=1).hyperplane
    assert list(display.margins_) == ["after epoch 1", "last weights, epoch 11"]
    np.testing.assert_allclose(display.margins_["after epoch 1"], first.geometric_margins(*sample))
    # w = −3, b = 7: margins 4/3, 1/3, 2/3 and 5/3.
    np.testing.assert_allclose(display.margins_["last weights, epoch 11"], np.array([4, 1, 2, 5]) / 3)
    assert display.gamma_.get_xdata()[0] == pytest.approx(1 / 3)


def test_where_the_first_epoch_says_all_the_first_update_is_shown() -> None:
    sample = datasets.get("four-in-the-plane")
    display = MarginDistributionDisplay.from_run(learn(*sample, **sample.plan, log=True))
    assert list(display.margins_) == ["after the first update", "last weights, epoch 2"]
    np.testing.assert_allclose(display.margins_["after the first update"], [4, -1, 0, -2])  # w = (4, 0)
    assert display.mistakes_ == {"after the first update": 3, "last weights, epoch 2": 0}
    alone = MarginDistributionDisplay.from_run(learn(*sample, **sample.plan))
    assert list(alone.margins_) == ["last weights, epoch 2"]


def test_few_rows_are_dots_and_none_hides_another() -> None:
    margins = np.array([0.5, 0.5, 0.5, -0.25, 2.0])
    display = MarginDistributionDisplay({"one": margins, "two": margins + 1}).plot()
    one, two = (np.asarray(dots.get_offsets()) for dots in display.ax_.collections)
    np.testing.assert_allclose(np.sort(one[:, 0]), np.sort(margins))
    np.testing.assert_allclose(np.sort(two[:, 0]), np.sort(margins) + 1)
    assert len({tuple(place) for place in np.vstack([one, two]).tolist()}) == 10
    assert sorted(one[one[:, 0] == 0.5, 1] - one[:, 1].min()) == [0, 1, 2]
    assert one[:, 1].min() > two[:, 1].max()  # each has its own base
    many = MarginDistributionDisplay({"one": np.linspace(-1, 1, 50)}).plot()
    assert not many.ax_.collections


def test_weights_that_are_zero_are_named() -> None:
    # In either order the second update takes back the first: after epoch 1 the weights are 0, their average is not.
    run = learn([[1.0], [1.0]], [1, -1], offset=0, order="shuffled", max_epochs=4, readout="averaged", log=True)
    display = MarginDistributionDisplay.from_run(run)
    assert list(display.margins_) == ["averaged weights, epoch 4"]
    assert [text.get_text() for text in display.ax_.texts] == ["after epoch 1: w = 0, no hyperplane, left out"]


def test_a_display_is_drawn_twice() -> None:
    from matplotlib import pyplot as plt

    _, (left, right) = plt.subplots(1, 2)
    display = MarginDistributionDisplay.from_run(learn(*datasets.get("four-on-a-line"), log=True), ax=left)
    counts = dict(display.counts_)
    display.plot(ax=right)
    assert display.ax_ is right
    assert left.get_xlim() == right.get_xlim()
    assert {label: found.tolist() for label, found in display.counts_.items()} == {
        label: found.tolist() for label, found in counts.items()
    }


def test_estimators_and_what_is_refused() -> None:
    sample = datasets.get("low-margin")
    display = MarginDistributionDisplay.from_estimator(MaxMarginClassifier().fit(*sample), *sample)
    assert min(display.margins_["MaxMarginClassifier"]) == pytest.approx(sample.margin)
    with pytest.raises(InputError, match="w = 0 is no hyperplane"):
        MarginDistributionDisplay.from_run(learn(*datasets.get("xor"), offset=0))
    with pytest.raises(InputError, match="two classes, and this run has 3"):
        MarginDistributionDisplay.from_run(learn(Examples.of([[1.0], [2.0], [3.0]], [0, 1, 2]), max_epochs=2))
    with pytest.raises(InputError, match="expected 1 to 5"):
        MarginDistributionDisplay.from_hyperplanes({str(k): Hyperplane([1, 0]) for k in range(6)}, *sample)


@pytest.mark.parametrize("scale", [1e150, 1e-150, 1.0])
def test_a_million_rows_and_numbers_of_any_size(scale: float) -> None:
    n = 1_000_000 if scale == 1.0 else 50
    X = np.random.default_rng(1).standard_normal((n, 2)) * scale
    y = np.where(X[:, 0] > 0, 1, -1)
    display = MarginDistributionDisplay.from_hyperplanes({"$a$\n" + "x" * 300: Hyperplane([1, 0.1])}, X, y)
    out = io.BytesIO()
    display.figure_.savefig(out, format="svg")
    assert len(out.getvalue()) < 100_000
    assert sum(counts.sum() for counts in display.counts_.values()) == n
    assert len(display.ax_.patches) < 10
