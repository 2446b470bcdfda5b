"""Rows that lie in several places: questions go there, and what they find joins to what the same rows in memory say.

`SeveralSources` sends a copy of each question to each of its parts, as to another process, and never gives its rows one
after the other.
"""

import copy
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import effort
import exact_cone
import numpy as np
import pytest
import random_tables
from gathered_source import GatheredSource
from separated import rows_z
from several_sources import SeveralSources, sent
from test_random_verdicts import judge
from test_streamed import FAMILIES, MADE, N, few_rows, levels, separable, slips

from rosenblatt import InputError, Proof, max_margin, separability, verify
from rosenblatt.data.source import CHUNK, TakenRows
from rosenblatt.separation.streamed.picks import Pick
from rosenblatt.separation.streamed.questions import SidesOf, Terms
from rosenblatt.separation.streamed.source_rows import SourceRows
from rosenblatt.separation.watch import OutOfTimeError, Watch

__all__ = ["few_rows"]


@pytest.mark.slow
@pytest.mark.parametrize("origin", [False, True], ids=["offset", "origin"])
@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_the_verdict_is_that_of_the_same_rows_in_memory(made: Any, origin: bool) -> None:
    X, y = made(np.random.default_rng(1))
    there, here = separability(SeveralSources(X, y), through_origin=origin), separability(X, y, through_origin=origin)
    assert (there.kind, there.boundary) == (here.kind, here.boundary)
    assert np.array_equal(there.boundary_rows, here.boundary_rows)  # type: ignore[arg-type]
    assert there.proof.sha256 == here.proof.sha256
    assert there.check()
    assert verify(there.proof, X, y) == there.check()
    assert there.summary()


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize("family", dict.fromkeys(FAMILIES[::2]), ids=lambda family: family.__name__)
def test_parts_of_few_rows_come_to_the_verdict_of_the_oracle(family: Any) -> None:
    met: Counter[str] = Counter()
    for k in range(effort.examples(6)):
        table = random_tables.table(family, 700_000 + k)
        z = rows_z(table.values, table.y, table.origin)
        source = SeveralSources(table.X, table.y, 1 + k % 7)
        verdict = separability(source, through_origin=table.origin, threads=1)
        judge(table, z, exact_cone.stuck(z), verdict)
        assert verdict.check(), (family, k)
        met[verdict.kind] += 1
    assert sum(met.values()) == effort.examples(6)


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize("offset", ["free", 0, 1.0, "radius"])
def test_margins_are_the_same_exactly(offset: float | str) -> None:
    met: Counter[str] = Counter()
    for k in range(effort.examples(16)):
        table = random_tables.table(FAMILIES[k % len(FAMILIES)], 800_000 + k)
        try:
            here = max_margin(table.X, table.y, offset=offset, rel_gap=0, threads=1)
        except InputError:
            continue  # one class, or rows too long for a radius
        there = max_margin(SeveralSources(table.X, table.y, 3), offset=offset, rel_gap=0, threads=1)
        assert there.status.name == here.status.name, (table.name, k)
        met[there.status.name] += 1
        if here.found is not None:
            assert (there.margin2, there.upper2, there.radius) == (here.margin2, here.upper2, here.radius)
        assert verify(there.proof, table.X, table.y)
        assert there.check()
    assert met["exact"]


@pytest.mark.parametrize("offset", ["free", 0])
def test_several_chunks_have_the_margin_of_the_same_rows_in_memory(offset: float | str) -> None:
    X, y = separable(np.random.default_rng(2))
    there, here = max_margin(SeveralSources(X, y), offset=offset), max_margin(X, y, offset=offset)
    assert there.status.name == here.status.name
    if here.found is not None:
        rounded = {"seconds": 0, "hyperplane": None}  # floats that propose, and clocks
        assert there.to_dict() | rounded == here.to_dict() | rounded
    assert there.check()


@pytest.mark.parametrize("made", [slips, separable, levels], ids=lambda made: made.__name__)
@pytest.mark.parametrize("size", [CHUNK, 2 * CHUNK, 4 * CHUNK])
def test_proofs_are_checked_where_the_rows_are(made: Any, size: int) -> None:
    X, y = made(np.random.default_rng(1))
    source, proof = SeveralSources(X, y, size), separability(X, y).proof
    assert verify(proof, source) == verify(proof, X, y)
    X[N - 1] += 1
    other = SeveralSources(X, y, size)
    wanted = verify(proof, X, y)
    assert not wanted
    assert verify(proof, other) == wanted
    told: list[Any] = []
    assert verify(proof, source, progress=told.append)
    assert {one.doing for one in told} >= {"checking the fingerprint of the rows"}


def test_rows_that_change_or_come_out_of_order_are_found_out() -> None:
    X, y = separable(np.random.default_rng(1))
    proof = separability(X, y).proof

    class Changing(SeveralSources):
        looks = 0

        def each_block(self, function: Any) -> Any:
            self.looks += 1
            if self.looks > 1:
                self.parts[1] = self.parts[2]
            return super().each_block(function)

    class Turned(SeveralSources):
        def each_block(self, function: Any) -> Any:
            return reversed(list(super().each_block(function)))

    class Short(SeveralSources):
        def each_block(self, function: Any) -> Any:
            self.looks = getattr(self, "looks", 0) + 1
            return list(super().each_block(function))[: 3 if self.looks == 1 else 2]

    with pytest.raises(InputError, match="row 4096 and those after it changed"):
        verify(proof, Changing(X, y))
    with pytest.raises(InputError, match="a block begins at row 8192 after 0 rows"):
        verify(proof, Turned(X, y))
    with pytest.raises(InputError, match="8192 rows, and 9093 before"):
        verify(proof, Short(X, y))
    wrong: Proof = separability(X[:CHUNK], y[:CHUNK]).proof
    assert verify(wrong, SeveralSources(X, y)).reason.startswith("the proof is for 4096 × 6 data, not 8192 or more")


def test_what_questions_find_does_not_depend_on_where_rows_are_split() -> None:
    X, y = slips(np.random.default_rng(4))
    v = separability(X[:50], y[:50]).found.v
    assert v is not None
    one, several = (SourceRows(kind(X, y), False, math.inf, 1).look() for kind in (GatheredSource, SeveralSources))
    assert (one.entries, one.firsts, one.width) == (several.entries, several.firsts, several.width)
    assert one.least(v) == several.least(v)
    assert one.total(None) == several.total(None)
    assert one.total(v) == several.total(v)
    here, there = one.sides(v, 40, strict=True), several.sides(v, 40, strict=True)
    assert (here.wrong, here.on, here.least) == (there.wrong, there.on, there.least)
    assert np.array_equal(there.some, several.sides(v, 40, strict=True).some)
    assert here.wrong > here.some.size == there.some.size == 40
    m = (X @ np.array([float(x) for x in v[:-1]]) + float(v[-1])) * y
    worst = np.argsort(m, kind="stable")[:20]
    assert {*worst.tolist()} <= {*here.some.tolist()} & {*there.some.tolist()}
    assert (m[there.some] <= 0).all()


def test_picks_that_join_draw_from_all_rows_alike() -> None:
    met = np.zeros(100)
    for k in range(300):
        parts = [Pick(20), Pick(20)]
        for at, part in enumerate(parts):
            part.begin(2 * k + at)
            part.offer(np.arange(50 * at, 50 * at + 50), np.arange(50.0) + at / 2)
        parts[0].join(parts[1])
        met[parts[0].rows()] += 1
    worst = [0, 1, 2, 3, 4, 50, 51, 52, 53, 54]
    assert (met[worst] == 300).all()
    others = np.delete(met, worst)
    assert others.sum() == 3000
    assert others.min() > 10
    assert others.max() < 70


def test_a_question_that_was_sent_gives_up_by_itself() -> None:
    X, y = slips(np.random.default_rng(4))
    told: list[Any] = []
    watch = Watch(math.inf, told.append)
    rows = SourceRows(SeveralSources(X, y), False, watch, 1)
    found = rows.ask(SidesOf([Fraction(1)] * 7, 1, True, Fraction(0)))
    assert told[-1].doing == SidesOf.doing
    assert found.terms.watch.progress is None
    late = SourceRows(SeveralSources(X, y), False, Watch(1e-9), 1)
    with pytest.raises(OutOfTimeError):
        late.look()
    terms = Terms(True, 1, 9, Watch(1e-9))
    assert all(one.watch.over() for one in (sent(terms), copy.deepcopy(terms)))
    question = SidesOf([Fraction(1)] * 7, 1, True, Fraction(0))
    question.terms = Terms(False, 1, N, Watch(60, told.append))
    assert cloudpickle.dumps(question) == cloudpickle.dumps(question)
    assert sent(question).terms.watch.seconds_left() > 50
    assert separability(SeveralSources(X, y), time_limit=1e-6).kind == "undecided"


def test_a_number_that_is_not_finite_is_named_by_its_place() -> None:
    X, y = separable(np.random.default_rng(3))
    X[CHUNK + 37, 3] = np.nan
    source = SeveralSources(X, y, feature_names=tuple("abcdef"))
    for ask in (separability, max_margin):
        with pytest.raises(InputError, match=f"row {CHUNK + 37}, column 3 \\(d\\): not a finite number"):
            ask(source)


def test_rows_one_after_the_other_are_not_to_be_had() -> None:
    X, y = separable(np.random.default_rng(3))
    source = SeveralSources(X, y)
    with pytest.raises(InputError, match="cannot be had one after the other"):
        list(source.label_parts())
    taken = source.gather(np.array([9000, 3, 5000]))
    assert isinstance(taken, TakenRows)
    assert np.array_equal(taken.labels, y[[9000, 3, 5000]])
