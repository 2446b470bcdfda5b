"""`train --start`: zero, random weights, or those that a model of the same columns predicts by."""

import os
from typing import TYPE_CHECKING, Any

from ..errors import InputError, shown
from .kinds import existing_model

if TYPE_CHECKING:
    from ..data.examples import Examples
    from ..models.model import Model


def started_from(path: str) -> "Model":
    """The model whose weights to start from."""
    if not os.path.exists(path):
        raise InputError(f"--start {path}: no such file; expected zero, random, or the file of a model")
    return existing_model(path)


def start_of(start: str, model: "Model | None", examples: "Examples") -> Any:
    """What `learn` starts from: zero, random weights, or those that a model of the same columns predicts by."""
    if model is None:
        return None if start == "zero" else start
    own, names = model.n_features_in_, examples.feature_names
    if model.vote is not None:
        raise InputError(f"{start}: a vote has no weights to start from; expected a model with another readout")
    if model.classes.tolist() != examples.classes.tolist():
        raise InputError(
            f"{start}: a model of the classes {shown(model.classes.tolist())}; expected those of the data,"
            f" {shown(examples.classes.tolist())}"
        )
    if own != examples.n_columns or (names is not None and model.feature_names not in (None, names)):
        pairs = zip(model.feature_names or (), names or (), strict=False)
        first = next((f", the first that differs {shown(a)}" for a, b in pairs if a != b), "")
        raise InputError(f"{start}: a model of {own} columns{first}; expected the {examples.n_columns} of the data")
    return model.weights, model.offsets
