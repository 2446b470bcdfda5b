"""Rows that single columns set aside: which ones, in plain loops; and the hyperplane that does it, in fractions."""

from collections import Counter

import pytest
import random_tables
from random_tables import PEELED, chain
from separated import dot, rows_z

from rosenblatt import Examples
from rosenblatt.separation.peeling import peel
from rosenblatt.separation.signed_rows import SignedRows


@pytest.mark.parametrize("family", dict.fromkeys(PEELED), ids=lambda family: family.__name__)
def test_peeling_sets_aside_what_plain_loops_do(family):
    met: Counter[str] = Counter()
    for seed in range(300_000, 300_060):
        table = random_tables.table(family, seed)
        count, left = random_tables.levels(table.values, table.y, table.origin)
        found = peel(SignedRows(Examples.of(table.X, table.y), table.origin, 60.0, 1))
        assert found.left.nonzero()[0].tolist() == left.tolist(), seed
        assert (found.levels > 0) == (count > 0) == (found.v is not None), seed
        assert found.levels >= count, seed  # a threshold that is one of two neighbouring numbers takes one more
        if found.v is not None:
            margins = [dot(row, found.v) for row in rows_z(table.values, table.y, table.origin)]
            assert all(m == 0 if stays else m > 0 for m, stays in zip(margins, found.left, strict=True)), seed
        met.update([f"levels {min(count, 2)}", "all" if not left.size else "some" if count else "none"])
    print(met)
    assert met["all"] > 10
    assert met["some"] > 5
    assert met["levels 2"] > 10 or family is not chain
