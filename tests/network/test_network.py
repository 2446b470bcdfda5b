"""Two-level networks against the truth tables themselves, a brute-force minimiser and an integer program."""

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Hyperplane, InputError
from rosenblatt.network import Network, from_function, from_truth_table, setcover, two_level
from rosenblatt.network.implicants import primes

CODES = {"01": (0, 1), "±1": (-1, 1)}


def all_tables(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=2**n))


def random_table(seed: int, n: int, ones: float = 0.5, free: float = 0.0) -> list[int | None]:
    rng = np.random.default_rng([seed, n])
    outputs = (rng.random(2**n) < ones).astype(int).tolist()
    return [None if skip else value for value, skip in zip(outputs, rng.random(2**n) < free, strict=True)]


def output_by_hand(net: Network, x: Sequence[int]) -> int:
    """The network's answer in fractions, from its numbers alone; no sum may land on the step."""

    def fires(weights: Sequence[float], offset: float, values: Sequence[int]) -> int:
        score = sum((Fraction(w) * v for w, v in zip(weights, values, strict=True)), Fraction(offset))
        assert abs(score) >= Fraction(1, 2)
        assert (2 * score).denominator == 1
        return int(score > 0)

    units = zip(net.hidden.weights.tolist(), net.hidden.offsets.tolist(), strict=True)
    hidden = [fires(w, b, x) for w, b in units]
    return fires(net.output.weights.tolist(), net.output.offset, hidden)


def check(table: Sequence[int | None], inputs: str) -> Network:
    """The network computes the table, by hand and by `predict`, and every implicant is one and is needed."""
    net = from_truth_table(table, inputs)
    n = net.n_inputs
    corners = list(itertools.product(CODES[net.inputs], repeat=n))
    assert net.corners.tolist() == [list(x) for x in corners]
    found = net.predict(corners).tolist()
    assert all(want in (None, got) for want, got in zip(table, found, strict=True))
    assert net.mistakes(table).size == 0
    assert net.table.tolist() == found
    if n <= 5:
        assert [output_by_hand(net, x) for x in corners] == found
    assert 0 <= net.at_least <= len(net.implicants)
    fired = net.activations(corners)
    assert fired.shape == (2**n, len(net.implicants))
    needed = fired[[value == 1 for value in table]]
    assert (needed[needed.sum(1) == 1].sum(0) > 0).all()  # each unit is alone somewhere: none can be left out
    return net


# An oracle that shares nothing with the code: strings, sets, and all subsets in order of size.


def rows_in(cube: str) -> frozenset[int]:
    return frozenset(int("".join(bits), 2) for bits in itertools.product(*({"-": "01"}.get(c, c) for c in cube)))


def brute_primes(table: Sequence[int | None]) -> list[frozenset[int]]:
    n = len(table).bit_length() - 1
    cubes = [rows_in("".join(cube)) for cube in itertools.product("01-", repeat=n)]
    implicants = [cube for cube in cubes if all(table[row] != 0 for row in cube)]
    return [cube for cube in implicants if not any(cube < other for other in implicants)]


def brute_fewest(table: Sequence[int | None]) -> int:
    on = {row for row, value in enumerate(table) if value == 1}
    primes = [cube & on for cube in brute_primes(table)]
    return next(
        size
        for size in range(len(table) + 1)
        if any(set().union(*some) == on for some in itertools.combinations(primes, size))
    )


def milp_fewest(table: Sequence[int | None]) -> int:
    """The fewest primes as an integer program: a peer for tables too large for all subsets."""
    from scipy.optimize import LinearConstraint, milp

    on = [row for row, value in enumerate(table) if value == 1]
    primes = [cube for cube in brute_primes(table) if not cube.isdisjoint(on)]
    A = np.array([[row in cube for cube in primes] for row in on], dtype=float)
    ones = np.ones(len(primes))
    found = milp(ones, integrality=ones, bounds=(0, 1), constraints=LinearConstraint(A, 1, np.inf))
    assert found.status == 0
    return round(found.fun)


# Right.


@pytest.mark.slow
@pytest.mark.parametrize("inputs", ["01", "±1"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_function_of_up_to_three_inputs(n: int, inputs: str) -> None:
    for table in all_tables(n):
        assert check(table, inputs).minimal


@pytest.mark.slow
@pytest.mark.parametrize("inputs", ["01", "±1"])
@pytest.mark.parametrize("n", range(4, 11))
def test_random_functions_of_four_to_ten_inputs(n: int, inputs: str) -> None:
    for seed in range(5 if n < 9 else 1):
        check(random_table(seed, n), inputs)
        check(random_table(seed, n, free=0.3), inputs)


@pytest.mark.parametrize("inputs", ["01", "±1"])
@pytest.mark.parametrize("n", range(1, 11))
def test_constants(n: int, inputs: str) -> None:
    never, always = check([0] * 2**n, inputs), check([1] * 2**n, inputs)
    assert never.implicants == ()
    assert never.formula() == "0"
    assert always.implicants == ("-" * n,)
    assert always.formula() == "1"
    assert never.minimal
    assert always.minimal


def test_xor_by_its_numbers() -> None:
    net = from_truth_table([0, 1, 1, 0])
    assert net.hidden.weights.tolist() == [[1, -1], [-1, 1]]
    assert net.hidden.offsets.tolist() == [-0.5, -0.5]
    assert net.output.weights.tolist() == [1, 1]
    assert net.output.offset == -0.5
    signed = from_truth_table([0, 1, 1, 0], "±1")
    assert signed.hidden.weights.tolist() == [[1, -1], [-1, 1]]
    assert signed.hidden.offsets.tolist() == [-1, -1]
    assert net.activations([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist() == [[0, 0], [0, 1], [1, 0], [0, 0]]


def test_a_separable_function_has_two_levels_all_the_same() -> None:
    net = from_truth_table([0, 1, 1, 1])
    assert net.implicants == ("1-", "-1")


def test_the_first_input_is_the_most_significant_digit() -> None:
    assert from_truth_table([0, 0, 1, 0]).implicants == ("10",)
    calls: list[tuple[int, ...]] = []

    def f(*bits: int) -> bool:
        calls.append(bits)
        assert all(type(bit) is int for bit in bits)
        return bits == (1, 0, 0)

    for inputs in ("01", "±1"):
        calls.clear()
        net = from_function(f, 3, inputs)
        assert net.implicants == ("100",)
        assert calls == list(itertools.product((0, 1), repeat=3))  # whatever the coding


def test_functions_and_tables_agree() -> None:
    for table in all_tables(2):
        by_function = from_function(lambda a, b, table=table: table[2 * a + b], 2)
        assert by_function == from_truth_table(table) == from_truth_table(np.array(table, dtype=bool))
        assert hash(by_function) == hash(from_truth_table(table))
    assert from_function(lambda a: np.float64(a), 1) == from_truth_table([0.0, 1.0])


def test_the_same_table_gives_the_same_network() -> None:
    table = random_table(1, 7, ones=0.8)
    assert from_truth_table(table) == from_truth_table(table)


def test_a_table_that_a_network_gives_is_built_again() -> None:
    net = from_truth_table(random_table(3, 6, free=0.4))
    again = from_truth_table(net.table)
    assert np.array_equal(again.table, net.table)


def test_a_wrong_network_never_leaves_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    right = two_level.fewest
    monkeypatch.setattr(two_level, "fewest", lambda A: (right(A)[0][1:], 0))
    with pytest.raises(RuntimeError, match="wrong at row 1 of the table"):
        from_truth_table([0, 1, 0, 0])


def test_mistakes_are_named() -> None:
    net = from_truth_table([0, 1, 1, 0])
    assert net.mistakes([0, 0, 1, 1]).tolist() == [1, 3]
    assert net.mistakes([0, None, 1, 1]).tolist() == [3]
    with pytest.raises(InputError, match="table of 2 outputs; expected 4 for 2 inputs"):
        net.mistakes([0, 1])


# Fewest.


def test_no_fewer_units_for_any_function_of_three_inputs() -> None:
    for n in (1, 2, 3):
        for table in all_tables(n):
            net = from_truth_table(table)
            assert len(net.implicants) == net.at_least == brute_fewest(table)


@pytest.mark.parametrize("free", [0.0, 0.25])
def test_no_fewer_units_for_functions_of_four_inputs(free: float) -> None:
    for seed in range(60):
        table = random_table(seed, 4, ones=(0.4, 0.6, 0.8)[seed % 3], free=free)
        net = from_truth_table(table)
        assert len(net.implicants) == net.at_least == brute_fewest(table)


@pytest.mark.parametrize("n", [5, 6, 7])
def test_no_fewer_units_by_an_integer_program(n: int) -> None:
    for seed in range(6):
        table = random_table(seed, n, ones=(0.6, 0.8, 0.9)[seed % 3], free=0.2 * (seed % 2))
        net = from_truth_table(table)
        assert len(net.implicants) == net.at_least == milp_fewest(table)


@pytest.mark.slow
@pytest.mark.parametrize("guess", ["greedy", "everything"])
def test_the_search_branches_where_no_bound_settles_it(guess: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random covers, against all subsets. Guesses that are no good leave it all to the search."""
    if guess == "everything":
        monkeypatch.setattr(setcover, "_greedy", lambda A, weight: list(range(len(A))))
    rng = np.random.default_rng(7)
    for _ in range(25):
        A = np.array([rng.permutation(12) < 3 for _ in range(20)]).T  # each of 20 rows is covered by 3 of 12
        sets = [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in A]
        fewest = next(
            size
            for size in range(13)
            if any(np.bitwise_or.reduce(some) == 2**20 - 1 for some in itertools.combinations(sets, size) if some)
        )
        chosen, at_least = setcover.fewest(A)
        assert A[chosen].any(0).all()
        assert len(chosen) == at_least == fewest


@pytest.mark.slow
@pytest.mark.parametrize(("dimension", "largest_cap"), [(1, 2), (2, 4), (3, 9)])
def test_points_that_meet_every_line(dimension: int, largest_cap: int) -> None:
    """Steiner triples, the classical hard covers: in AG(d, 3) it takes all points but those of a largest cap set."""
    points = list(itertools.product(range(3), repeat=dimension))
    lines = {
        frozenset(tuple((p + t * d) % 3 for p, d in zip(point, way, strict=True)) for t in range(3))
        for point in points
        for way in points
        if any(way)
    }
    A = np.array([[point in line for line in lines] for point in points])
    chosen, at_least = setcover.fewest(A)
    assert A[chosen].any(0).all()
    assert len(chosen) == len(points) - largest_cap
    assert at_least == len(chosen) or (dimension == 3 and at_least >= 9)  # the bound sees a third of all points


def test_every_implicant_is_prime() -> None:
    for seed in range(20):
        table = random_table(seed, 5, free=0.2)
        assert {rows_in(cube) for cube in from_truth_table(table).implicants} <= set(brute_primes(table))


def test_primes_are_those_of_brute_force() -> None:
    tables = [*all_tables(3), *(random_table(seed, 5, free=0.3) for seed in range(10))]
    for table in tables:
        on = np.array([value == 1 for value in table])
        free = np.array([value is None for value in table])
        cubes = ["".join("01-"[digit] for digit in cube) for cube in primes(on, free)]
        wanted = {cube for cube in brute_primes(table) if any(on[row] for row in cube)}
        assert len(cubes) == len(wanted)
        assert {rows_in(cube) for cube in cubes} == wanted


def test_a_function_with_as_many_primes_as_a_multinomial() -> None:
    """1 where 3 to 6 of 9 inputs are: three must be 1, three must be 0, in 9!/(3!)³ ways."""
    ones = np.array([row.bit_count() for row in range(2**9)])
    on = (ones >= 3) & (ones <= 6)
    assert len(primes(on, ~(on | ~on))) == math.factorial(9) // math.factorial(3) ** 3


@pytest.mark.parametrize("n", range(1, 11))
def test_parity_takes_half_of_all_rows(n: int) -> None:
    net = from_function(lambda *bits: sum(bits) % 2, n)
    assert len(net.implicants) == net.at_least == 2 ** (n - 1)


@pytest.mark.parametrize("n", [3, 5, 7, 9])
def test_majority_takes_every_smallest_majority(n: int) -> None:
    net = from_function(lambda *bits: 2 * sum(bits) > n, n, inputs="+-1")
    assert len(net.implicants) == net.at_least == math.comb(n, n // 2 + 1)
    assert net.minimal


def test_a_cyclic_core_without_essential_primes() -> None:
    table = [int(row in (0, 1, 2, 5, 6, 7)) for row in range(8)]
    primes = brute_primes(table)
    assert all(sum(row in cube for cube in primes) == 2 for row in range(8) if table[row])
    net = check(table, "01")
    assert len(primes) == 6
    assert len(net.implicants) == net.at_least == 3


@pytest.mark.parametrize("n", range(2, 7))
def test_not_all_equal_takes_a_ring(n: int) -> None:
    """x_i·¬x_k for the arrows i → k of a digraph that must be strongly connected: a ring of n is the least."""
    net = from_function(lambda *bits: 0 < sum(bits) < n, n)
    assert len(net.implicants) == net.at_least == n


def test_two_blocks_are_settled_one_by_one() -> None:
    """Two cyclic cores apart, behind an input that says which."""
    cyclic = [int(row in (0, 1, 2, 5, 6, 7)) for row in range(8)]
    nothing = [0] * 8
    net = check([*cyclic, *nothing, *nothing, *cyclic], "±1")
    assert len(net.implicants) == net.at_least == 6


def test_rows_where_either_will_do() -> None:
    """Segment e of a decimal digit lights for 0, 2, 6 and 8; 10 to 15 never come."""
    table = [int(digit in (0, 2, 6, 8)) for digit in range(10)] + [None] * 6
    net = check(table, "01")
    assert net.formula("abcd") == "¬b·¬d + c·¬d"
    assert net.minimal
    assert from_truth_table([value or 0 for value in table]).formula("abcd") == "¬a·c·¬d + ¬b·¬c·¬d"
    assert from_truth_table([None] * 4).implicants == ()
    assert from_truth_table([None, 1]).implicants == ("-",)
    masked = np.ma.array([0, 1, 1, 0], mask=[False, False, False, True])
    assert from_truth_table(masked) == from_truth_table([0, 1, 1, None])


@pytest.mark.parametrize("work", [0, 300_000, 3_000_000])
def test_out_of_work_it_claims_no_more_than_it_proved(work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [random_table(seed, 8, ones=0.9) for seed in range(2)]
    tables.append([int(0 < row.bit_count() < 6) for row in range(64)])
    fewest = [from_truth_table(table) for table in tables]
    assert all(net.minimal for net in fewest)
    monkeypatch.setattr(setcover, "WORK", work)
    nets = [check(table, "01") for table in tables]
    for net, best in zip(nets, fewest, strict=True):
        assert net.at_least <= best.at_least <= len(net.implicants)
        assert net.minimal == (net.at_least == len(net.implicants))
    assert work > 300_000 or not all(net.minimal for net in nets)
    if not nets[-1].minimal:
        assert f"(at least {nets[-1].at_least} are needed)" in repr(nets[-1])


# What a network shows.


def test_units_are_hyperplanes() -> None:
    for inputs in CODES:
        net = from_truth_table(random_table(2, 4), inputs)
        fired = net.activations(net.corners)
        assert len(net.hidden_units) == len(net.implicants)
        for unit, column in zip(net.hidden_units, fired.T, strict=True):
            assert isinstance(unit, Hyperplane)
            assert unit.predict(net.corners).tolist() == column.tolist()
            assert unit.unsigned_margin(net.corners) > 0
        assert net.output_unit is not None
        assert net.output_unit.predict(fired).tolist() == net.table.tolist()
    assert from_truth_table([0, 0]).output_unit is None
    assert from_truth_table([1, 1]).hidden_units[0].predict([[0], [1]]).tolist() == [1, 1]


def test_formulas() -> None:
    table = [0, 1, 0, 1, 1, 1, 0, 1]
    net = from_truth_table(table)
    assert net.formula() == "x1·¬x2 + x3"
    assert net.formula(["door", "key", "alarm"]) == "door·¬key + alarm"
    for names in (["a"], ["a", "a", "b"], ["a", "b", 3], "ab"):
        with pytest.raises(InputError, match="expected 3 different strings"):
            net.formula(names)  # type: ignore[arg-type]


def test_the_formula_says_what_the_network_does() -> None:
    for seed in range(10):
        net = from_truth_table(random_table(seed, 4))
        ands = [product.split("·") for product in net.formula("abcd").split(" + ")]
        for bits, output in zip(itertools.product((0, 1), repeat=4), net.table, strict=True):
            values = dict(zip("abcd", bits, strict=True))
            truth = values | {f"¬{name}": 1 - value for name, value in values.items()}
            assert output == any(all(truth[literal] for literal in literals) for literals in ands)


def test_a_long_formula_is_cut_in_the_repr() -> None:
    assert repr(from_truth_table([0, 1])) == "<Network: 1 input coded 01, 1 hidden unit (the fewest), x1>"
    text = repr(from_function(lambda *bits: sum(bits) % 2, 10, "±1"))
    assert text.startswith("<Network: 10 inputs coded ±1, 512 hidden units (the fewest), x1·")
    assert text.endswith("…>")
    assert len(text) < 140


def test_a_network_cannot_be_changed() -> None:
    net = from_truth_table([0, 1, 1, 0])
    with pytest.raises(AttributeError):
        net.inputs = "±1"  # type: ignore[misc]
    for array in (net.hidden.weights, net.hidden.offsets, net.output.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_a_network_can_be_written_down() -> None:
    net = Network(3, "+-1", ("1-0", "01-"))
    assert net == Network(3, "±1", ("1-0", "01-"))
    assert net.formula() == "x1·¬x3 + ¬x1·x2"
    assert not net.minimal  # nothing is claimed that was not proven
    for implicants in (("1-",), ("1-2",), ("1-0", 5)):
        with pytest.raises(InputError, match="expected 3 characters, each 0, 1 or -"):
            Network(3, "01", implicants)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="at_least must be a whole number from 0 to 1"):
        Network(3, "01", ("111",), at_least=2)


@pytest.mark.parametrize("form", [np.array, sp.csr_array, np.ndarray.tolist, lambda X: X.astype(bool), np.float32])
def test_rows_in_any_form(form: Callable[[Any], Any]) -> None:
    net = from_truth_table(random_table(0, 3))
    rows = form(net.corners)
    assert net.predict(rows).tolist() == net.table.tolist()
    assert net.predict(rows).dtype == net.activations(rows).dtype == np.int64
    assert net.predict(net.corners.astype(object)).tolist() == net.table.tolist()


def test_many_rows() -> None:
    net = from_truth_table(random_table(0, 5), "±1")
    which = np.random.default_rng(0).integers(32, size=2 * 4096 + 1)
    assert np.array_equal(net.predict(net.corners[which].astype(np.int8)), net.table[which])


# What it refuses, in one line.


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([], "table of 0 outputs; expected 2**n for n inputs: 2, 4, 8, … 1024"),
        ([1], "table of 1 output;"),
        ([0, 1, 1], "table of 3 outputs;"),
        ([0] * 2048, "table of 2048 outputs, for 11 inputs; expected up to 10"),
        ([[0, 1], [1, 0]], "not an array of 2 dimension(s)"),
        ([[0, 1], [1]], "a truth table is a list of outputs, each 0, 1 or None"),
        (1, "not an array of 0 dimension(s)"),
        (None, "not an array of 0 dimension(s)"),
        ("0110", "not an array of 0 dimension(s)"),
        ({0: 1}, "not an array of 0 dimension(s)"),
        ([0, 1, 2, 1], "output of row 2: 2; expected 0 or 1"),
        ([0, -1], "output of row 1: -1; expected 0 or 1"),
        ([0, 0.5], "output of row 1: 0.5;"),
        ([0, float("nan")], "output of row 1: nan;"),
        ([0, "1"], "output of row 1: '1';"),
        ([0, 1j], "output of row 1: 1j;"),
        ([0, 10**400], "output of row 1: 1000000000"),
        (["no\nyes", 1], "output of row 0: 'no\\nyes';"),
    ],
)
def test_tables_that_are_none(table: Any, words: str) -> None:
    assert words in refusal(lambda: from_truth_table(table))


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([0, 1], "inputs must form a table (m, 2) of 0 and 1, not an array of 1 dimension(s); [x] makes a table"),
        ([[0, 1], [1]], "inputs must form a table (m, 2) of 0 and 1, all of one length"),
        ("01", "not an array of 0 dimension(s)"),
        ([[0, 1, 1]], "rows have 3 columns; expected 2, one for each input"),
        (np.empty((0, 2)), "no rows"),
        ([[0, 1], [1, float("nan")]], "row 1, column 1: nan; expected 0 or 1"),
        ([[0, 1], [0.5, 1]], "row 1, column 0: 0.5; expected 0 or 1"),
        ([[0, 1], [float("inf"), 1]], "row 1, column 0: inf;"),
        ([[1, -1]], "row 0, column 1: -1; expected 0 or 1, as coded by '01'"),
        ([[0, "1"]], "row 0, column 1: '1';"),
        (np.array([["a", "b"]]), "row 0, column 0: 'a';"),
        ([[0, None]], "row 0, column 1: None;"),
        ([[0, 1j]], "row 0, column 1: 1j;"),
        ([[0, 1 + 1e-15]], "row 0, column 1: 1.000000000000001;"),
        (np.ma.array([[0, 1]], mask=[[False, True]]), "row 0, column 1: None;"),
        (sp.csr_array([[0, 3]]), "row 0, column 1: 3;"),
        (np.array([[0, 255]], dtype=np.uint8), "row 0, column 1: 255;"),
    ],
)
def test_rows_that_are_no_inputs(X: Any, words: str) -> None:
    net = from_truth_table([0, 1, 1, 0])
    assert words in refusal(lambda: net.predict(X))
    assert words in refusal(lambda: net.activations(X))


@pytest.mark.parametrize(
    "X", [[[1, 0]], np.array([[1, 0]], dtype=np.uint8), np.array([[True, False]]), [[1.0, 0.0]], sp.csr_array([[1, 0]])]
)
def test_a_signed_network_takes_no_zeros(X: Any) -> None:
    net = from_truth_table([0, 1, 1, 0], "±1")
    assert "expected -1 or 1, as coded by '±1'" in refusal(lambda: net.predict(X))


def test_functions_that_are_none() -> None:
    assert refusal(lambda: from_function(lambda *b: 1, 11)) == "n must be a whole number from 1 to 10, not 11"
    for n in (0, -1, 2.0, "2", None, True):
        assert "n must be a whole number from 1 to 10" in refusal(lambda n=n: from_function(lambda *b: 1, n))
    assert refusal(lambda: from_function(5, 2)) == "f must be a function of 2 inputs, not 5"  # type: ignore[arg-type]
    assert "f(0, 0) must give 0 or 1, but failed: TypeError" in refusal(lambda: from_function(lambda a: a, 2))
    words = refusal(lambda: from_function(lambda a, b: 1 // (a + b - 1) + 1, 2))
    assert words == "f(0, 1) must give 0 or 1, but failed: ZeroDivisionError: integer division or modulo by zero"
    assert refusal(lambda: from_function(lambda a, b: a + b, 2)) == "f(1, 1) gives 2; expected 0 or 1, False or True"
    for value in (None, "1", 0.5, float("nan"), -1, [1], np.array([0, 1]), np.array(1), 1j):
        assert refusal(lambda value=value: from_function(lambda a: value, 1)).startswith("f(0) gives ")


def test_codings_that_are_none() -> None:
    for inputs in ("pm", "10", "", None, 1, ["01"]):
        message = refusal(lambda inputs=inputs: from_truth_table([0, 1], inputs))
        assert message.endswith("expected one of 01, ±1, +-1")
        assert message == refusal(lambda inputs=inputs: from_function(lambda a: a, 1, inputs))
