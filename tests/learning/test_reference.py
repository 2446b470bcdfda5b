"""The oracle itself: every worked number of the notes, in exact fractions.

A reference nobody checked is a second opinion, not an oracle; here the lecture notes are the judge.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from reference import (
    ONE,
    Trace,
    Update,
    dot,
    learn,
    learn_direct,
    learn_ovr,
    norm2,
    rule,
    step,
    triggers,
    vector,
)

Rows = list[tuple[int, ...]]
HALF = Fraction(1, 2)
PERCEPTRON = rule("perceptron")

# The lecture notes' data sets, with their labels.
S001_LINE: tuple[Rows, list[int]] = ([(1,), (2,), (3,), (4,)], [1, 1, -1, -1])
S002_FIRST: tuple[Rows, list[int]] = ([(4, 0), (1, 1), (0, 1), (-2, -2)], [1, -1, -1, 1])
S002_XOR: tuple[Rows, list[int]] = ([(1, 1), (1, -1), (-1, 1), (-1, -1)], [1, -1, -1, 1])
S003_TWO_SIDES: tuple[Rows, list[int]] = (
    [(1, 1), (1, 3), (2, 1), (2, 2), (-1, -1), (-1, -3), (-2, -1), (-2, -2)],
    [1, 1, 1, 1, -1, -1, -1, -1],
)


def path(trace: Trace) -> list[tuple[Fraction, ...]]:
    return [w for w, _ in trace.weights]


def margins(trace: Trace, rows: Rows, y: list[int]) -> list[Fraction]:
    return [sign * (dot(trace.w, vector(x)) + trace.b) for x, sign in zip(rows, y, strict=True)]


def test_s001_section_1_one_update_of_a_given_hyperplane() -> None:
    start = ((1, -1), 1)
    trace = learn([(1, 3)], [1], update=PERCEPTRON, start=start, max_epochs=1)
    assert trace.epochs[0].perceptron_loss == 1  # its margin was -1
    assert trace.weights[1] == ((2, 2), 2)


def test_s001_section_3_2_the_squared_geometric_margin_is_one_half() -> None:
    w, b = vector((1, -1)), ONE
    m = dot(w, vector((1, 3))) + b
    assert m == -1
    assert m * m / dot(w, w) == HALF  # so the margin is -sqrt(2)/2


def test_s001_section_2_is_separated_by_minus_x_plus_five_halves() -> None:
    rows, y = S001_LINE
    assert min(s * (-x + Fraction(5, 2)) for (x,), s in zip(rows, y, strict=True)) == HALF


def test_s001_section_2_with_unit_offset() -> None:
    trace = learn(*S001_LINE, update=PERCEPTRON)
    assert (trace.w, trace.b) == ((-3,), 7)
    assert (len(trace.log), len(trace.epochs), trace.clean) == (25, 11, True)


def test_s001_section_2_with_radius_offset() -> None:
    trace = learn(*S001_LINE, update=PERCEPTRON, rho2=16)
    assert (trace.w, trace.b) == ((-7,), 16)
    assert (len(trace.log), len(trace.epochs), trace.clean) == (9, 6, True)


def test_s001_section_2_through_the_origin_cycles() -> None:
    trace = learn(*S001_LINE, update=PERCEPTRON, rho2=0, max_epochs=40)
    assert trace.repeated is not None
    assert not trace.clean
    # After x = 1 the weight is 1; x = 3 takes it to -2; x = 1 and x = 2 bring it back to -1 and 1.
    assert [w for (w,) in path(trace)[:8]] == [0, 1, -2, -1, 1, -2, -1, 1]
    assert {w for (w,) in path(trace)[1:]} == {-1, 1, -2}


def test_s002_example_1_path_and_mistakes() -> None:
    trace = learn(*S002_FIRST, update=PERCEPTRON, rho2=0)
    assert path(trace) == [(0, 0), (4, 0), (3, -1), (1, -3)]
    assert [epoch.mistakes for epoch in trace.epochs] == [3, 0]
    assert trace.clean
    assert trace.log == [(0, 1, 1, 1), (1, 1, 2, 2), (3, 1, 4, 3)]  # row, tau, visit, change


def test_s002_example_1_voted_counts_and_averaged_direction() -> None:
    trace = learn(*S002_FIRST, update=PERCEPTRON, rho2=0, max_epochs=1)
    assert trace.survival == [1, 1, 2, 1]
    assert trace.average == ((Fraction(11, 5), Fraction(-5, 5)), 0)


def test_s002_example_1_full_batch_changes_once() -> None:
    trace = learn(*S002_FIRST, update=PERCEPTRON, rho2=0, batch_size="all")
    assert path(trace) == [(0, 0), (1, -4)]
    assert trace.clean


@pytest.mark.parametrize("rho2", [0, 1, 2], ids=["origin", "one", "radius"])
def test_s002_example_2_is_back_at_its_start_after_every_epoch(rho2: int) -> None:
    trace = learn(*S002_XOR, update=PERCEPTRON, rho2=rho2, max_epochs=3)
    assert (trace.w, trace.b, trace.repeated, trace.clean) == ((0, 0), 0, 1, False)


def test_s002_example_2_path_through_the_origin() -> None:
    trace = learn(*S002_XOR, update=PERCEPTRON, rho2=0, max_epochs=1)
    assert path(trace) == [(0, 0), (1, 1), (0, 2), (1, 1), (0, 0)]


def test_s002_example_2_equal_multipliers_prove_inseparability() -> None:
    rows, y = S002_XOR
    augmented = [(*x, 1) for x in rows]
    assert [sum(s * x[j] for x, s in zip(augmented, y, strict=True)) for j in range(3)] == [0, 0, 0]


def test_s002_margin_unsigned_and_signed_differ() -> None:
    rows, y = [("1", "-1"), ("-1", "-1"), ("0.01", "0"), ("-1", "0")], [1, 1, 1, -1]
    scores = [dot(vector((1, 0)), vector(x)) for x in rows]
    assert min(abs(s) for s in scores) == Fraction("0.01")
    assert min(sign * s for s, sign in zip(scores, y, strict=True)) == -1


def test_s003_from_zero_one_mistake_is_enough() -> None:
    trace = learn(*S003_TWO_SIDES, update=PERCEPTRON, rho2=0)
    assert (trace.w, len(trace.log), trace.clean) == ((1, 1), 1, True)


@pytest.mark.parametrize(("eta", "w", "updates"), [(1, (0, 1), 1), (HALF, (HALF, 1), 2)])
def test_s003_from_a_given_start_eta_changes_the_answer(eta: Fraction, w: tuple[Fraction, ...], updates: int) -> None:
    trace = learn(*S003_TWO_SIDES, update=PERCEPTRON, rho2=0, eta=eta, start=((-1, 0), 0))
    assert (trace.w, len(trace.log), trace.clean) == (w, updates, True)
    assert min(margins(trace, *S003_TWO_SIDES)) > 0


def test_s003_full_batch_changes_once() -> None:
    trace = learn(*S003_TWO_SIDES, update=PERCEPTRON, rho2=0, batch_size="all")
    assert path(trace) == [(0, 0), (12, 14)]
    assert trace.clean


@pytest.mark.parametrize("x", [3, -3])
@pytest.mark.parametrize("t", [1, -1])
def test_s003_target_minus_output_sign_cases(x: int, t: int) -> None:
    """A wrong output is o = -t, so the step (t - o)*x is 2*t*x; a right one changes nothing."""
    wrong, right = ((-t * x,), 0), ((t * x,), 0)
    how = {"update": rule("target-output"), "rho2": 0, "max_epochs": 1}
    assert learn([(x,)], [t], start=wrong, **how).w == (-t * x + 2 * t * x,)
    assert learn([(x,)], [t], start=right, **how).w == (t * x,)


def test_one_over_k_needs_83_changes_where_the_notes_say_so() -> None:
    """Ten copies of (1,0)+ and one (-1,1)+, full batch, eta_k = 1/k."""
    rows = [(1, 0)] * 10 + [(-1, 1)]
    trace = learn(rows, [1] * 11, update=PERCEPTRON, rho2=0, batch_size="all", schedule="1/k")
    assert trace.clean
    assert len(trace.weights) - 1 == 83


def test_the_margin_threshold_is_compared_exactly_on_both_sides_of_an_irrational() -> None:
    update = rule("margin", beta=1)
    below, above = Fraction(14142135623, 10**10), Fraction(14142135624, 10**10)
    assert triggers(update, below, Fraction(2))
    assert not triggers(update, above, Fraction(2))
    assert triggers(update, Fraction(2), Fraction(4))  # a tie triggers unless the rule is strict
    assert not triggers(Update(strict=True, beta=ONE), Fraction(2), Fraction(4))
    assert triggers(update, Fraction(-5), Fraction(1))


def test_a_passive_aggressive_step_puts_its_example_on_margin_one() -> None:
    trace = learn([(1, 2)], [-1], update=rule("passive-aggressive"), start=((1, 1), 1), max_epochs=1)
    assert margins(trace, [(1, 2)], [-1]) == [1]


def test_a_zero_denominator_means_no_update() -> None:
    assert step(rule("passive-aggressive"), Fraction(0), Fraction(0), Fraction(0), ONE) == 0


def test_a_capped_and_a_softened_step() -> None:
    assert step(rule("pa-1", C=HALF), Fraction(-3), Fraction(2), ONE, ONE) == HALF
    assert step(rule("pa-2", C=HALF), Fraction(-3), Fraction(3), ONE, ONE) == 1


def test_a_short_last_batch_is_flushed_at_the_end_of_the_epoch() -> None:
    trace = learn([(1,), (2,), (3,)], [1, 1, 1], update=PERCEPTRON, rho2=0, batch_size=2)
    # (1 + 2) at once; x = 3 alone is then right already.
    assert path(trace) == [(0,), (3,)]
    assert trace.survival == [2, 5]


def test_one_against_the_rest_runs_until_every_output_is_clean() -> None:
    rows, codes = [(4, 0), (0, 4), (-4, -4)], [0, 1, 2]
    traces = learn_ovr(rows, codes, update=PERCEPTRON)
    assert len({len(trace.epochs) for trace in traces}) == 1
    assert all(trace.clean for trace in traces)


def test_direct_first_step_moves_the_own_class_and_the_first_rival() -> None:
    W, epochs = learn_direct([(1, 2), (0, 1)], [1, 2], update=PERCEPTRON, max_epochs=1)
    # Row 0 (class 1): all scores 0, rival 0.  Row 1 (class 2): scores -3, 3, 0, rival 1.
    assert W == [(-1, -2, -1), (1, 1, 0), (0, 1, 1)]
    assert (epochs[0].mistakes, epochs[0].updates) == (2, 2)


def test_survival_counts_every_moment_once() -> None:
    trace = learn(*S001_LINE, update=PERCEPTRON)
    assert sum(trace.survival) == 11 * 4 + 1


def test_the_norm_of_augmented_weights_divides_the_offset_by_rho() -> None:
    assert norm2((ONE, ONE), Fraction(2), Fraction(4)) == 3
