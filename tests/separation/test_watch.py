"""The watch: what searches tell, and that whoever listens can end them with what is known."""

import math
import time
from typing import Any

import numpy as np
import pytest

from rosenblatt import least_mistakes, logistic_clinic, max_margin, separability, verify
from rosenblatt.separation.watch import OutOfTimeError, SearchProgress, Watch

RANDOM = np.random.default_rng(5)
NOISE = RANDOM.normal(size=(300, 5)), RANDOM.integers(0, 2, 300)


@pytest.mark.serial
def test_a_callback_is_asked_again_where_there_is_no_news() -> None:
    asked: list[SearchProgress] = []

    def enough(progress: SearchProgress) -> bool:
        asked.append(progress)
        return len(asked) == 3

    watch = Watch(60, enough)
    watch.tell("looking", rows=3)
    while not watch.over():
        time.sleep(0.01)
    with pytest.raises(OutOfTimeError):
        watch.seconds_left()
    assert [(one.doing, one.known) for one in asked] == [("looking", {"rows": 3})] * 3
    assert 0.1 <= asked[1].seconds - asked[0].seconds < 1
    assert (watch.stopped, watch.over(), watch.why) == (True, True, "it was stopped")


def test_a_part_ends_with_the_whole_and_tells_it_by_its_name() -> None:
    heard: list[str] = []
    whole = Watch(60, lambda progress: heard.append(progress.doing))
    part = whole.part(30, "a against b")
    part.tell("looking", rows=1)
    assert heard == ["a against b: looking"]
    assert whole.last.known == {"rows": 1}
    whole.forget()
    assert whole.last.known == {}
    assert 29 < part.seconds_left() <= 30
    assert whole.part(0.0).why == "the time limit ran out"
    whole.stop()
    assert (part.over(), part.why) == (True, "it was stopped")


def said_of(found: Any) -> str:
    """Why it ended, in its own words."""
    if hasattr(found, "status"):
        return str(found.status)
    return "; ".join(getattr(found, "verdict", found).found.steps)


@pytest.mark.serial
@pytest.mark.parametrize(
    "ask",
    [
        lambda progress: separability(*NOISE, progress=progress),
        lambda progress: max_margin(*NOISE, progress=progress),
        lambda progress: least_mistakes(*NOISE, time_limit=None, progress=progress),
        lambda progress: logistic_clinic(*NOISE, time_limit=None, progress=progress),
    ],
)
def test_every_search_tells_and_ends_when_it_is_told_to(ask: Any) -> None:
    heard: list[SearchProgress] = []

    def enough(progress: SearchProgress) -> bool:
        heard.append(progress)
        return True

    begin = time.monotonic()
    found = ask(enough)
    assert time.monotonic() - begin < 5
    assert heard
    assert all(one.doing and one.seconds >= 0 for one in heard)
    if hasattr(found, "upper"):
        assert 0 <= found.lower <= found.upper <= 300
        assert found.status.name == "stopped"
        assert found.check()
    else:
        assert "it was stopped" in said_of(found)


def test_of_several_classes_it_says_which_one_and_how_many_are_done() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], ["a", "a", "b", "b", "c", "c"]
    heard: list[str] = []
    found = separability(X, y, multiclass="rest", progress=lambda progress: heard.append(progress.doing))
    assert {label: one.kind for label, one in found.items()} == {"a": "separable", "b": "overlapping", "c": "separable"}
    assert [one for one in heard if one.endswith("done)")] == [
        f"{label} against the rest ({done} of 3 done)" for done, label in enumerate("abc")
    ]
    ended = separability(X, y, multiclass="pairs", progress=lambda progress: "(1 of 3 done)" in progress.doing)
    assert {pair: one.kind for pair, one in ended.items()} == {
        ("a", "b"): "separable", ("a", "c"): "undecided", ("b", "c"): "undecided"
    }  # fmt: skip


def test_a_margin_that_is_stopped_keeps_the_best_hyperplane_so_far() -> None:
    random = np.random.default_rng(1)
    X, w = random.normal(size=(9000, 60)), random.normal(size=60)
    X = X[np.abs(X @ w) > 1]
    y = np.sign(X @ w)
    known: list[dict[str, Any]] = []

    def enough(progress: SearchProgress) -> bool:
        known.append(dict(progress.known))
        return progress.known.get("lower") is not None

    whole, part = max_margin(X, y), max_margin(X, y, progress=enough)
    assert whole.separable
    assert part.status.name == "stopped"
    assert 0 < part.margin <= whole.margin <= whole.margin_upper <= part.margin_upper
    assert part.check()
    assert known[-1]["lower"] == pytest.approx(part.margin)


def test_two_equal_calls_give_equal_answers_where_no_clock_ends_them() -> None:
    first, second = (least_mistakes(NOISE[0][:25, :3], NOISE[1][:25], time_limit=None) for _ in range(2))
    assert first.status.name == "exact"
    assert (first.upper, first.exact_hyperplane) == (second.upper, second.exact_hyperplane)
    margins = [max_margin(NOISE[0][:6], NOISE[1][:6], time_limit=None) for _ in range(2)]
    assert margins[0].exact_hyperplane == margins[1].exact_hyperplane


def test_a_check_tells_rows_of_rows_and_an_error_ends_it() -> None:
    X = np.arange(40_000.0)[:, None]
    y = np.where(X[:, 0] < 20_000, -1, 1)
    proof = separability(X, y).proof
    heard: list[SearchProgress] = []
    assert verify(proof, X, y, progress=heard.append)
    assert heard[0].doing == "checking the fingerprint of the rows"
    assert all(one.known.get("of", 40_000) == 40_000 for one in heard)

    def enough(_: SearchProgress) -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        verify(proof, X, y, progress=enough)
    assert math.isclose(heard[0].seconds, 0, abs_tol=1)
