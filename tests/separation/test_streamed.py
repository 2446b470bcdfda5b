"""Rows that are not in memory: verdicts and margins are those of the same rows in memory, and proofs hold for both.

`GatheredSource` never gives all of its rows at once. The working set is made so small here that it has to grow, and to
leave rows out again, before anything is known.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import effort
import exact_cone
import numpy as np
import pytest
import random_tables
import scipy.sparse as sp
from gathered_source import GatheredSource
from random_tables import DENSE, LARGER, PEELED
from separated import dot, rows_z
from test_random_verdicts import judge

from rosenblatt import Examples, InputError, logistic_clinic, max_margin, separability, verify
from rosenblatt.data.source import CHUNK, Source
from rosenblatt.proof.blocks import fingerprint_of_blocks
from rosenblatt.proof.fingerprint import fingerprint
from rosenblatt.separation.streamed import working_set

FAMILIES = PEELED + DENSE + LARGER
N = 2 * CHUNK + 901


@pytest.fixture
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A working set that begins with two rows, and gets one more at a time."""
    monkeypatch.setattr(working_set, "NUMBERS", 1)
    monkeypatch.setattr(working_set, "_LEAST", 1)


def overlapping(rng: Any) -> tuple[Any, Any]:
    X = rng.normal(size=(N, 5))
    return X, np.where(X @ rng.normal(size=5) + 0.1 * rng.normal(size=N) > 0, 1, -1)


def slips(rng: Any) -> tuple[Any, Any]:
    X = rng.normal(size=(N, 6))
    y = np.where(X @ rng.normal(size=6) > 0.3, 1, -1)
    y[rng.choice(N, 2, False)] *= -1
    return X, y


def separable(rng: Any) -> tuple[Any, Any]:
    X = rng.normal(size=(N, 6))
    return X, np.where(X @ rng.normal(size=6) > 0.3, 1, -1)


def rare_class(rng: Any) -> tuple[Any, Any]:
    X = rng.normal(size=(N, 3))
    y = np.full(N, -1)
    X[7777], y[7777] = [9.0, 9.0, 9.0], 1
    return X, y


def twice(rng: Any) -> tuple[Any, Any]:
    """One point with both labels, far apart in the file, among rows that can be separated."""
    X, y = separable(rng)
    X[N - 3], y[N - 3] = X[5], -y[5]
    return X, y


def along_a_column(rng: Any) -> tuple[Any, Any]:
    """Quasi-separable: on x₀ = 0 anything goes."""
    X = rng.integers(-9, 10, (N, 4)).astype(float)
    y = np.where(X[:, 0] > 0, 1, -1)
    on = X[:, 0] == 0
    y[on] = rng.choice([-1, 1], int(on.sum()))
    return X, y


def levels(rng: Any) -> tuple[Any, Any]:
    """Quasi-separable in two steps, askew: what the first direction leaves, a second one frees in part."""
    X = rng.integers(-9, 10, (N, 4)).astype(float)
    X[rng.random(N) < 0.8, 0] = 0
    y = np.where(X[:, 0] != 0, np.where(X[:, 0] > 0, 1, -1), np.where(X[:, 1] > 0, 1, -1))
    on = (X[:, 0] == 0) & (X[:, 1] == 0)
    y[on] = rng.choice([-1, 1], int(on.sum()))
    return X @ np.array([[1, 2, 0, 3], [0, 1, -1, 2], [1, 0, 1, 0], [2, 1, 0, 1]]), y


def counts(rng: Any) -> tuple[Any, Any]:
    """Words, few in a row: frequent ones in both classes, and rare ones in one."""
    X = np.zeros((N, 30))
    for _ in range(4):
        X[np.arange(N), np.minimum(29, np.exp(rng.random(N) * np.log(40)).astype(int) - 1)] += 1
    return sp.csr_array(X), np.where(X @ rng.normal(size=30) > 0, 1, -1)


MADE = {
    overlapping: "overlapping", slips: "overlapping", separable: "separable", rare_class: "separable",
    twice: None, along_a_column: "quasi-separable", levels: "quasi-separable", counts: None,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("origin", [False, True], ids=["offset", "origin"])
@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_several_chunks_have_the_verdict_of_the_same_rows_in_memory(made: Any, origin: bool) -> None:
    X, y = made(np.random.default_rng(1))
    there, here = separability(GatheredSource(X, y), through_origin=origin), separability(X, y, through_origin=origin)
    assert there.kind == here.kind
    assert origin or MADE[made] in (None, there.kind)
    assert there.boundary == here.boundary
    assert np.array_equal(there.boundary_rows, here.boundary_rows)  # type: ignore[arg-type]
    assert there.proof.sha256 == here.proof.sha256
    assert there.check()
    found = verify(there.proof, X, y)
    assert found, found.reason
    if there.kind == "separable":
        w, b = there.exact_hyperplane  # type: ignore[misc]
        plane = np.array([float(x) for x in w])
        about = ((X @ plane + float(b)) * y).min() / np.linalg.norm(plane)
        assert there.margin == pytest.approx(about, rel=1e-6)
    else:
        entries = there.to_dict()["witness"]
        assert [y[one["row"]] for one in entries] == [one["label"] for one in entries]


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize("family", dict.fromkeys(FAMILIES), ids=lambda family: family.__name__)
def test_a_working_set_of_hardly_any_rows_comes_to_the_verdict_of_the_oracle(family: Any) -> None:
    met: Counter[str] = Counter()
    for k in range(effort.examples(12)):
        table = random_tables.table(family, 300_000 + k)
        z = rows_z(table.values, table.y, table.origin)
        verdict = separability(GatheredSource(table.X, table.y), through_origin=table.origin, threads=1)
        judge(table, z, exact_cone.stuck(z), verdict)
        assert verdict.check(), (family, k)
        met[verdict.kind] += 1
    assert sum(met.values()) == effort.examples(12)


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize("offset", ["free", 0, 1.0, "radius"])
def test_margins_are_the_same_exactly(offset: float | str) -> None:
    met: Counter[str] = Counter()
    for k in range(effort.examples(30)):
        table = random_tables.table(FAMILIES[k % len(FAMILIES)], 400_000 + k)
        try:
            here = max_margin(table.X, table.y, offset=offset, rel_gap=0, threads=1)
        except InputError:
            continue  # one class, or rows too long for a radius
        there = max_margin(GatheredSource(table.X, table.y), offset=offset, rel_gap=0, threads=1)
        assert there.status.name == here.status.name, (table.name, k)
        met[there.status.name] += 1
        if here.found is None:
            assert there.verdict is not None
            assert here.verdict is not None
            assert there.verdict.kind == here.verdict.kind
        else:
            assert (there.margin2, there.upper2, there.radius) == (here.margin2, here.upper2, here.radius)
        assert verify(there.proof, table.X, table.y)
        assert there.check()
    assert met["exact"]


@pytest.mark.slow
@pytest.mark.parametrize("offset", ["free", 0, 1.0, "radius"])
@pytest.mark.parametrize("made", [separable, rare_class, slips], ids=lambda made: made.__name__)
def test_several_chunks_have_the_margin_of_the_same_rows_in_memory(made: Any, offset: float | str) -> None:
    X, y = made(np.random.default_rng(2))
    there, here = max_margin(GatheredSource(X, y), offset=offset), max_margin(X, y, offset=offset)
    assert there.status.name == here.status.name
    if here.found is not None:
        assert there.margin2 == here.margin2
        assert there.support_rows.tolist() == here.support_rows.tolist()
        rounded = {"seconds": 0, "hyperplane": None}  # floats that propose, and clocks
        assert there.to_dict() | rounded == here.to_dict() | rounded
    assert verify(there.proof, X, y)


@pytest.mark.parametrize("form", [np.asarray, np.float32, sp.csr_array], ids=["array", "float32", "csr"])
@pytest.mark.parametrize("density", [0.2, 0.9])
def test_a_source_has_the_fingerprint_of_its_rows(form: Any, density: float) -> None:
    rng = np.random.default_rng(4)
    X = form(np.where(rng.random((N, 3)) < density, rng.normal(size=(N, 3)), -0.0))
    y = rng.choice([-1, 1], N)
    wanted = fingerprint(X, y)
    for sizes in ([N], [1, CHUNK, 4095, N - 2 * CHUNK], [CHUNK - 1, 1, 2, N - CHUNK - 2], [CHUNK] * 2 + [901]):
        cuts = np.cumsum([0, *sizes]).tolist()
        assert cuts[-1] == N
        parts = [(X[a:b], y[a:b]) for a, b in pairwise(cuts)]
        assert fingerprint_of_blocks(lambda parts=parts: parts) == wanted


def test_what_time_leaves_is_said() -> None:
    X, y = separable(np.random.default_rng(3))
    scans = 0

    def enough(progress: Any) -> bool:
        nonlocal scans
        scans = progress.known.get("scans", 0)
        return scans > 2

    best = max_margin(GatheredSource(X, y), progress=enough)
    assert scans == 3
    whole = max_margin(X, y)
    assert best.status.name in ("stopped", "stopped.margin", "undecided", "undecided.stopped")
    if best.found is not None:
        assert best.margin2 <= whole.margin2 <= best.upper2
        assert best.margin <= whole.margin <= best.margin_upper
        assert verify(best.proof, X, y)
    verdict = separability(GatheredSource(X, y), progress=lambda progress: progress.known.get("scans", 0) > 1)
    assert verdict.kind == "undecided"
    assert verdict.found.steps == ["it was stopped"]
    with pytest.raises(InputError, match="there is nothing to prove"):
        verdict.proof  # noqa: B018


def test_a_number_that_is_not_finite_is_named_by_its_place() -> None:
    X, y = separable(np.random.default_rng(3))
    source = GatheredSource(X, y, tuple("abcdef"))
    source.blocks[CHUNK // 16 + 2][5, 3] = np.nan
    place = f"row {CHUNK + 37}, column 3 \\(d\\): not a finite number"
    for ask in (separability, max_margin, lambda source: max_margin(source, offset="radius")):
        with pytest.raises(InputError, match=place):
            ask(source)


def test_who_needs_all_rows_says_so() -> None:
    X, y = along_a_column(np.random.default_rng(3))
    source = GatheredSource(X, y)
    with pytest.raises(InputError, match="takes rows in memory"):
        logistic_clinic(source)
    verdict = separability(source)
    with pytest.raises(InputError, match="takes rows in memory"):
        verdict.examples  # noqa: B018
    with pytest.raises(InputError, match="leave out y"):
        separability(source, y)
    with pytest.raises(InputError, match="give X and y"):
        separability(source, multiclass="rest")
    three = Examples.of(X, np.arange(N) % 3)
    with pytest.raises(InputError, match="3 classes"):
        separability(three)


def test_a_source_that_gathers_other_rows_is_found_out() -> None:
    X, y = separable(np.random.default_rng(3))

    class Short(GatheredSource):
        def gather(self, numbers: Any) -> Any:
            return super().gather(numbers[1:])

    with pytest.raises(InputError, match=r"Short\.gather gave"):
        separability(Short(X, y))


def test_lines_of_a_source_are_told() -> None:
    X, y = slips(np.random.default_rng(3))

    class Lined(GatheredSource):
        def lines_of(self, numbers: Any) -> Any:
            return numbers + 2

    verdict = separability(Lined(X, y))
    assert [one["line"] for one in verdict.to_dict()["witness"]] == [row + 2 for row in verdict.witness_rows]  # type: ignore[union-attr]
    assert "line" in verdict.summary()
    assert isinstance(verdict.source, Source)


def test_sums_over_chunks_are_exact() -> None:
    X, y = levels(np.random.default_rng(5))
    verdict = separability(GatheredSource(X, y))
    rows, delta = verdict.found.balance  # type: ignore[misc]
    T = verdict.boundary_rows
    z = rows_z(X[T], y[T], False)
    total = [sum(column, Fraction(0)) for column in zip(*z, strict=True)]
    places = np.searchsorted(T, rows)  # type: ignore[arg-type]
    assert [dot([z[i][j] for i in places], delta) + total[j] for j in range(5)] == [0] * 5
