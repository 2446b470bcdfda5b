"""The form of a proof: written and read again without loss, and nothing else is taken for one."""

import errno
import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import InputError
from rosenblatt.proof.numerals import exact, exact_text
from rosenblatt.proof.parts import Combination, ExactHyperplane, Hull, Packing, Witness
from rosenblatt.proof.proof import Proof
from rosenblatt.proof.verify import verify

F = Fraction
SHA = "0123456789abcdef" * 4

XOR = """{
"format": "rosenblatt-proof",
"version": 2,
"kind": "overlapping",
"through_origin": false,
"data": {"rows": 4, "columns": 2, "sha256": "a1c99eb508e2378026d27d8aea764fb8c44e5e134344c400ef728c0d8dcae53a"},
"read": {},
"witness": {"rows": [0, 1, 2, 3], "multipliers": ["1/4", "1/4", "1/4", "1/4"], "minimal": true},
"balance": {"rows": [], "multipliers": []},
"checksum": "aa0e4392e0ab23694e361d25f70088f859d0d8bf6b7c75452f5bab3953405cd0"
}
"""

VERSION_1 = """{
"format": "rosenblatt-proof",
"version": 1,
"kind": "overlapping",
"through_origin": false,
"data": {"rows": 4, "columns": 2, "sha256": "a1c99eb508e2378026d27d8aea764fb8c44e5e134344c400ef728c0d8dcae53a"},
"read": {},
"witness": {"rows": [0, 1, 2, 3], "multipliers": ["1/4", "1/4", "1/4", "1/4"], "minimal": true},
"balance": {"rows": [], "multipliers": []},
"checksum": "88c694e98032827ec765410630702af00cfe6d79acc40a22ca10d0f85cfd298b"
}
"""


def signed(known: dict[str, Any]) -> str:
    """The JSON of an object with a checksum that fits, made without the library."""
    rest = {key: value for key, value in known.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return json.dumps({**rest, "checksum": hashlib.sha256(text.encode()).hexdigest()})


def proofs() -> Iterator[Proof]:
    plane = ExactHyperplane.of([0, F(1, 3), -0.1, 2.0**-1074], F(10**50, 7))
    witness, balance = Witness.of([0, 3, 7], [1, F(2, 9), 1e300]), Combination.of([2, 8], [F(1, 3), 10**4500])
    yield Proof("separable", 9, 4, SHA, hyperplane=plane, margin2=F(3, 4))
    yield Proof("separable", 9, 400, SHA, hyperplane=plane, margin2=F(1, 10**900))
    yield Proof("quasi-separable", 9, 4, SHA, hyperplane=plane, witness=witness, balance=balance)
    yield Proof("quasi-separable", 9, 4, SHA, hyperplane=plane, witness=witness)
    yield Proof("overlapping", 9, 4, SHA, witness=witness, balance=Combination((), ()), reading={"a": "ü\ud800\n"})
    yield Proof("inseparable", 9, 1, SHA, True, witness=Witness.of([8], [1], minimal=False))
    hull = Hull.of([0, 5], [F(1, 3), 2], upper2=F(9, 7), rho2=F(1, 4))
    yield Proof("largest-margin", 9, 4, SHA, hyperplane=plane, margin2=F(1, 3), hull=hull)
    yield Proof("largest-margin", 9, 4, SHA, hyperplane=plane, margin2=F(1, 3), hull=replace(hull, rho2=None))
    packing = Packing((Combination.of([1, 2], [1, 1]), Combination.of([0, 8], [F(1, 2), 3])), (F(1), F(2, 3)))
    yield Proof("fewest-mistakes", 9, 4, SHA, hyperplane=plane, mistakes=3, packing=packing)
    yield Proof("fewest-mistakes", 9, 4, SHA, hyperplane=plane, mistakes=0, packing=Packing((), ()))
    flat = ExactHyperplane.of([1], 0)
    yield Proof("separable", 1, 1, SHA, True, hyperplane=flat, margin2=F(1), reading={"file": "x.csv"})


@pytest.mark.parametrize("proof", list(proofs()))
def test_reading_gives_what_was_written(proof: Proof, tmp_path: Path) -> None:
    text = proof.dumps()
    assert text.isascii()
    assert Proof.loads(text) == Proof.loads(text.encode()) == Proof.loads(signed(json.loads(text))) == proof
    assert Proof.loads(text).dumps() == text
    proof.write(tmp_path / "a.proof")
    assert Proof.read(str(tmp_path / "a.proof")) == proof
    assert len(repr(proof)) < 100


def test_the_text_is_as_the_format_says() -> None:
    proof = Proof.loads(XOR)
    assert proof.dumps() == XOR
    assert json.loads(signed(json.loads(XOR))) == json.loads(XOR)
    assert verify(proof, [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])
    assert (proof.rows, proof.columns, proof.kind, proof.reading) == (4, 2, "overlapping", {})
    assert proof.witness == Witness((0, 1, 2, 3), (F(1, 4),) * 4, True)


def test_proofs_of_version_1_are_still_read() -> None:
    old = Proof.loads(VERSION_1)
    assert old == Proof.loads(XOR)
    assert old.dumps() == XOR  # and written anew as version 2
    assert verify(old, [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])


def test_a_balance_may_be_null_since_version_2_and_of_quasi_separable_rows_alone() -> None:
    known = {**valid(), "balance": None}
    proof = Proof.loads(signed(known))
    assert proof.unsorted
    assert json.loads(proof.dumps())["balance"] is None
    assert proof.to_dict()["balance"] is None
    assert proof.to_dict()["claim"].endswith("which of the rows on it could leave it is not sorted out")
    assert "sorted out" not in Proof.loads(signed(valid())).to_dict()["claim"]
    for wrong in (
        {**known, "version": 1},
        {**known, "witness": {**known["witness"], "minimal": False}},
        {key: value for key, value in known.items() if key != "balance"},  # left out is not null
        {**json.loads(XOR), "balance": None},
        *({**known, part: None} for part in ("hyperplane", "witness")),
    ):
        with pytest.raises(InputError):
            Proof.loads(signed(wrong))


def test_weights_are_read_in_both_forms() -> None:
    proof = Proof("separable", 5, 4, SHA, hyperplane=ExactHyperplane.of([0, 5, 0, -7], 1), margin2=F(1))
    known = json.loads(proof.dumps())
    assert known["hyperplane"]["w"] == ["0", "5", "0", "-7"]
    known["hyperplane"]["w"] = {"columns": [1, 3], "values": ["5", "-0x1.c000000000000p+2"]}
    assert Proof.loads(signed(known)) == proof
    sparse = Proof("separable", 5, 5, SHA, hyperplane=ExactHyperplane.of([0, 5, 0, -7, 0], 1), margin2=F(1))
    assert json.loads(sparse.dumps())["hyperplane"]["w"] == {"columns": [1, 3], "values": ["5", "-7"]}


def some_numbers() -> Iterator[Fraction]:
    rng = random.Random(0)
    yield from (F(value) for value in (0, 1, -1, 10, -12, F(5, 2), F(-1, 3), 2**53, 2**64, 0.1, -0.1, 1e308, 5e-324))
    yield from (F(sys.float_info.max), F(sys.float_info.min), F(2) ** 1024, F(2) ** -1075, -(F(2) ** 1024) + 1)
    for exponent in (599, 600, 601, 1199, 1200, 3999, 4000, 4001, 5000):
        for offset in (-1, 0, 1):
            yield from (F(10**exponent + offset), F(-1, 10**exponent + offset), F(10**exponent + offset, 7**9))
    for _ in range(2000):
        p, q = (rng.getrandbits(rng.choice([4, 60, 700])) for _ in range(2))
        yield F(rng.choice([-p, p]), q + 1)


@pytest.fixture(params=[0, 640, 4300])
def digit_limit(request: pytest.FixtureRequest) -> Iterator[None]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield
    assert sys.get_int_max_str_digits() == request.param
    sys.set_int_max_str_digits(before)


@pytest.mark.usefixtures("digit_limit")
def test_numbers_survive_whatever_python_was_told_about_digits() -> None:
    for value in some_numbers():
        text = exact_text(value)
        assert exact(text) == value
        assert ("0x" in text and "." not in text) == (max(abs(value.numerator), value.denominator) >= 10**4000)


def test_floats_are_written_in_the_shorter_form() -> None:
    rng = np.random.default_rng(0)
    for value in rng.integers(0, 2**63, size=3000).view(np.float64).tolist():
        if np.isfinite(value):
            assert exact(value.hex()) == exact(exact_text(F(value))) == F(value)
    assert [exact_text(F(value)) for value in (0.5, 0.1, 1e22, 2.0**70, 2.0**-1074)] == [
        "1/2",
        "0x1.999999999999ap-4",
        "0x1.0f0cf064dd592p+73",
        "0x1.0000000000000p+70",
        "0x0.0000000000001p-1022",
    ]


NOT_NUMBERS = """
- +1 01 -0 00 1.5 1e5 1/1 2/4 0/3 -0/3 3/0 1/-2 1/02 1//2 1/2/3 inf nan NaN -inf 1_000 １ ٣
0x 0x0 -0x0 0xg 0X1 0x10 0x1/0x2 0x1/3 0x1p+0 0x1.8p+1 -0x0.0p+0 0x0.0000000000000p+0
0x1.8000000000000p+01 0x1.8000000000000P+1 0x2.0000000000000p+0 0x1.00000000000000p+0
0x1.0000000000000p+1024 0x1.0000000000000p-9999 0x1.0000000000000p+99999
"""
LONG_NUMBERS = ["0x" + "f" * 3000, "9" * 4001, "1" + "0" * 10**6, "0x" + "f" * 2**19, "1/" + "3" * 5000]


@pytest.mark.parametrize(
    "text",
    [*NOT_NUMBERS.split(), *LONG_NUMBERS, "", " 1", "1 ", "1\n", None, 1, 1.5, True, [], {}, ["1"]],
    ids=lambda text: repr(text)[:20],
)
def test_numbers_have_one_form(text: Any) -> None:
    with pytest.raises(InputError, match=r"^number .{1,200}$"):
        exact(text)


def valid() -> dict[str, Any]:
    plane = ExactHyperplane.of([3, F(1, 7)], 2)
    witness, balance = Witness.of([1, 4], [1, F(1, 2)]), Combination.of([0, 2], [1, 2])
    proof = Proof("quasi-separable", 9, 2, SHA, hyperplane=plane, witness=witness, balance=balance)
    known: dict[str, Any] = json.loads(proof.dumps())
    return known


def changed(path: str, value: Any) -> str:
    known = valid()
    *before, last = path.split(".")
    place = known
    for key in before:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return signed(known)


NESTED: Any = []
for _ in range(50):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "other-proof"),
        ("format", ...),
        ("format", 1),
        ("version", 3),
        ("version", 0),
        ("version", True),
        ("version", "1"),
        ("version", ...),
        ("kind", "Separable"),
        ("kind", None),
        ("kind", []),
        ("kind", "separable"),
        ("kind", "overlapping"),
        ("kind", ...),
        ("through_origin", 0),
        ("through_origin", "false"),
        ("through_origin", True),  # and b = 2
        ("data", None),
        ("data", [9, 2, SHA]),
        ("data.rows", 0),
        ("data.rows", -9),
        ("data.rows", "9"),
        ("data.rows", True),
        ("data.rows", 4),  # and row 4
        ("data.rows", 2**63),
        ("data.columns", 1),
        ("data.columns", 3),
        ("data.columns", 0),
        ("data.sha256", "0" * 63),
        ("data.sha256", "G" * 64),
        ("data.sha256", "A" * 64),
        ("data.sha256", SHA + "\n"),
        ("data.sha256", 0),
        ("data.more", 1),
        ("read", None),
        ("read", []),
        ("read", {"a": 1}),
        ("read", {"a": {"b": "c"}}),
        ("read", ...),
        ("more", 1),
        ("hyperplane", None),
        ("hyperplane", []),
        ("hyperplane.b", ...),
        ("hyperplane.b", 2),
        ("hyperplane.b", None),
        ("hyperplane.more", "1"),
        ("hyperplane.w", ["0", "0"]),
        ("hyperplane.w", ["1"]),
        ("hyperplane.w", ["1", "2", "3"]),
        ("hyperplane.w", [1, 2]),
        ("hyperplane.w", [["1"], "2"]),
        ("hyperplane.w", "12"),
        ("hyperplane.w", {"columns": [0, 2], "values": ["1", "2"]}),
        ("hyperplane.w", {"columns": [1, 0], "values": ["1", "2"]}),
        ("hyperplane.w", {"columns": [0, 0], "values": ["1", "2"]}),
        ("hyperplane.w", {"columns": [-1], "values": ["1"]}),
        ("hyperplane.w", {"columns": [0], "values": ["0"]}),
        ("hyperplane.w", {"columns": [0], "values": ["1", "2"]}),
        ("hyperplane.w", {"columns": [], "values": []}),
        ("hyperplane.w", {"columns": ["0"], "values": ["1"]}),
        ("hyperplane.w", {"columns": [0], "values": "1"}),
        ("hyperplane.w", {"columns": {"0": 1}, "values": ["1"]}),
        ("margin2", "1"),
        ("margin2", 1),
        ("witness", None),
        ("witness", NESTED),
        ("witness.rows", []),
        ("witness.rows", [1, 9]),
        ("witness.rows", [4, 1]),
        ("witness.rows", [1, 1]),
        ("witness.rows", [-1, 4]),
        ("witness.rows", [1]),
        ("witness.rows", [1, 2, 3]),
        ("witness.rows", ["1", "4"]),
        ("witness.rows", [True, 4]),
        ("witness.rows", [1, None]),
        ("witness.rows", [1, [4]]),
        ("witness.rows", NESTED),
        ("witness.rows", "14"),
        ("witness.multipliers", ["1", "0"]),
        ("witness.multipliers", ["1", "-1/2"]),
        ("witness.multipliers", [1, 2]),
        ("witness.multipliers", ["1"]),
        ("witness.multipliers", None),
        ("witness.multipliers", {"1": "1", "4": "1"}),
        ("witness.minimal", False),
        ("witness.minimal", 1),
        ("witness.minimal", ...),
        ("balance", ...),
        ("balance", False),
        ("balance.rows", [0, 99]),
        ("balance.rows", [2, 0]),
        ("balance.multipliers", ["1", "-1"]),
        ("balance.minimal", True),
    ],
)
def test_what_is_not_as_the_format_says_is_refused_in_one_line(path: str, value: Any) -> None:
    Proof.loads(signed(valid()))
    with pytest.raises(InputError) as caught:
        Proof.loads(changed(path, value))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "1",
        '"rosenblatt-proof"',
        "{}",
        "{" * 10,
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" + "0" * 10**6,
        '{"format": 1e999999999}',
        '{"version": NaN}',
        '{"version": -Infinity}',
        '{"version": 1.0}',
        '{"version": -0}',
        '{"version": ' + "9" * 5000 + "}",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        "\ufeff{}",
        '{"format": "rosenblatt-proof"',
        "\ud800",
    ],
    ids=lambda text: repr(text)[:24],
)
def test_what_is_not_json_as_proofs_use_it_is_refused(text: str | bytes) -> None:
    with pytest.raises(InputError) as caught:
        Proof.loads(text)
    assert "\n" not in str(caught.value)


def test_every_truncation_is_refused() -> None:
    text = signed(valid())
    for end in range(len(text)):
        with pytest.raises(InputError):
            Proof.loads(text[:end])
    with pytest.raises(InputError):
        Proof.loads(text + "{}")


def test_every_changed_byte_is_noticed() -> None:
    text, rng = signed(valid()), random.Random(0)
    for i in range(len(text)):
        other = text[:i] + rng.choice([c for c in '0123456789abcdef"/-:,{}[]xp ' if c != text[i]]) + text[i + 1 :]
        try:
            proof = Proof.loads(other)
        except InputError:
            continue
        assert proof == Proof.loads(text)  # white space


def test_a_key_twice_is_refused() -> None:
    text = signed(valid())
    for twice in (text[:-1] + ', "version": 1}', text.replace('"b": "2"', '"b": "2", "b": "2"')):
        assert twice != text
        with pytest.raises(InputError, match="twice"):
            Proof.loads(twice)


@pytest.mark.serial
def test_what_is_absurdly_large_is_refused_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.perf_counter()
    for value in ("7" * 10**6, "0x" + "7" * 10**6, "1/" + "7" * 10**6, "0x1.0000000000000p+" + "9" * 10**6):
        with pytest.raises(InputError):
            Proof.loads(changed("hyperplane.b", value))
    with pytest.raises(InputError):
        Proof.loads(changed("witness.rows", list(range(10**5))))
    monkeypatch.setattr("rosenblatt.proof.json.MAX_BYTES", 1000)
    with pytest.raises(InputError, match="more than 1000 bytes"):
        Proof.loads(signed(valid()) + " " * 1000)
    assert time.perf_counter() - start < 5


def test_a_proof_is_well_formed_from_the_start() -> None:
    plane = ExactHyperplane.of([1], 0)
    for build in (
        lambda: ExactHyperplane((0,), (1,), F(0)),  # type: ignore[arg-type]
        lambda: ExactHyperplane([0], (F(1),), F(0)),  # type: ignore[arg-type]
        lambda: ExactHyperplane((0,), (F(1),), 0.5),  # type: ignore[arg-type]
        lambda: ExactHyperplane.of([0, 0], 1),
        lambda: ExactHyperplane((np.int64(0),), (F(1),), F(0)),
        lambda: Combination((0,), (F(np.int64(1)),)),  # such a fraction overflows
        lambda: Combination((0,), (F(1) / 2 ** (2**20),)),
        lambda: Proof("separable", 1, 1, SHA, hyperplane=plane, margin2=0.25),  # type: ignore[arg-type]
        lambda: Proof("separable", 1, 1, SHA, hyperplane=plane, margin2=F(-1)),
        lambda: Proof("separable", 1, 1, SHA, hyperplane=plane, margin2=F(1), witness=Witness.of([0], [1])),
        lambda: Proof("separable", 1, 1, SHA, margin2=F(1)),
        lambda: Proof("inseparable", 1, 1, SHA, witness=Combination.of([0], [1])),  # type: ignore[arg-type]
        lambda: Proof("inseparable", np.int64(1), 1, SHA, witness=Witness.of([0], [1])),  # type: ignore[arg-type]
        lambda: Proof("inseparable", 1, 1, SHA, witness=Witness.of([0], [1]), reading={1: "a"}),  # type: ignore[dict-item]
    ):
        with pytest.raises(InputError):
            build()
    numbers = [np.float64(0.1), np.float32(0.1), np.int64(3), 7, F(1, 3)]
    multipliers = Combination.of(np.arange(5), numbers).multipliers
    assert multipliers == (F(0.1), F(float(np.float32(0.1))), F(3), F(7), F(1, 3))


def test_a_file_is_written_wholly_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = proofs()
    path = tmp_path / "data.proof"
    first.write(path)

    def fail(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "disk full")

    for name in ("replace", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(OSError, match="disk full"):
                second.write(path)
        assert Proof.read(path) == first
        assert os.listdir(tmp_path) == ["data.proof"]
    second.write(path)
    assert Proof.read(path) == second
    assert os.listdir(tmp_path) == ["data.proof"]


def test_an_error_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.proof").write_text("{}")
    with pytest.raises(InputError, match=r"x\.proof: not a proof"):
        Proof.read(tmp_path / "x.proof")
