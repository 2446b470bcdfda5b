"""Loading: models from files and texts, as the estimators that were saved.

In a process without scikit-learn it is the `Model` itself, which predicts just the same.
"""

import os
from typing import Any

from ..errors import InputError
from ..models.model import Model
from .online import OnlinePerceptron


def load(path: str | os.PathLike[str]) -> Any:
    """What `save` wrote: a `LinearClassifier`, `Perceptron`, `MaxMarginClassifier` or `OnlinePerceptron`.

    Raises `InputError` unless the file is whole and makes sense. Nothing in it is run.
    """
    return _face(Model.load(path), f"{os.fspath(path)}: ")


def from_json(text: str) -> Any:
    """What `to_json` wrote, bit for bit."""
    return _face(Model.from_json(text), "")


def from_liblinear(path: str | os.PathLike[str]) -> Any:
    """A `Perceptron` that predicts as LIBLINEAR's model in this file does, and that partial_fit goes on from."""
    return _face(Model.from_liblinear(path), "")


def _face(model: Model, name: str) -> Any:
    try:
        if model.kind == "OnlinePerceptron":
            return OnlinePerceptron._of(model)
        try:
            from .linear import LinearClassifier
            from .max_margin import MaxMarginClassifier
            from .perceptron import Perceptron
        except ImportError as error:
            if (error.name or "").partition(".")[0] == "sklearn":
                return model
            raise
        faces: dict[str, Any] = {"Perceptron": Perceptron, "LinearClassifier": LinearClassifier}
        return faces.get(model.kind, MaxMarginClassifier)._of(model)
    except InputError as error:
        raise InputError(f"{name}{error}") from None
