"""What the estimators take: a table of numbers, as scikit-learn checks it; text in a frame is refused by its column.

They could code text themselves, as `learn` does; but then `coef_` would have more columns than `n_features_in_`, and
whatever takes one for the other would be wrong. In scikit-learn a transformer does it, and the refusal writes it down.
"""

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from ..data.frames import columns_at, dtypes_of, is_frame, names_of
from ..errors import InputError, plural, shown


def validated(estimator: Any, X: Any, *y: Any, **asked: Any) -> Any:
    """What `validate_data` makes of X and y. Raises `InputError` for a frame's columns that hold no numbers."""
    if hasattr(X, "__dask_graph__"):  # scikit-learn would gather them all, without a word
        raise InputError(
            "rows of a Dask collection, which may not fit here: DistributedPerceptron(client) leaves them where they"
            " are, and X.compute() brings them"
        )
    if not is_frame(X):
        return validate_data(estimator, X, *y, **asked)
    _refuse_dates(X)
    try:
        return validate_data(estimator, X, *y, **asked)
    except (TypeError, ValueError):
        if text := [name for j, name in enumerate(map(str, names_of(X))) if not _is_numeric(columns_at(X, [j]))]:
            raise InputError(_advice(text, type(estimator).__name__)) from None
        raise


def _refuse_dates(frame: Any) -> None:
    """They would pass for numbers, of nanoseconds."""
    for name, one in zip(names_of(frame), dtypes_of(frame), strict=False):
        if str(one).lower().startswith(("date", "time", "duration", "period")):
            raise InputError(f"column {shown(str(name))} holds {one}; turn it into numbers first, or leave it out")


def _is_numeric(column: Any) -> bool:
    try:
        np.asarray(column).astype(np.float64)
    except ValueError:
        return False
    except TypeError:  # pandas' NA: a number is missing
        return True
    return True


def _advice(text: list[str], name: str) -> str:
    count = f"column {shown(text[0])} holds" if len(text) == 1 else f"{plural(len(text), 'column')} hold"
    short = len(text) <= 4 and all(one.isprintable() and len(one) <= 30 for one in text)
    coder = f"make_column_transformer((OneHotEncoder(handle_unknown='ignore'), {text if short else '[…]'}),"
    pipe = f"make_pipeline({coder} remainder='passthrough'), {name}())"
    return f"{count} text, and {name} takes numbers: {pipe} codes it; so does rosenblatt.learn"
