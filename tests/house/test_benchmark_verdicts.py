"""The benchmark of verdicts: forty shapes of the kinds they are made to be, slopes, limits, and a report of faults."""

import numpy as np
import pytest
from scipy import sparse

from benchmarks.contest import AbsentError
from benchmarks.verdicts import command, growth, limits, made, measuring, real_sets, rivals, tables
from benchmarks.verdicts.shapes import Shape, shapes
from rosenblatt import separability

pytestmark = pytest.mark.slow  # SciPy's solver is imported


def test_there_are_forty_shapes_and_no_two_alike():
    found = shapes()
    assert len(found) == len({(shape.name, shape.n, shape.d, shape.kind) for shape in found}) == 40
    sizes = {(shape.n, shape.d) for shape in found}
    assert {(40_000, 500), (200_000, 20), (2_600, 500), (20_000, 50_000), (200, 10**7), (2, 10**6)} <= sizes


@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: f"{shape.name} {shape.n} {shape.d}")
def test_every_shape_can_be_made_small_with_both_classes(shape):
    n, d = shape.size(quick=True)
    X, y = shape.make(n, d)
    assert X.shape == (n, d)
    assert set(y.tolist()) == {-1, 1}
    again, labels = shape.make(n, d)
    assert (again != X).sum() == 0
    assert np.array_equal(labels, y)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: made.dense(2_000, 6, "separable", 1e-6), "separable"),
        (lambda: made.dense(2_000, 6, "quasi-separable"), "quasi-separable"),
        (lambda: made.dense(2_000, 6, "overlapping"), "overlapping"),
        (lambda: made.hidden(2_000, 6), "quasi-separable"),
        (lambda: made.madelon(2_000, 20), "overlapping"),
        (lambda: made.words(400, 2_000, 20, "words"), "separable"),
        (lambda: made.words(200, 600, 20, "twins"), "quasi-separable"),
        (lambda: made.duplicates(20_000, 5), "overlapping"),
        (lambda: made.conflict(2_000, 5), "overlapping"),
        (lambda: made.grid(3_000, 4), "quasi-separable"),
        (lambda: made.integers(2_000, 5), "overlapping"),
        (lambda: made.gaussian(30, 60), "separable"),
    ],
)
def test_the_rows_are_of_the_kind_that_they_are_made_to_be(make, kind):
    assert separability(*make(), threads=1).kind == kind


def test_no_single_column_tells_anything_of_a_hidden_one():
    X, y = made.hidden(2_000, 6)
    up, down = X[y > 0], X[y < 0]
    assert (up.max(axis=0) > down.min(axis=0)).all()
    assert (down.max(axis=0) > up.min(axis=0)).all()


def test_the_rival_by_linear_program_knows_weak_separation():
    line = np.array([[1.0], [2.0], [2.0], [3.0]])
    for form in (np.asarray, sparse.csr_array):
        assert rivals.linprog(form(line), [-1, -1, 1, 1])
        assert not rivals.linprog(form(line), [-1, 1, 1, -1])


def test_a_shape_is_measured_and_contradictions_are_told():
    shape = Shape("dense", 300, 3, lambda n, d: made.dense(n, d, "overlapping"), "overlapping", "rows, dense")
    found = measuring.measure(shape, False, 20)
    assert (found.rows, found.columns, found.nonzeros) == (300, 3, 900)
    assert found.ours["kind"] == "overlapping"
    assert found.ours["holds"] is True
    assert found.ours["bytes"] > 100
    assert found.rivals["linprog"]["answer"] is False
    assert found.wrong == []
    cells = dict(zip(tables.SHAPES, tables.shape_cells(found), strict=True))
    assert (cells["rows"], cells["verdict"]) == ("300", "overlapping")
    other = measuring.Measured(
        Shape("x", 300, 3, shape.make, "separable"), 300, 3, 900, found.ours | {"holds": False},
        {"linprog": {"answer": True, "seconds": 2 * found.ours["seconds"]}},
    )  # fmt: skip
    assert other.wrong == ["the proof does not hold", "made to be separable", "linprog says separation"]


def test_what_does_not_end_or_fails_says_so():
    def endless():
        while True:
            pass

    def absent():
        raise AbsentError("it is not here")

    assert measuring.apart(endless, 1) == {"why": "> 1 s"}
    assert measuring.apart(absent, 5) == {"why": "it is not here"}
    assert measuring.apart(lambda: {"a": 1 // 0}, 5)["why"].startswith("ZeroDivisionError")


def test_slopes_are_those_of_powers():
    assert growth.slope([10, 100, 1000], [3e-3, 3e-1, 3e1]) == pytest.approx(2)
    assert growth.slope([10, 10], [1, 2]) is None
    rows = [
        measuring.Measured(Shape("x", n, 2, made.gaussian, None, "rows, x"), n, 2, 2 * n, told, {})
        for n, told in (
            (10, {"kind": "separable", "seconds": 1.0, "bytes": 5, "verify": 1e-3}),
            (1_000, {"kind": "separable", "seconds": 10.0, "bytes": 5, "verify": 1e-1}),
            (9_000, {"kind": "undecided", "seconds": 10.0}),
        )
    ]
    assert growth.slopes(rows) == [("rows", "x", 2, pytest.approx({"seconds": 0.5, "bytes": 0.0, "verify": 1.0}))]


def test_a_limit_holds_within_a_fifth_or_half_a_second():
    assert [limits.held(1, s) for s in (1.5, 1.51)] == [True, False]
    assert [limits.held(10, s) for s in (12.0, 12.1)] == [True, False]
    rows = [("f", "x", 1.0, 1.4, ""), ("f", "x", 1.0, None, ""), ("g", "x", 1.0, 3.0, "")]
    assert (limits.share(rows, "f"), limits.share(rows, "g")) == ((1, 2), (0, 1))
    told = limits.ask("least_mistakes", *made.dense(500, 5, "overlapping"), 0.3)
    assert told["seconds"] > 0
    assert told["said"] in ("time", "exact")
    assert [cells[4] for cells in tables.limit_cells(rows)] == ["in time", "**late**", "**late**"]


def test_real_sets_are_asked_class_by_class_and_absences_are_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "iris_fisher_R.csv").write_text(
        "rownames,a,b,Species\n" + "".join(f"{i},{i % 5},{i},{'xyz'[i // 10]}\n" for i in range(30))
    )
    monkeypatch.setenv("ROSENBLATT_DATA", str(tmp_path))
    lines, fault = command.of_real(True, lambda name: name in ("iris", "heart"))
    assert fault is False
    kinds = {line.split(" | ")[0]: line.split(" | ")[2] for line in lines if "against the rest" in line}
    assert kinds == {
        "| iris, x against the rest": "separable",
        "| iris, y against the rest": "overlapping",
        "| iris, z against the rest": "separable",
    }
    assert any("heart_scale.svm is not in the folder" in line for line in lines)
    assert "Undecided after 1 s: none." in lines
    monkeypatch.delenv("ROSENBLATT_DATA")
    assert "ROSENBLATT_DATA is not set" in "".join(command.of_brackets(True, lambda name: name == "heart")[0])


def test_a_bracket_is_told_with_its_proof(tmp_path, monkeypatch):
    (tmp_path / "heart_scale.svm").write_text("".join(f"{y} 1:{x}\n" for x, y in enumerate([-1, -1, 1, -1, 1, 1])))
    monkeypatch.setenv("ROSENBLATT_DATA", str(tmp_path))
    told = real_sets.bracket("heart", 5.0)
    assert (told["lower"], told["upper"], told["holds"]) == (1, 1, True)
    assert tables.bracket_cells("heart", 5.0, told)[:4] == ("heart", "5 s", "1", "1")


def test_a_part_of_the_tables_is_printed_and_not_written(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(command, "RESULTS", tmp_path / "VERDICTS.md")
    assert command.main(["shapes", "--quick", "--only", "two rows"]) == 0
    assert "two rows  2  20  40  separable" in capsys.readouterr().out
    assert not command.RESULTS.exists()
