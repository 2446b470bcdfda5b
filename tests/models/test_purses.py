"""Files of models that bet: what no run could have left is refused, in one line, and nothing leaves float64."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from rosenblatt import InputError, OnlinePerceptron, Perceptron, from_json

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_iris(return_X_y=True)
ROWS = [dict(zip("abcd", row, strict=True)) for row in X.tolist()]


def fitted(rule: str) -> Any:
    return Perceptron(rule=rule, max_iter=5, tol=None).fit(X, Y)


def stream(rule: str) -> Any:
    made = OnlinePerceptron(classes=[0, 1, 2], rule=rule)
    made.learn_many(ROWS, Y.tolist())
    return made


def model_of(made: Any) -> Any:
    return made.to_model() if isinstance(made, OnlinePerceptron) else made._model


def text_with(made: Any, **changes: Any) -> str:
    """What it would save, had it another state."""
    model = model_of(made)
    model = replace(model, state=replace(model.state, **changes))
    if isinstance(made, OnlinePerceptron):
        return model.to_json()
    other = copy.copy(made)
    other._model = model
    return other.to_json()


def go_on(made: Any) -> None:
    if isinstance(made, OnlinePerceptron):
        made.learn_many(ROWS, Y.tolist())
    else:
        made.partial_fit(X, Y)


def entry(value: float, part: int = 0) -> Callable[[Any], Any]:
    """A pair with one number in it changed: of w, or of b."""

    def changed(pair: Any) -> Any:
        made = [part.copy() for part in pair]
        made[part].reshape(-1)[0] = value
        return tuple(made)

    return changed


FORGED: list[tuple[str, Callable[[Any], Any], str]] = [
    ("coin_gain", entry(-0.1), "a purse that cannot be"),  # all of it lost
    ("coin_gain", entry(-5.0, part=1), "a purse that cannot be"),  # in debt
    ("coin_gain", entry(1e200), "a purse that cannot be"),
    ("coin_sum", entry(1e170), "a purse that cannot be"),
    ("coin_spread", entry(-1.0), "a column out of range"),
    ("coin_spread", entry(1e305), "a column out of range"),
    ("coin_largest", entry(1e-200), "a column out of range"),
    ("coin_largest", entry(-1.0, part=1), "a column out of range"),
    ("coin_largest", entry(1e141), "a column out of range"),
    ("coin_gain", entry(np.nan), "finite"),
    ("coin_sum", entry(np.inf, part=1), "finite"),
    ("coin_sum", lambda pair: None, ""),
    ("coin_spread", lambda pair: (pair[0][:-1], pair[1]), ""),
    ("coin_largest", lambda pair: (pair[0][:, :2], pair[1][:2]), ""),
]


@pytest.mark.parametrize("rule", ["coin", "scinol"])
@pytest.mark.parametrize("make", [fitted, stream])
def test_what_no_run_could_have_left_is_refused_in_one_line(make: Callable[[str], Any], rule: str) -> None:
    made = make(rule)
    state = model_of(made).state
    go_on(from_json(text_with(made)))
    more = [("coin_sum", entry(1e150), "a purse that cannot be")] if rule == "coin" else []
    for name, forge, message in (*FORGED, *more):
        changed = {name: forge(getattr(state, name))}
        with pytest.raises(InputError) as caught:  # it is refused when opened, or when it goes on
            go_on(from_json(text_with(made, **changed)))
        assert message in str(caught.value), name
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [fitted, stream])
def test_a_state_goes_on_with_no_other_rule(make: Callable[[str], Any]) -> None:
    for rule, other in (("coin", "scinol"), ("coin", "pa-1"), ("perceptron", "coin")):
        if make is stream and other == "scinol":
            continue  # a stream has no plan to keep to, and these are numbers that it could have
        text = make(rule).to_json().replace(f'"rule": "{rule}"', f'"rule": "{other}"')
        assert f'"rule": "{other}"' in text
        with pytest.raises(InputError) as caught:
            go_on(from_json(text))
        assert "\n" not in str(caught.value)


def test_a_state_of_the_right_sizes_stays_finite_wherever_it_is_driven() -> None:
    """The largest numbers that are let in: bets on them stay within float64."""
    made = fitted("scinol")
    state = model_of(made).state
    for gain, total, spread, largest in ((9e159, 9e159, 0.0, 1e-140), (9e159, -9e159, 9e299, 1e140), (9e159, 0, 0, 0)):
        pairs = {
            name: (np.full_like(state.weights, value), np.full_like(state.offsets, value))
            for name, value in zip(
                ("coin_gain", "coin_sum", "coin_spread", "coin_largest"), (gain, total, spread, largest), strict=True
            )
        }
        again = from_json(text_with(made, **pairs))
        try:
            again.partial_fit(X, Y)
        except InputError as error:
            assert "its score overflows float64; the weights are those before this row" in str(error)  # noqa: PT017
        assert np.isfinite(again.coef_).all()
        assert all(np.isfinite(part).all() for name in pairs for part in getattr(again._model.state, name))
