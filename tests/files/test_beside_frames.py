"""What comes beside a frame: counts and weights go by the frame's index, or by nothing but the order of rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rosenblatt import InputError, LinearClassifier, Perceptron, learn, logistic_clinic

pd = pytest.importorskip("pandas")

FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 1.0, 0.0, 2.0]})
Y = [0, 1, 0, 1]

TAKERS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "clinic": ("counts", lambda X, beside: logistic_clinic(X, Y, counts=beside).total),
    "learn": ("sample_weight", lambda X, beside: learn(X, Y, sample_weight=beside, max_epochs=3).hyperplane.w),
    "linear": ("sample_weight", lambda X, beside: LinearClassifier().fit(X, Y, sample_weight=beside).coef_),
    "fit": ("sample_weight", lambda X, beside: Perceptron(tol=None).fit(X, Y, sample_weight=beside).coef_),
    "partial": ("sample_weight", lambda X, beside: Perceptron().partial_fit(X, Y, [0, 1], sample_weight=beside).coef_),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("taker", TAKERS)
def test_a_series_of_another_index_is_refused(taker: str) -> None:
    name, take = TAKERS[taker]
    said = f"^X and {name} have different indexes: align them, or give {name}.to_numpy\\(\\)$"
    for index in ([1, 2, 3, 4], [3, 2, 1, 0]):  # other rows, and the same in another order
        with pytest.raises(InputError, match=said):
            take(FRAME, pd.Series([1, 2, 1, 3], index=index))
    by_index = take(FRAME, pd.Series([1, 2, 1, 3]))
    assert np.array_equal(by_index, take(FRAME, [1, 2, 1, 3]))
    assert np.array_equal(by_index, take(FRAME.set_axis(list("wxyz")), pd.Series([1, 2, 1, 3], index=list("wxyz"))))


def test_of_different_lengths_the_lengths_are_said() -> None:
    with pytest.raises(InputError, match=r"^counts must hold one whole number for each of the 4 rows, not 3$"):
        logistic_clinic(FRAME, Y, counts=pd.Series([1, 2, 1], index=[7, 8, 9]))
    with pytest.raises(InputError, match=r"^sample_weight must hold one number for each of the 4 rows, not 3$"):
        learn(FRAME, Y, sample_weight=pd.Series([1, 2, 1], index=[7, 8, 9]))
    with pytest.raises(InputError, match=r"^4 rows but 3 labels$"):
        learn(FRAME, pd.Series([0, 1, 0], index=[7, 8, 9]))


@pytest.mark.parametrize("texts", [["1", "2", "1", "3"], np.array(["1", "2", "1", "3"], dtype=object), [b"1"] * 4])
def test_text_is_no_number_though_it_may_look_like_one(texts: Any) -> None:
    for some in (texts, pd.Series(texts, dtype=object)):
        with pytest.raises(InputError, match=r"^sample_weight must hold one number for each of the 4 rows$"):
            learn(FRAME, Y, sample_weight=some)
        with pytest.raises(InputError, match=r"^counts must hold one whole number for each of the 4 rows$"):
            logistic_clinic(FRAME, Y, counts=some)
