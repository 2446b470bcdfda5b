"""Brackets of mistakes against every set of rows tried, and searches that are cut short: whatever they say is true."""

import time
from collections import Counter
from typing import Any

import exact_cone
import numpy as np
import pytest
import random_tables
import scipy.sparse as sp
from random_tables import DENSE, PEELED
from separated import rows_z

from rosenblatt import InputError, Verdict, least_mistakes, separability, verify

MOST_ROWS = 9  # whose subsets can all be tried


def small(count: int) -> list[random_tables.Table]:
    """Tables of every family with so few rows that the fewest mistakes can be found by trying."""
    families, found, seed = [*PEELED, *DENSE], [], 0
    while len(found) < count:
        table = random_tables.table(families[seed % len(families)], 200_000 + seed)
        seed += 1
        if len(table.y) <= MOST_ROWS and table.values.shape[1] <= 20:
            found.append(table)
    return found


@pytest.mark.slow
def test_brackets_hold_the_fewest_mistakes_of_small_tables():
    met: Counter[str] = Counter()
    for table in small(120):
        z = rows_z(table.values, table.y, table.origin)
        fewest = exact_cone.fewest_mistakes(z)
        found = least_mistakes(table.X, table.y, through_origin=table.origin, time_limit=5.0, threads=1)
        assert found.lower <= fewest <= found.upper, table
        assert (found.lower >= 1) == bool(exact_cone.stuck(z)), table
        assert len(found.rescue) == found.upper
        rest = [row for i, row in enumerate(z) if i not in set(found.rescue.tolist())]
        assert not rest or not exact_cone.stuck(rest), table
        assert found.check(), (found.check(), table)
        met.update([f"{min(fewest, 3)} mistakes", "exact" if found.exact else "open", found.by])
    print(met)
    assert min(met[f"{k} mistakes"] for k in range(3)) > 10
    assert met["exact"] > 110


def hard(rng: np.random.Generator, which: str) -> tuple[Any, np.ndarray]:
    """Tables that take from a hundredth of a second to seconds, of every kind."""
    if which == "words":
        n, d = 1_500, 3_000
        X = sp.random_array((n, d), density=0.01, rng=rng, format="csr")
        return X, rng.choice([-1, 1], n)
    n, d = (3_000, 25) if which != "columns" else (400, 120)
    X = rng.standard_normal((n, d))
    w = rng.standard_normal(d)
    y = np.where(X @ w > 0, 1, -1)
    if which == "slim":
        return X + np.outer(1e-6 * y, w), y
    wrong = rng.choice(n, n // 20, replace=False)
    y[wrong] = -y[wrong]
    if which == "quasi":  # those beside a column that only positive rows have
        X[:, 0] = (y > 0) & (rng.random(n) < 0.3)
    return X, y


@pytest.fixture(scope="module")
def settled() -> dict[str, tuple[Any, np.ndarray, Verdict]]:
    """Each table with its verdict, which took as long as it took and whose proof holds."""
    found = {}
    for which in ("slim", "quasi", "overlap", "columns", "words"):
        X, y = hard(np.random.default_rng(0), which)
        verdict = separability(X, y, threads=1)
        assert verdict.check()
        found[which] = X, y, verdict
    assert {verdict.kind for *_, verdict in found.values()} == {"separable", "quasi-separable", "overlapping"}
    return found


@pytest.mark.slow
@pytest.mark.serial
def test_what_is_said_when_time_runs_out_is_true_and_said_in_time(settled):
    rng = np.random.default_rng(1)
    met: Counter[str] = Counter()
    for k in range(60):
        which = [*settled][k % len(settled)]
        X, y, truth = settled[which]
        limit = float(10 ** rng.uniform(-4, np.log10(0.5)))
        begin = time.process_time()  # other work on the machine does not count
        verdict = separability(X, y, time_limit=limit, threads=1)
        took = time.process_time() - begin
        assert took <= 2 * limit + 2, (which, limit, took)
        assert verdict.kind in ("undecided", truth.kind), (which, limit, verdict.kind)
        assert verdict.separable in (None, truth.separable), (which, limit)
        if verdict.boundary_rows is not None:
            assert np.array_equal(verdict.boundary_rows, truth.boundary_rows), (which, limit)
        try:
            proof = verdict.proof
        except InputError as error:
            assert verdict.kind == "undecided", error  # noqa: PT017
            assert verdict.separable is None
        else:
            assert verify(proof, X, y), (which, limit)
            met["proved"] += 1
        met[verdict.kind] += 1
    print(met)
    assert met["undecided"] >= 5
    assert met["proved"] >= 5
