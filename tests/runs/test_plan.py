"""Every choice of a plan: its range, its words, and the combinations that make no sense."""

import os
from typing import Any

import pytest

from rosenblatt import InputError, learn, rules
from rosenblatt.choices import thread_count

X, Y = [[1.0, 2.0], [3.0, -1.0], [-2.0, 0.5]], [1, -1, 1]

BAD = [
    ({"rule": "preceptron"}, "unknown rule 'preceptron'; the rules are coin, delta, dynamic-margin"),
    ({"rule": None}, "unknown rule None"),
    ({"rule": ["perceptron"]}, "unknown rule"),
    ({"order": "random"}, "unknown order 'random'; expected one of cyclic, shuffled"),
    ({"order": 3}, "unknown order 3"),
    ({"schedule": "1/k2"}, "unknown schedule '1/k2'; expected one of constant, 1/k, 1/sqrt\\(k\\)"),
    ({"schedule": lambda k: 0.0}, "schedule\\(1\\) gives a step of 0.0"),
    ({"schedule": lambda k: float("nan")}, "schedule\\(1\\) gives a step of nan"),
    ({"readout": "best"}, "unknown readout 'best'; expected one of last, averaged"),
    ({"multiclass": "pairs"}, "unknown multiclass 'pairs'"),
    ({"batch_size": 0}, "batch_size must be a whole number >= 1"),
    ({"batch_size": -3}, "batch_size must be"),
    ({"batch_size": 2.5}, "batch_size must be"),
    ({"batch_size": "some"}, "or 'all'"),
    ({"batch_size": True}, "batch_size must be"),
    ({"eta": 0}, "eta must be a finite number > 0, not 0"),
    ({"eta": -1}, "eta must be"),
    ({"eta": float("inf")}, "eta must be"),
    ({"eta": "1"}, "eta must be"),
    ({"offset": -1}, "offset must be a finite number >= 0, not -1; or 'radius'"),
    ({"offset": "wide"}, "or 'radius'"),
    ({"offset": 1e200}, "its square leaves the range"),
    ({"max_epochs": 0}, "max_epochs must be a whole number >= 1"),
    ({"max_epochs": -1}, "max_epochs must be"),
    ({"max_epochs": 1.0}, "max_epochs must be"),
    ({"tol": -0.1}, "tol must be"),
    ({"patience": 0}, "patience must be"),
    ({"step_tol": 0}, "step_tol must be"),
    ({"seed": -1}, "seed must be"),
    ({"seed": 2**64}, "seed must be"),
    ({"seed": None}, "seed must be"),
    ({"threads": 0}, "threads must be"),
    ({"rule": "margin"}, "rule 'margin' needs beta"),
    ({"rule": "margin", "beta": -0.1}, "beta must be a finite number >= 0"),
    ({"rule": "perceptron", "beta": 1}, "takes no beta"),
    ({"rule": "perceptron", "C": 1}, "takes no C"),
    ({"rule": "pa-1", "C": 0}, "C must be"),
    ({"rule": "pa-1", "batch_size": 2}, "batch_size must be 1"),
    ({"rule": "passive-aggressive", "batch_size": "all"}, "batch_size must be 1"),
    ({"rule": "pa-2", "eta": 0.5}, "sets its own step"),
    ({"rule": "pa-2", "schedule": "1/k"}, "sets its own step"),
    ({"start": "warm"}, "unknown start 'warm'"),
    ({"start": [1, 2, 3]}, "start must be \\(w, b\\)"),
    ({"start": ([1.0], 0.0)}, "2 weight\\(s\\) and 1 offset"),
    ({"start": ([1.0, float("nan")], 0.0)}, "start must be finite"),
    ({"start": ([1.0, 1.0], 2.0), "offset": 0}, "through the origin"),
]


@pytest.mark.parametrize(("choices", "message"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_what_makes_no_sense_is_refused_in_one_line(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        learn(X, Y, **choices)
    assert "\n" not in str(caught.value)


def test_threads_come_from_the_argument_the_environment_or_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSENBLATT_NUM_THREADS", "3")
    assert thread_count(None) == 3
    assert thread_count(2) == 2
    monkeypatch.setenv("ROSENBLATT_NUM_THREADS", "many")
    with pytest.raises(InputError, match="ROSENBLATT_NUM_THREADS"):
        thread_count(None)
    monkeypatch.delenv("ROSENBLATT_NUM_THREADS")
    assert 1 <= thread_count(None) <= len(os.sched_getaffinity(0))


@pytest.mark.parametrize("name", rules.names())
def test_every_rule_states_itself(name: str) -> None:
    rule = rules.get(name)
    assert rule.name == name
    assert rule.formula
    assert rule.guarantee
    assert rule.paper
    assert set(rule.parameters) <= {"beta", "C"}
    bound = rule.bound(rules.Setting(radius=2.0, margin=0.5, beta=0.1))
    assert bound is None or bound > 0
