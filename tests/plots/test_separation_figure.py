"""What figures of a separation show: points, lines, bands, rings and hulls are where the numbers say."""

import io
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_allclose

from rosenblatt import Examples, Hyperplane, InputError, Perceptron, datasets, learn, max_margin, separability
from rosenblatt.data.csr import Csr
from rosenblatt.plots import SeparationDisplay
from rosenblatt.plots.separation.hulls import hull_of
from rosenblatt.plots.separation.plane import plane_of_rows
from rosenblatt.plots.table import Table

NAMES = ["four-in-the-plane", "eight-in-the-plane", "low-margin"]


def drawn(display: SeparationDisplay) -> bytes:
    """The figure as it is written: warnings are errors here."""
    out = io.BytesIO()
    display.figure_.savefig(out, format="png", dpi=60)
    return out.getvalue()


def offsets(artist: Any) -> Any:
    return np.asarray(artist.get_offsets())


@pytest.mark.parametrize("name", NAMES)
def test_points_are_the_rows_of_their_class(name: str) -> None:
    sample = datasets.get(name)
    display = SeparationDisplay.from_margin(max_margin(*sample))
    for code, sign in ((0, -1), (1, 1)):
        assert offsets(display.artists_["points"][code]).tolist() == sample.X[sample.y == sign].tolist()
    assert display.artists_["points"][0].get_facecolors().size == 0  # hollow
    assert display.artists_["points"][1].get_paths()[0].vertices.shape[0] == 4  # the two strokes of ×
    assert display.ax_.get_xlabel() == "x0"
    drawn(display)


@pytest.mark.parametrize("name", NAMES)
def test_the_line_the_band_and_the_normal_are_those_of_the_largest_margin(name: str) -> None:
    best = max_margin(*datasets.get(name))
    display = SeparationDisplay.from_margin(best)
    w, b = best.hyperplane.w, best.hyperplane.b
    length = np.hypot(*w)
    ends = display.artists_["line"].get_xydata()
    assert_allclose(ends @ w + b, 0, atol=1e-12 * np.abs(ends).max())
    corners = display.artists_["band"].get_xy()
    distances = np.unique(((corners @ w + b) / length).round(9))
    assert_allclose(distances, [-best.margin, best.margin], rtol=1e-7)
    arrow = display.artists_["normal"]
    foot, tip = np.array(arrow.xyann), np.array(arrow.xy)
    assert_allclose(foot @ w + b, 0, atol=1e-12)
    way = tip - foot
    assert way @ w > 0
    assert way @ w == pytest.approx(np.hypot(*way) * length)  # parallel to w, so orthogonal to the line
    assert display.ax_.get_aspect() == 1.0  # one scale: right angles are seen as such


@pytest.mark.parametrize("name", NAMES)
def test_support_rows_are_ringed_and_projections_end_on_the_line(name: str) -> None:
    sample = datasets.get(name)
    best = max_margin(*sample)
    display = SeparationDisplay.from_margin(best)
    assert offsets(display.artists_["support"]).tolist() == sample.X[best.support_rows].tolist()
    pairs = np.array(display.artists_["projections"].get_segments())
    assert_allclose(pairs[:, 0], sample.X)
    assert_allclose(pairs[:, 1], best.hyperplane.project(sample.X), atol=1e-12)
    assert "projections" not in SeparationDisplay.from_margin(best, projections=False).artists_


def test_the_shared_point_is_a_combination_of_both_classes() -> None:
    rng = np.random.default_rng(4)
    for d in (1, 2, 5):
        X = rng.integers(-4, 5, (30, d)).astype(float)
        y = rng.choice([-1, 1], 30)
        verdict = separability(X, y)
        assert verdict.kind == "overlapping"
        display = SeparationDisplay.from_verdict(verdict)
        sides = []
        for sign in (-1, 1):
            own = [(r, a) for r, a in zip(verdict.witness_rows, verdict.multipliers, strict=True) if y[r] == sign]
            total = sum(a for _, a in own)
            sides.append(tuple(sum(a * Fraction(X[r, j]) for r, a in own) / total for j in range(d)))
        assert sides[0] == sides[1] == display.witness.shared
        place = offsets(display.artists_["shared"])[0]
        if d <= 2:
            assert_allclose(place[:d], [float(value) for value in sides[0]])
        assert_allclose(offsets(display.artists_["witness"])[:, 0].size, verdict.witness_rows.size)
        drawn(display)


def test_hulls_of_xor_are_the_diagonals() -> None:
    display = SeparationDisplay.from_verdict(separability(*datasets.get("xor")))
    assert sorted(display.artists_["hull 1"].get_xydata().tolist()) == [[-1, -1], [1, 1]]
    assert sorted(display.artists_["hull 0"].get_xydata().tolist()) == [[-1, 1], [1, -1]]
    assert offsets(display.artists_["shared"]).tolist() == [[0, 0]]
    assert display.title == "No line separates: 4 rows prove it"


def test_through_the_origin_a_direction_or_the_origin_is_shared() -> None:
    cones = SeparationDisplay.from_verdict(
        separability([[1, 2], [2, 1], [3, 3], [9, 8.0]], [1, 1, -1, 1], through_origin=True)
    )
    origin, far = cones.artists_["ray"].get_xydata()
    assert origin.tolist() == [0, 0]
    assert far[0] == pytest.approx(far[1])
    assert far[0] > 0
    assert "shared" not in cones.artists_
    label = cones.ax_.get_legend().get_texts()[2].get_text()
    assert label.startswith("direction in both cones")
    same = SeparationDisplay.from_verdict(separability(*datasets.get("xor"), through_origin=True))
    assert offsets(same.artists_["shared"]).tolist() == [[0, 0]]
    assert "the origin" in same.ax_.get_legend().get_texts()[2].get_text()
    drawn(cones)


def test_quasi_separable_rows_ring_the_boundary() -> None:
    X = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [0, 1], [3, -2.0]])
    verdict = separability(X, [1, -1, 1, -1, 1, -1])
    display = SeparationDisplay.from_verdict(verdict)
    assert verdict.kind == "quasi-separable"
    assert offsets(display.artists_["boundary"]).tolist() == X[verdict.boundary_rows].tolist() == X[:4].tolist()
    assert_allclose(display.artists_["line"].get_ydata(), 0, atol=1e-12)
    assert "mistake" not in display.artists_


def test_mistakes_are_marked() -> None:
    sample = datasets.get("low-margin")
    start = sample.plan["start"]
    run = learn(*sample, start=start, max_epochs=1, rule="delta", eta=1e-9)
    display = SeparationDisplay.from_run(run)
    assert offsets(display.artists_["mistake"]).tolist() == [[-1, -1]]
    assert "band" not in display.artists_


def test_the_path_has_axes_of_its_own() -> None:
    sample = datasets.get("four-in-the-plane")
    display = SeparationDisplay.from_run(learn(*sample, **sample.plan, log=True), path=True)
    assert display.path[0][:, :2].tolist() == [[0, 0], [4, 0], [3, -1], [1, -3]]
    assert offsets(display.artists_["path"]).tolist() == [[1, -3]]
    lines = [line.get_xydata() for line in display.artists_["earlier lines"]]
    assert len(lines) == 2  # w = 0 has none
    for ends, w in zip(lines, ([4, 0], [3, -1]), strict=True):
        assert_allclose(ends @ np.array(w), 0, atol=1e-9)
    assert len(display.axes_) == 2
    with pytest.raises(InputError, match="at most two columns"):
        SeparationDisplay.from_run(learn(np.eye(3), [1, -1, 1], log=True), path=True)


def test_long_paths_are_lines_and_say_what_is_left_out() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    y = np.where(X @ [1, 0.5] + rng.standard_normal(300) > 0, 1, -1)
    run = learn(X, y, max_epochs=40, log=True)
    assert run.updates > 400
    display = SeparationDisplay.from_run(run, path=True)
    beside = display.axes_[1]
    (way,) = (found for found in beside.collections if hasattr(found, "get_segments"))
    assert len(way.get_segments()) == 400
    assert not [text for text in beside.texts if getattr(text, "arrow_patch", None) is not None]
    assert f"400 of {run.updates:,} changes, offset not shown" in [text.get_text() for text in beside.texts]
    assert len(display.artists_["earlier lines"]) <= 12


def test_bands_thinner_than_the_line_say_so() -> None:
    thin = max_margin([[0.0, 0.0], [1e-4, 0.0], [5.0, 5.0], [-5.0, -5.0]], [-1, 1, 1, -1])
    labels = [text.get_text() for text in SeparationDisplay.from_margin(thin).ax_.get_legend().get_texts()]
    assert any(label.endswith("\n(thinner than the line)") for label in labels)
    wide = SeparationDisplay.from_margin(max_margin(*datasets.get("low-margin")))
    assert not any("thinner" in text.get_text() for text in wide.ax_.get_legend().get_texts())


def test_without_room_for_the_normal_neither_arrow_nor_letter_is_drawn() -> None:
    table = Table.of(Examples.signed([[0.0, 0.0], [1.0, 1.0]], [-1, 1]))
    # x + y = 2.17 crosses only a corner, beyond which w points.
    display = SeparationDisplay(table, [Hyperplane([1.0, 1.0], -2.17)]).plot()
    assert "line" in display.artists_
    assert "normal" not in display.artists_
    assert "w" not in [text.get_text() for text in display.ax_.texts]


def test_hulls_of_more_than_two_columns_are_called_projections() -> None:
    rng = np.random.default_rng(4)
    for d in (2, 5):
        X, y = rng.standard_normal((40, d)), rng.choice([-1, 1], 40)
        display = SeparationDisplay.from_verdict(separability(X, y))
        labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert ("projections of\nthe hulls" in labels) == (d > 2)
        assert ("the proof is exact, this is its shadow" in _words(display)) == (d > 2)


def test_rings_are_above_the_marks_and_classes_without_rows_are_left_out() -> None:
    display = SeparationDisplay.from_run(learn(*datasets.get("one-example")))
    assert not any(text.get_text().startswith("−1") for text in display.ax_.get_legend().get_texts())
    rng = np.random.default_rng(1)
    run = learn(rng.standard_normal((60, 2)), rng.choice([-1, 1], 60), max_epochs=3)
    artists = SeparationDisplay.from_run(run).artists_
    rings, marks = artists["mistake"], artists["points"].values()
    assert rings.get_zorder() > max(mark.get_zorder() for mark in marks)
    assert rings.get_sizes()[0] > max(mark.get_sizes()[0] for mark in marks)
    assert rings.get_facecolors().size == 0


def test_one_column_is_a_number_line() -> None:
    sample = datasets.get("four-on-a-line")
    display = SeparationDisplay.from_margin(max_margin(*sample))
    assert_allclose(display.artists_["line"].get_xdata(), 2.5)
    assert sorted(set(display.artists_["band"].get_xy()[:, 0].round(9))) == [2, 3]
    assert offsets(display.artists_["points"][1]).tolist() == [[1, 0], [2, 0]]
    assert not display.ax_.yaxis.get_visible()


def test_more_columns_show_true_distances() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 7)) * [1, 2, 3, 1, 1, 1, 5]
    y = np.where(X @ [1, 1, 0, 0, 2, 0, 0] > 0.3, 1, -1)
    best = max_margin(X, y)
    display = SeparationDisplay.from_margin(best)
    for code, sign in ((0, -1), (1, 1)):
        distance = offsets(display.artists_["points"][code])[:, 0]
        assert_allclose(sign * distance, best.hyperplane.geometric_margins(X, y)[y == sign], atol=1e-12)
    plane = plane_of_rows(display.table, display.hyperplanes)
    assert_allclose(plane.W.T @ plane.W, np.eye(2), atol=1e-12)
    # The second direction is the leading one of what is left: NumPy's, by another way.
    unit = best.hyperplane.w / np.linalg.norm(best.hyperplane.w)
    centred = X - X.mean(axis=0)
    _, sizes, V = np.linalg.svd(centred - np.outer(centred @ unit, unit))
    assert abs(V[0] @ plane.W[:, 1]) == pytest.approx(1, abs=1e-6)
    share = 100 * sizes[0] ** 2 / (centred**2).sum()
    assert plane.labels[1] == f"leading direction orthogonal to w ({share:.0f} % of the spread)"
    assert_allclose(display.artists_["line"].get_xdata(), 0, atol=1e-12)


def test_sparse_rows_are_seen_as_dense_ones_are() -> None:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 6)) * (rng.random((50, 6)) < 0.5)
    plane = Hyperplane(rng.standard_normal(6), 0.25)
    tables = [Table.labelled(rows, np.repeat([0, 1], 25), [0, 1]) for rows in (X, _scipy(X))]
    dense, sparse = (plane_of_rows(table, [plane]).points(table.rows) for table in tables)
    assert_allclose(dense, sparse, atol=1e-9)


def _scipy(X: Any) -> Any:
    import scipy.sparse as sp

    assert Csr.of(X).toarray().tolist() == X.tolist()
    return sp.csr_array(X)


def test_wide_sparse_rows_are_never_made_dense() -> None:
    import scipy.sparse as sp

    rng = np.random.default_rng(1)
    places = rng.integers(0, 300, 600), rng.integers(0, 200_000, 600)
    X = sp.csr_array((rng.random(600), places), shape=(300, 200_000))
    y = np.repeat([-1, 1], 150)
    display = SeparationDisplay.from_run(learn(X, y, max_epochs=2))
    assert "200,000 columns, seen in a plane" in _words(display)


def _words(display: SeparationDisplay) -> str:
    title = display.ax_.get_title(loc="left")
    return "\n".join([title, *(text.get_text() for text in display.ax_.texts)]).replace("\n", " ")


def test_overlapping_rows_are_seen_between_the_means_or_along_what_is_given() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((80, 4)), rng.choice([-1, 1], 80)
    verdict = separability(X, y)
    display = SeparationDisplay.from_verdict(verdict)
    assert display.ax_.get_xlabel() == "along the line between the class means (0: midway)"
    means = [offsets(display.artists_["points"][code])[:, 0].mean() for code in (0, 1)]
    assert means[0] == pytest.approx(-means[1])
    assert means[1] == pytest.approx(np.linalg.norm(X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)) / 2)
    learnt = learn(X, y, max_epochs=3).hyperplane
    given = SeparationDisplay.from_verdict(verdict, hyperplane=learnt)
    assert given.ax_.get_xlabel() == "signed distance to the hyperplane given"
    assert offsets(given.artists_["mistake"]).shape[0] == int((learnt.functional_margins(X, y) <= 0).sum())


@pytest.mark.parametrize("columns", [2, 4])
def test_three_classes_have_the_regions_that_predict_has(columns: int) -> None:
    rng = np.random.default_rng(5)
    y = np.repeat(["a", "b", "c"], 30)
    X = rng.standard_normal((90, columns)) + np.repeat(np.eye(3, columns) * 4, 30, axis=0)
    run = learn(Examples.of(X, y), max_epochs=20, readout="averaged")
    display = SeparationDisplay.from_run(run)
    picture = display.artists_["regions"]
    low_x, high_x, low_y, high_y = picture.get_extent()
    codes = _codes(np.asarray(picture.get_array()))
    cells = codes.shape[0]
    points = plane_of_rows(display.table, display.hyperplanes).points(display.table.rows)
    at = np.floor((points - [low_x, low_y]) / [(high_x - low_x) / cells, (high_y - low_y) / cells]).astype(int)
    seen = codes[at[:, 1], at[:, 0]]
    predicted = np.searchsorted(["a", "b", "c"], run.predict(X))
    assert (seen == predicted).mean() > 0.98  # but for points in a cell that a boundary passes through
    wrong = offsets(display.artists_["predicted wrong"]) if "predicted wrong" in display.artists_ else np.empty((0, 2))
    assert len(wrong) == int((run.predict(X) != y).sum())
    drawn(display)


def _codes(picture: Any) -> Any:
    colours = picture[..., :3].round(4)
    from matplotlib.colors import to_rgb

    from rosenblatt.plots.canvas import CLASS_COLOURS

    found = [np.isclose(colours, np.round(to_rgb(shade), 4), atol=1e-3).all(axis=-1) for shade in CLASS_COLOURS[:3]]
    return np.argmax(found, axis=0)


def test_more_than_eight_classes_say_so() -> None:
    rng = np.random.default_rng(6)
    y = np.repeat(np.arange(11), 5)
    X = rng.standard_normal((55, 2)) + y[:, None]
    display = SeparationDisplay.from_run(learn(Examples.of(X, y), max_epochs=3))
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "3 more classes (15)" in labels
    drawn(display)


def test_a_million_rows_are_one_picture() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1_000_000, 2))
    y = np.where(X @ [1.0, 0.5] > 0, 1, -1)
    display = SeparationDisplay.from_run(learn(X, y, max_epochs=1))
    size = len(drawn(display))
    assert list(display.artists_["points"]) == ["density"]
    assert len(display.ax_.collections) + len(display.ax_.lines) + len(display.ax_.images) < 12
    assert size < 150_000
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels[0] == f"−1 ({int((y < 0).sum()):,})"


def test_mixed_scales_say_that_right_angles_are_not_seen() -> None:
    rng = np.random.default_rng(1)
    X = rng.standard_normal((30, 2)) * [1, 1000]
    y = np.where(X @ [1, 0.001] > 0.1, 1, -1)
    best = max_margin(X, y)
    display = SeparationDisplay.from_margin(best)
    assert display.ax_.get_aspect() == "auto"
    assert "w is not seen at right angles" in _words(display)
    arrow = display.artists_["normal"]
    way = np.array(arrow.xy) - np.array(arrow.xyann)
    assert way[1] / way[0] == pytest.approx(best.hyperplane.w[1] / best.hyperplane.w[0])
    ends = display.artists_["line"].get_xydata()
    assert_allclose((ends @ best.hyperplane.w + best.hyperplane.b) / best.hyperplane.norm, 0, atol=1e-9)


def test_zero_weights_are_said() -> None:
    display = SeparationDisplay.from_run(learn(*datasets.get("xor"), offset=0))
    assert "w = 0: there is no hyperplane" in _words(display)
    assert "line" not in display.artists_


def test_axes_of_others_are_drawn_on() -> None:
    figure, (left, right) = plt.subplots(1, 2)
    sample = datasets.get("eight-in-the-plane")
    display = SeparationDisplay.from_margin(max_margin(*sample), ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert not left.has_data()
    parts = plt.figure(layout="constrained").subfigures(1, 2)
    display = SeparationDisplay.from_margin(max_margin(*sample), ax=parts[0].subplots())
    drawn(SeparationDisplay.from_margin(max_margin(*sample)))


def test_estimators_ours_and_others() -> None:
    from sklearn.linear_model import LogisticRegression

    sample = datasets.get("eight-in-the-plane")
    ours, theirs = Perceptron().fit(*sample), LogisticRegression().fit(*sample)
    for estimator in (ours, theirs):
        display = SeparationDisplay.from_estimator(estimator, *sample)
        ends = display.artists_["line"].get_xydata()
        assert_allclose(ends @ estimator.coef_[0] + estimator.intercept_[0], 0, atol=1e-9)
        assert display.title == f"{type(estimator).__name__}: 0 mistakes on 8 rows"
    with pytest.raises(InputError, match="label of row 0: 5"):
        SeparationDisplay.from_estimator(ours, sample.X, [5] * 8)
    with pytest.raises(InputError, match="expected a fitted linear classifier"):
        SeparationDisplay.from_estimator(object(), *sample)
    with pytest.raises(InputError, match="not a vote"):
        SeparationDisplay.from_estimator(Perceptron(readout="voted").fit(*sample), *sample)


def test_a_vote_says_that_it_is_no_hyperplane() -> None:
    run = learn(*datasets.get("eight-in-the-plane"), readout="voted")
    assert SeparationDisplay.from_run(run).title.startswith("Perceptron, last weights (a vote is no hyperplane)")


@pytest.mark.parametrize("kind", ["largest margin", "verdict"])
@pytest.mark.parametrize("name", ["low-margin", "xor"])
def test_a_proof_draws_what_it_claims(kind: str, name: str) -> None:
    sample = datasets.get(name)
    found = max_margin(*sample) if kind == "largest margin" else separability(*sample)
    display = SeparationDisplay.from_proof(found.proof, found.examples)
    if name == "xor":
        assert offsets(display.artists_["shared"]).tolist() == [[0, 0]]
    else:
        ends = display.artists_["line"].get_xydata()
        assert_allclose(found.hyperplane.scores(ends), 0, atol=1e-9)
        assert display.margin == pytest.approx(found.margin)
        if kind == "largest margin":
            assert offsets(display.artists_["support"]).tolist() == sample.X[found.support_rows].tolist()
    with pytest.raises(InputError, match="expected those it was made for"):
        SeparationDisplay.from_proof(found.proof, Examples.signed(sample.X[:-1], sample.y[:-1]))


def test_hulls_against_brute_force() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        points = rng.integers(0, 5, (rng.integers(3, 12), 2)).astype(float)
        corners = hull_of(points)
        if len(corners) < 3:
            continue
        turned = np.roll(corners, -1, axis=0)
        for p in points:  # on the left of every side, going round
            cross = (turned - corners)[:, 0] * (p - corners)[:, 1] - (turned - corners)[:, 1] * (p - corners)[:, 0]
            assert (cross >= 0).all()
        assert {tuple(c) for c in corners.tolist()} <= {tuple(p) for p in points.tolist()}
