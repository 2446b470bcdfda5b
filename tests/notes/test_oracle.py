"""Is the oracle of questions.py right, which says without a perceptron what is separable?"""

from itertools import pairwise, product

from questions import conflicts, separable


def test_it_agrees_with_common_sense_on_a_line() -> None:
    """Separable are the labelings that change sign at most once."""
    points = [(0,), (1,), (3,), (4,), (9,)]
    known = conflicts(points)
    for y in product((1, -1), repeat=5):
        assert separable(known, y) == (sum(a != b for a, b in pairwise(y)) <= 1)
    assert separable(conflicts([(1,), (2,)], rho=0), (1, 1))
    assert not separable(conflicts([(1,), (2,)], rho=0), (1, -1))
    assert not separable(conflicts([(1,), (1,)]), (1, -1))
