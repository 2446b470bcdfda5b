"""The fewest mistakes of rows that are not in memory: bounds that hold for all rows, and proofs of them.

Where all rows fit into memory the bracket is that of the same rows there. Where the working set is made small, it is
found among few rows at a time.
"""

from typing import Any

import effort
import numpy as np
import pytest
import random_tables
import scipy.sparse as sp
from gathered_source import GatheredSource
from several_sources import SeveralSources
from test_streamed import FAMILIES, N, along_a_column, few_rows, separable, slips, twice

from rosenblatt import InputError, least_mistakes, separability, verify
from rosenblatt.data.source import CHUNK
from rosenblatt.separation.streamed import mistaken, working_set

__all__ = ["few_rows"]
PLACES = {"pieces": GatheredSource, "several": SeveralSources}


def noisy(n: int, d: int, flipped: float, seed: int = 0) -> tuple[Any, Any]:
    """Rows about a hyperplane, some of them with the other label."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) > 0.2, 1, -1)
    y[rng.random(n) < flipped] *= -1
    return X, y


@pytest.mark.parametrize("place", PLACES)
def test_rows_that_fit_into_memory_have_the_bracket_of_the_same_rows_there(place: str) -> None:
    for k in range(effort.examples(12)):
        table = random_tables.table(FAMILIES[k % len(FAMILIES)], 500_000 + k)
        if len(table.y) < 2:
            continue
        source = GatheredSource(table.X, table.y) if place == "pieces" else SeveralSources(table.X, table.y, 3)
        here = least_mistakes(table.X, table.y, through_origin=table.origin, time_limit=1, threads=1)
        there = least_mistakes(source, through_origin=table.origin, time_limit=1, threads=1)
        assert there.lower <= here.upper, k
        assert here.lower <= there.upper, k
        if here.exact and there.exact:
            assert (there.lower, there.by == "sweep") == (here.lower, here.by == "sweep")
        assert there.check(), k
        assert verify(there.proof, table.X, table.y)
        assert there.rescue.size == there.upper


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize("origin", [False, True], ids=["offset", "origin"])
@pytest.mark.parametrize("place", PLACES)
def test_few_rows_at_a_time_bound_the_mistakes_of_all(place: str, origin: bool) -> None:
    for seed in range(2):
        X, y = noisy(400, 2, 0.03, seed)
        best = least_mistakes(X, y, through_origin=origin, threads=1)
        assert best.exact
        source = PLACES[place](X, y)
        found = least_mistakes(source, through_origin=origin, time_limit=1, threads=1, seed=seed)
        assert 0 < found.lower <= best.lower <= found.upper
        assert found.status.name in ("stalled", "time", "exact")
        assert found.rescue.size == found.upper
        w, b = found.exact_hyperplane
        m = (X @ np.array([float(x) for x in w]) + float(b)) * y
        assert np.array_equal(found.rescue, np.flatnonzero(m <= 0))
        assert max(found.distances[row] for row in found.rescue.tolist()) <= 0
        assert found.check()
        assert verify(found.proof, X, y) == found.check()
        rows = np.concatenate(found.witnesses)
        for witness in found.witnesses:
            assert separability(X[witness], y[witness], through_origin=origin).kind != "separable"
        if all(weight == 1 for _, weight in found.packing):
            assert np.unique(rows).size == rows.size


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_many_chunks(place: str, sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_set, "NUMBERS", 6000)
    X, y = slips(np.random.default_rng(1))
    source = PLACES[place](sp.csr_array(X) if sparse else X, y)
    found = least_mistakes(source, time_limit=3)
    assert 1 <= found.lower <= 2 <= found.upper <= 12
    assert found.check()
    assert found.summary().startswith("Fewest mistakes of any hyperplane")
    assert [one.row for one in found.suspects][: found.upper] == sorted(
        found.rescue.tolist(), key=lambda row: (-found.shares.get(row, 0), found.distances[row], row)
    )


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("made", [separable, twice, along_a_column], ids=lambda made: made.__name__)
def test_rows_that_few_others_tell_of(place: str, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_set, "NUMBERS", 6000)
    X, y = made(np.random.default_rng(1))
    found = least_mistakes(PLACES[place](X, y), time_limit=2 if made is along_a_column else 20)
    if made is along_a_column and found.lower <= 30:  # on a machine that is busy
        found = least_mistakes(PLACES[place](X, y), time_limit=20)
    if made is separable:
        assert (found.lower, found.upper, found.status.key) == (0, 0, "exact.none")
    elif made is twice:
        assert (found.lower, found.upper, found.status.key) == (1, 1, "exact.mistakes")
    else:
        assert 30 < found.lower <= found.upper < N // 20
    assert found.check()


def test_only_the_farthest_are_listed_where_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_set, "NUMBERS", 6000)
    monkeypatch.setattr(mistaken, "LISTED", 50)
    X, y = noisy(N, 3, 0.05)
    found = least_mistakes(SeveralSources(X, y), time_limit=2)
    assert found.rescue.size == 50 < found.upper
    w, b = found.hyperplane.w, found.hyperplane.b
    m = (X @ w + b) * y
    assert {*found.rescue.tolist()} == {*np.argsort(m)[:50].tolist()}
    assert "only the farthest 50 are listed" in found.status.advice
    assert "Without" not in found.summary()
    assert found.check()


def test_what_time_leaves_is_said() -> None:
    X, y = noisy(3 * CHUNK, 3, 0.05)
    for place in PLACES.values():
        found = least_mistakes(place(X, y), time_limit=1e-9)
        assert (found.lower, found.upper, found.counted) == (0, 3 * CHUNK, False)
        assert found.status.key == "time.uncounted"
        assert "before the mistakes of a hyperplane were counted" in found.summary()
        with pytest.raises(InputError, match="there is nothing to prove"):
            found.proof  # noqa: B018
    told: list[Any] = []
    stopped = least_mistakes(SeveralSources(X, y), progress=lambda one: told.append(one) or len(told) > 3)  # type: ignore[func-returns-value]
    assert stopped.status.name == "stopped"


def test_a_number_that_is_not_finite_is_named_by_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_set, "NUMBERS", 600)
    X, y = separable(np.random.default_rng(3))
    X[CHUNK + 37, 3] = np.nan
    for place in PLACES.values():
        with pytest.raises(InputError, match=f"row {CHUNK + 37}, column 3"):
            least_mistakes(place(X, y), time_limit=5)
