"""The checker on rows that come in blocks: what it says of them is what it says of the same rows in memory."""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import InputError, Proof, least_mistakes, max_margin, separability, verify
from rosenblatt.proof.blocks import fingerprint_of_blocks
from rosenblatt.proof.fingerprint import fingerprint
from rosenblatt.proof.parts import Combination, ExactHyperplane, Witness

N = 5000


def opened(X: Any, y: Any, size: int = 1300) -> Callable[[], Iterator[tuple[Any, Any]]]:
    """The rows from the beginning, so many at a time."""

    def begin() -> Iterator[tuple[Any, Any]]:
        for first in range(0, len(y), size):
            yield X[first : first + size], y[first : first + size]

    return begin


def data(form: str, kind: str) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (N, 3)).astype(float)
    X[rng.random((N, 3)) < 0.6] = 0
    y = np.where(X[:, 0] > 0.5, 1, -1)
    if kind != "separable":
        on = X[:, 0] == 0
        y[on] = rng.choice([-1, 1], int(on.sum()))
    if kind == "overlapping":
        y[[17, 4800]] *= -1
        y[X[:, 0] == 9] *= -1
    return (sp.csr_array(X) if form == "csr" else X), y


def proofs(X: Any, y: Any) -> list[Proof]:
    verdict = separability(X, y)
    found = [verdict.proof]
    if verdict.separable:
        found.append(max_margin(X, y).proof)
        found.append(max_margin(X, y, offset=1).proof)
    else:
        found.append(Proof("inseparable", N, 3, found[0].sha256, witness=found[0].witness))
        if verdict.kind == "quasi-separable":
            found.append(replace(found[0], balance=None))
        found.append(least_mistakes(X[:60], y[:60], time_limit=1).proof)
    return found


@pytest.mark.parametrize("form", ["array", "csr"])
@pytest.mark.parametrize("kind", ["separable", "quasi-separable", "overlapping"])
def test_blocks_are_judged_as_a_table_is(form: str, kind: str) -> None:
    X, y = data(form, kind)
    for proof in proofs(X, y):
        rows, labels = X[: proof.rows], y[: proof.rows]
        wanted = verify(proof, rows, labels)
        assert wanted, wanted.reason
        for size in (1, 7, 1300, 4096, N) if proof.rows < N else (1300, 4096, N):
            assert verify(proof, opened(rows, labels, size)) == wanted
        for other in _wrong(proof):
            wanted = verify(other, rows, labels)
            assert not wanted
            assert verify(other, opened(rows, labels)) == wanted


def _wrong(proof: Proof) -> Iterator[Proof]:
    """Proofs that are wrong in one part each."""
    yield replace(proof, sha256="0" * 64)
    yield replace(proof, rows=proof.rows + 1)
    if proof.margin2:
        yield replace(proof, margin2=proof.margin2 * 2)
    if (plane := proof.hyperplane) is not None:
        turned = ExactHyperplane(plane.columns, tuple(-x for x in plane.values), -plane.b)
        yield replace(proof, hyperplane=turned)
    if proof.witness is not None:
        first, *rest = proof.witness.multipliers
        yield replace(proof, witness=Witness(proof.witness.rows, (first + 1, *rest)))
    if proof.balance is not None:
        rows = proof.balance.rows
        free = next(row for row in range(proof.rows) if row not in rows)
        more = sorted([*zip(rows, proof.balance.multipliers, strict=True), (free, Fraction(1))])
        yield replace(proof, balance=Combination(tuple(r for r, _ in more), tuple(a for _, a in more)))
    if proof.hull is not None:
        yield replace(proof, hull=replace(proof.hull, upper2=proof.hull.upper2 / 2))


def test_an_endless_source_is_refused_after_the_rows_of_the_proof() -> None:
    X, y = data("array", "separable")
    proof, taken = separability(X, y).proof, 0

    def endless() -> Iterator[tuple[Any, Any]]:
        nonlocal taken
        while True:
            taken += 1
            yield X, y

    found = verify(proof, endless)
    assert not found
    assert found.reason == "the proof is for 5000 × 3 data, not 8192 or more × 3"
    assert taken == 2


def test_rows_that_change_between_two_looks_are_found_out() -> None:
    X, y = data("array", "separable")
    proof, looks = separability(X, y).proof, 0

    def changing(at: int, to: Any) -> Callable[[], Iterator[tuple[Any, Any]]]:
        def begin() -> Iterator[tuple[Any, Any]]:
            nonlocal looks
            looks += 1
            rows = X.copy()
            if looks > 1:
                rows[at] = to
            yield rows[:4500], y[:4500]
            if looks == 1 or at != N - 1:
                yield rows[4500:], y[4500:]

        return begin

    with pytest.raises(InputError, match="row 4096 and those after it changed while they were checked"):
        verify(proof, changing(4200, 100.0))
    looks = 0
    with pytest.raises(InputError, match="changed while they were checked"):
        verify(proof, changing(N - 1, X[N - 1]))


def test_blocks_that_are_no_blocks_are_refused_by_name() -> None:
    X, y = data("array", "separable")
    proof = separability(X, y).proof
    for wrong, said in (
        (lambda: [(X[:9], y[:9]), (X[9:, :2], y[9:])], "one width"),
        (lambda: [(X[:9], y[:9]), (sp.csr_array(X[9:]), y[9:])], "all of them arrays or all sparse"),
        (lambda: [(X, np.arange(N))], "labels of blocks must be -1 and \\+1"),
        (list, "no rows"),
        (X, "labels are missing"),
    ):
        with pytest.raises(InputError, match=said):
            verify(proof, wrong)
    bad = X.copy()
    bad[4700, 2] = np.inf
    with pytest.raises(InputError, match="row 4700, column 2: not a finite number"):
        verify(proof, opened(bad, y))


class Places:
    """Rows in several places, where functions are run: a copy of each, as another process would get it."""

    def __init__(self, X: Any, y: Any, size: int) -> None:
        self.X, self.y, self.size = X, y, size

    def each_block(self, function: Callable[[int, Any, Any], Any]) -> Iterator[Any]:
        for first in range(0, len(self.y), self.size):
            here = slice(first, first + self.size)
            yield sent(sent(function)(first, self.X[here], self.y[here]))


def sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301


@pytest.mark.parametrize("form", ["array", "csr"])
@pytest.mark.parametrize("kind", ["separable", "quasi-separable", "overlapping"])
def test_blocks_are_judged_where_they_are(form: str, kind: str) -> None:
    X, y = data(form, kind)
    for proof in proofs(X, y):
        rows, labels = X[: proof.rows], y[: proof.rows]
        wanted = verify(proof, rows, labels)
        assert wanted, wanted.reason
        assert verify(proof, Places(rows, labels, 4096)) == wanted
        assert verify(proof, Places(rows, labels, 8192)) == wanted
        for other in _wrong(proof):
            assert verify(other, Places(rows, labels, 4096)) == verify(other, rows, labels)
    assert fingerprint_of_blocks(Places(X, y, 4096)) == fingerprint(X, y)
    if kind == "separable":
        with pytest.raises(InputError, match="a block begins at row 1300 after 1300 rows; expected blocks of 4096"):
            fingerprint_of_blocks(Places(X, y, 1300))
