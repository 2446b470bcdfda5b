"""`clinic` and its like, as a statistician uses them: R's terms, reference levels, counts, and known estimates."""

from pathlib import Path

import numpy as np
import pytest
from commands import answer, run

HEAD = "arm,sex,age,died\n"
ROWS = ["A,f,30,no", "A,m,41,yes", "A,f,52,no", "A,m,44,no", "A,f,61,yes", "B,m,60,no", "B,f,35,yes", "B,m,48,yes",
        "B,f,50,no", "C,m,44,yes", "C,f,58,yes", "C,m,31,yes"]  # fmt: skip
ARMS = HEAD + "\n".join(ROWS) + "\n"


@pytest.fixture
def arms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("arms.csv")
    path.write_text(ARMS)
    return path


def test_an_arm_of_events_alone_is_armc(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "clinic", arms, "--label", "died")
    assert code == 0
    assert out.splitlines()[:4] == [
        "No finite estimate: quasi-complete separation (the data are quasi-separable).",
        "arms.csv: 12 rows × 4 columns; class yes (7 rows) against no (5).",
        "Text columns: arm (3 levels) against A, sex (2 levels) against f.",
        "  +inf  armC",
    ]
    assert max(map(len, out.splitlines())) <= 80
    found = answer(capsys, "clinic", arms, "--label", "died")
    assert found["data"]["reading"]["coding"] == "reference"
    assert found["data"]["reading"]["reference"] == {"arm": "A", "sex": "f"}
    assert found["data"]["levels"] == {"arm": 3, "sex": 2}
    assert [(one["name"], one["term"], one["status"]) for one in found["clinic"]["coefficients"]] == [
        ("arm=B", "armB", "finite"),
        ("arm=C", "armC", "+inf"),
        ("sex=m", "sexm", "finite"),
        ("age", "age", "finite"),
        ("(offset)", "(Intercept)", "finite"),
    ]


def test_against_another_level_the_answer_turns_round(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "clinic", arms, "--label", "died", "--reference", "arm=C")
    status = {one["term"]: one["status"] for one in found["clinic"]["coefficients"]}
    assert status == {"armA": "-inf", "armB": "-inf", "sexm": "finite", "age": "finite", "(Intercept)": "+inf"}


def test_all_levels_are_dropped_to_as_many_as_r_keeps(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", arms, "--label", "died", "--coding", "levels")
    assert code == 1
    assert "2 text columns, one feature for each of 5 values." in out
    assert "Logistic regression: quasi-complete separation" in out
    assert "\n  armC = (Intercept) - armA - armB\n  sexm = (Intercept) - sexf\n" in out
    assert "\n  -inf  armA, armB\n" in out


def test_without_an_offset_the_first_factor_is_whole(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "clinic", arms, "--label", "died", "--origin")
    names = [one["term"] for one in found["clinic"]["coefficients"]]
    assert names == ["armA", "armB", "armC", "sexm", "age"]
    assert found["clinic"]["dropped"] == []


def test_a_proof_says_how_text_was_coded(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in ((), ("--origin",), ("--reference", "arm=B"), ("--coding", "levels")):
        run(capsys, "check", arms, "--label", "died", "--proof", "p.json", *options)
        for reader in ((), ("--slow-reader",)):
            code, out, err = run(capsys, "verify", "p.json", arms, *reader)
            assert (code, err) == (0, ""), (options, reader, out)
        Path("p.json").unlink()


def test_advice_repeats_the_options(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "check", arms, "--label", "died", "--reference", "arm=B", "--reference", "sex=m")
    plain = " ".join(out.replace("\\\n", " ").split())
    assert "rosenblatt clinic arms.csv --label died --reference arm=B --reference sex=m" in plain


def test_unknown_levels_are_told_when_predicting(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "train", arms, "--label", "died", "--reference", "arm=A", "-m", "m.json")
    Path("new.csv").write_text("arm,sex,age\nD,f,30\nA,f,30\n")
    code, out, err = run(capsys, "predict", "m.json", "new.csv")
    assert code == 0, err
    assert len(set(out.split())) == 1  # D looks like A
    assert "taken for the column's reference level: 'arm=D'" in " ".join(err.split())
    assert "one value only" not in err  # of a model's own reference nothing need be said


GROUPED = "s,f,height,light\n20,2,low,sun\n13,0,high,sun\n8,1,low,shade\n6,0,high,shade\n5,3,low,sun\n"


def newton(X: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Maximum likelihood by plain Newton steps, which these few rows allow."""
    beta = np.zeros(X.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-X @ beta))
        beta = beta + np.linalg.solve(X.T @ (X * (counts * p * (1 - p))[:, None]), X.T @ (counts * (y - p)))
    return beta


def test_grouped_counts_are_observations(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("grouped.csv").write_text(GROUPED + "3,4,high,sun\n")
    found = answer(capsys, "clinic", "grouped.csv", "--counts", "s,f")
    assert found["clinic"]["observations"] == 65
    assert found["data"]["rows"] == 10  # two were never seen
    assert found["data"]["positive"] == "s"
    # (Intercept), low, shade.
    table = [(1, 1, 0, 20, 2), (1, 0, 0, 13, 0), (1, 1, 1, 8, 1), (1, 0, 1, 6, 0), (1, 1, 0, 5, 3), (1, 0, 0, 3, 4)]
    X = np.array([row[:3] for row in table for _ in "sf"], dtype=float)
    y, counts = np.array([1.0, 0.0] * 6), np.array([count for row in table for count in row[3:]], dtype=float)
    beta = newton(X, y, counts)
    estimates = {one["term"]: one["estimate"] for one in found["clinic"]["coefficients"]}
    reference = found["data"]["reading"]["reference"]
    assert reference == {"height": "low", "light": "sun"}  # by observations: 39 against 26, 50 against 15
    assert estimates["heighthigh"] == pytest.approx(-beta[1], abs=1e-6)
    assert estimates["lightshade"] == pytest.approx(beta[2], abs=1e-6)


def test_one_column_of_counts_is_the_same_as_so_many_rows(arms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = [1, 2, 0, 3, 1, 1, 1, 2, 1, 1, 1, 0]
    Path("n.csv").write_text("n," + HEAD + "".join(f"{c},{row}\n" for c, row in zip(counts, ROWS, strict=True)))
    repeated = HEAD + "".join(f"{row}\n" * c for c, row in zip(counts, ROWS, strict=True))
    Path("rows.csv").write_text(repeated)
    one = answer(capsys, "clinic", "n.csv", "--label", "died", "--counts", "n")
    two = answer(capsys, "clinic", "rows.csv", "--label", "died")
    assert one["clinic"]["observations"] == two["data"]["rows"] == sum(counts)
    for grouped, single in zip(one["clinic"]["coefficients"], two["clinic"]["coefficients"], strict=True):
        assert (grouped["term"], grouped["status"]) == (single["term"], single["status"])
        assert grouped["estimate"] == pytest.approx(single["estimate"], abs=1e-6)
    code, out, _ = run(capsys, "check", "n.csv", "--label", "died", "--counts", "n", "--proof", "p.json")
    assert code == 1
    assert "rosenblatt suspects" not in out
    assert run(capsys, "verify", "p.json", "n.csv")[0] == 0
    assert run(capsys, "suspects", "n.csv", "--label", "died", "--counts", "n")[0] == 2


def test_check_says_how_long_it_looks_for_coefficients(capsys: pytest.CaptureFixture[str]) -> None:
    from rosenblatt.separation.verdict import _PATIENCE

    help_text = " ".join(run(capsys, "check", "--help")[1].split())
    assert f"Which coefficients diverge is given up after {_PATIENCE:g} s" in help_text


def test_a_total_of_decimals_is_named_and_the_command_leaves_it_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    a, b = rng.integers(1, 600, size=60), rng.integers(1, 390, size=60)
    y = rng.integers(2, size=60)
    rows = [f"{i / 10},{j / 10},{(i + j) / 10},{k}" for i, j, k in zip(a, b, y, strict=True)]
    Path("t.csv").write_text("\n".join(["a,b,the total,y", *rows, ""]))
    for command in ("clinic", "check"):
        out = " ".join(run(capsys, command, "t.csv", "--label", "y")[1].split())
        said = "Nearly dependent, up to rounding: the total ≈ a + b. R would drop it; --leave-out 'the total' does."
        assert said in out
        assert "fit the model in any program" not in out
    found = answer(capsys, "clinic", "t.csv", "--label", "y")
    assert found["clinic"]["nearly_dependent"] == [{"name": "the total", "equals": {"a": 1.0, "b": 1.0}}]
    step = found["next"][0]["command"]
    assert step == ["rosenblatt", "clinic", "t.csv", "--label", "y", "--leave-out", "the total"]
    without = answer(capsys, *step[1:])
    assert without["clinic"]["nearly_dependent"] == []
    assert without["clinic"]["fit"]["converged"]
    svm = [f"{k} 1:{i / 10} 2:{j / 10} 3:{(i + j) / 10}" for i, j, k in zip(a, b, y, strict=True)]
    Path("t.svm").write_text("\n".join([*svm, ""]))
    out = " ".join(run(capsys, "clinic", "t.svm")[1].split())
    assert "x3 ≈ x1 + x2. R would drop it. " in out
    assert "--leave-out" not in out
