"""Verdicts on random tables against an oracle in whole numbers, which shares nothing with the search (exact_cone.py).

A thousand tables here, ten thousand in `make test-long`. Whatever a verdict says is compared or checked: its kind, the
rows on the boundary, the witness and that it is minimal, the words on coefficients, and the proof before the checker.
The families of tables (random_tables.py) are there to lead the search down every path: how often each was reached is
counted by other means, and has to be enough.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import exact_cone
import numpy as np
import pytest
import random_tables
from random_tables import DENSE, PEELED, Table
from separated import dot, rows_z

from rosenblatt import Proof, Verdict, separability, verify

WORDS_EVERY, MOST_COLUMNS = 7, 16  # so that each family is asked; the oracle on coefficients takes longer


def judge(table: Table, z: list[list[Fraction]], T: set[int], verdict: Verdict) -> None:
    """Everything that a settled verdict says, but for the coefficients."""
    assert verdict.kind == exact_cone.kind(z, T)
    assert set(verdict.boundary_rows.tolist()) == T  # type: ignore[union-attr]
    assert verdict.separable is (not T)
    if verdict.kind == "overlapping":
        assert verdict.exact_hyperplane is None
    else:
        w, b = verdict.exact_hyperplane  # type: ignore[misc]
        margins = [dot(row, w if table.origin else [*w, b]) for row in z]
        assert {i for i, m in enumerate(margins) if m <= 0} == T
        assert not any(margins[i] for i in T)
        assert verdict.kind != "separable" or verdict.margin2 == min(margins) ** 2 / dot(w, w)
    if T:
        check_witness(z, verdict)
    found = verify(verdict.proof, table.X, table.y)
    assert found, found.reason
    assert verdict.proof.kind == verdict.kind


def check_witness(z: list[list[Fraction]], verdict: Verdict) -> None:
    """Rows that cancel each other, and no fewer of them do."""
    rows, alpha = verdict.witness_rows.tolist(), verdict.multipliers or ()  # type: ignore[union-attr]
    assert min(alpha) > 0
    assert not any(sum(a * z[i][j] for a, i in zip(alpha, rows, strict=True)) for j in range(len(z[0])))
    assert exact_cone.rank([z[i] for i in rows]) == len(rows) - 1


def core_kind(table: Table, z: list[list[Fraction]], left: np.ndarray) -> str:
    if not left.size:
        return "empty"
    if abs(int(table.y[left].sum())) == left.size:
        return "one class"
    rows = [z[i] for i in left]
    return exact_cone.kind(rows, exact_cone.stuck(rows))


def go_through(families: Sequence[Callable[..., Any]], count: int, first: int = 0) -> Counter[str]:
    """So many tables of these families in turn: nothing wrong, nothing undecided; and how often each thing occurred."""
    met: Counter[str] = Counter()
    for k in range(first, first + count):
        table = random_tables.table(families[k % len(families)], k)
        z = rows_z(table.values, table.y, table.origin)
        T = exact_cone.stuck(z)
        try:
            verdict = separability(table.X, table.y, through_origin=table.origin, threads=1)
            judge(table, z, T, verdict)
            if k % WORDS_EVERY == 0 and len(z[0]) <= MOST_COLUMNS:
                said = exact_cone.words(z, not table.origin)
                assert list(verdict.coefficients.values()) == said
                met.update(f"word {word}" for word in set(said))
            if k % 11 == 0:
                assert verify(Proof.loads(verdict.proof.dumps()), table.X, table.y)
        except Exception as error:
            error.add_note(f"random_tables.table({table.name}, {k}), {table.storage}, origin {table.origin}")
            raise
        many, left = random_tables.levels(table.values, table.y, table.origin)
        met.update([verdict.kind, f"{table.name}: {verdict.kind}", table.storage, f"levels {min(many, 3)}"])
        met.update([f"core {core_kind(table, z, left)}"] if many else [])
    print(", ".join(f"{name} {times}" for name, times in sorted(met.items())))
    return met


def enough(met: Counter[str], count: int, shares: dict[str, float]) -> None:
    """Each of these occurred in at least this share of the tables."""
    few = {name: met[name] for name, share in shares.items() if met[name] < share * count}
    assert not few, few


KINDS = {"separable": 0.15, "quasi-separable": 0.04, "overlapping": 0.05}
OF_PEELED = {
    "levels 0": 0.05, "levels 1": 0.2, "levels 2": 0.1, "levels 3": 0.05, "core empty": 0.15, "core one class": 0.02,
    "core separable": 0.02, "core quasi-separable": 0.04, "core overlapping": 0.1, "csr": 0.2, "csr with zeros": 0.1,
    "array": 0.1, "csr, float32": 0.01, "word finite": 0.02, "word +inf": 0.01, "word -inf": 0.01,
    "word indeterminate": 0.005, "word dropped": 0.005,
    **{f"{family}: quasi-separable": 0.02 for family in ("words", "wide", "one_column", "chain", "extremes")},
    **{f"{family}: separable": 0.02 for family in ("words", "wide", "one_column", "chain", "extremes")},
}  # fmt: skip
OF_DENSE = {
    "array": 0.2, "by column": 0.1, "csr": 0.1, "array, float32": 0.01, "word finite": 0.02, "word indeterminate": 0.02,
    "word dropped": 0.01, "degenerate: quasi-separable": 0.02, "large_integers: quasi-separable": 0.01,
    **{f"{family.__name__}: separable": 0.05 for family in DENSE},
    **{f"{family.__name__}: overlapping": 0.015 for family in DENSE},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("families", "shares"), [(PEELED, OF_PEELED), (DENSE, OF_DENSE)], ids=["peeled", "dense"])
def test_none_of_a_thousand_random_verdicts_is_wrong(families, shares):
    enough(go_through(families, 500), 500, KINDS | shares)


@pytest.mark.long
@pytest.mark.parametrize(("families", "shares"), [(PEELED, OF_PEELED), (DENSE, OF_DENSE)], ids=["peeled", "dense"])
def test_none_of_ten_thousand_random_verdicts_is_wrong(families, shares):
    enough(go_through(families, 5_000, first=500), 5_000, KINDS | shares)


@pytest.mark.parametrize("made_by", dict.fromkeys(PEELED + DENSE), ids=lambda family: family.__name__)
def test_a_few_of_every_family(made_by):
    assert sum(go_through([made_by], 6, first=100_000).values())


def test_the_oracle_knows_what_can_be_worked_out_by_hand():
    x = [Fraction(v) for v in range(5)]
    line = [[-x[1], -1], [-x[2], -1], [x[2], 1], [x[3], 1]]  # 1, 2 | 2, 3: the two at 2 are stuck
    assert exact_cone.stuck(line) == {1, 2}
    assert exact_cone.words(line, True) == ["+inf", "-inf"]
    assert exact_cone.stuck(line, [0, 1]) == {1}
    assert exact_cone.fewest_mistakes(line) == 1
    assert exact_cone.stuck([[Fraction(0), Fraction(0)]]) == {0}
    cross = [[Fraction(a), Fraction(b)] for a, b in ((1, 1), (-1, -1), (1, -1), (-1, 1))]
    assert exact_cone.stuck(cross) == {0, 1, 2, 3}
    assert exact_cone.fewest_mistakes(cross) == 2
    assert exact_cone.words([[x[1], x[0], x[2]], [x[2], x[0], x[4]]], False) == ["+inf", "dropped", "dropped"]
    assert exact_cone.rank([[x[1], x[2]], [x[2], x[4]]]) == 1
