"""Model: a learnt classifier by itself, without the rows it learnt from and without scikit-learn.

It predicts; it says what is known of it; and it holds the state that more learning goes on from. The estimators are
faces of it: they share its names, with scikit-learn's underscore for what was learnt.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..atomic import replace_file
from ..data.hyperplane import MOST_WEIGHTS, distances, lengths_of, scores
from ..data.labels import column_of, predicted_codes
from ..errors import InputError
from ..files.door import rows_like
from ..files.reading import Reading
from ..report.html_cards import model_card
from ..report.model import model_text
from ..runs.choice import Choice
from ..runs.history import History
from ..runs.state import State
from ..runs.status import Status, ended
from ..runs.vote import Vote
from . import liblinear, records, store
from .description import description

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Model:
    """What was learnt, and how.

    kind, parameters
        The class of the estimator, and what it was made with.
    weights, offsets
        W (d, K) and b (K,): one output for two classes, K for K > 2. What it predicts by, unless there is a vote.
    facts
        Numbers known of it: `margin`, `margin_upper_bound`, …
    state
        What `partial_fit` goes on from; None if nothing does.
    reading
        How the file it was learnt from was read; None if it was no file.
    provenance
        What it was learnt from: how many rows, a digest of them; of a file, the version of the package that wrote it.
    choice
        What was tried, of a model that was chosen by rows held out.
    """

    kind: str
    parameters: dict[str, Any]
    classes: NDArray[Any]
    feature_names: tuple[str, ...] | None
    weights: Floats
    offsets: Floats
    status: Status
    vote: Vote | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    history: History | None = None
    state: State | None = None
    reading: Reading | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    choice: Choice | None = None

    def __post_init__(self) -> None:
        for part in (self.weights, self.offsets):
            part.flags.writeable = False

    def __repr__(self) -> str:
        d = self.weights.shape[0]
        return f"<Model: {self.kind}, {d} features, {self.classes.size} classes; {self.status.name}>"

    def decision_function(self, X: Any, threads: int | None = None, first_row: int = 0) -> Floats:
        """The score of each row, (n,) for two classes, (n, K) for K > 2; of a vote its share of the votes.

        The columns of a frame are found by name, in whatever order, if those that were learnt from had names. Errors
        number the rows from `first_row` on, where these are some of many.
        """
        X = rows_like(X, self.feature_names, self.n_features_in_, self.reading)
        if self.vote is not None:
            found = self.vote.scores(X, threads, first_row)
        else:
            found = scores(X, self.weights, self.offsets, threads, first_row)
        return found[:, 0] if self.offsets.size == 1 else found

    def predict(self, X: Any, threads: int | None = None) -> NDArray[Any]:
        """The label of each row: the positive one where the score is > 0; of K > 2, the class of the largest score."""
        return self.labels_for(self.decision_function(X, threads))

    def labels_for(self, scores: Floats) -> NDArray[Any]:
        """The labels that these scores predict."""
        return np.asarray(self.classes[predicted_codes(scores)])

    def score(self, X: Any, y: Any) -> float:
        """The share of the rows whose label it predicts."""
        predicted = self.predict(X)
        return float(np.mean(predicted == column_of(y, predicted.size)))

    def geometric_margin(self, X: Any, threads: int | None = None) -> Floats:
        """The signed distance of each row to the hyperplane (of K > 2, to each), positive on the positive side."""
        self._check_hyperplanes()
        return self.distances_for(self.decision_function(X, threads))

    def distances_for(self, scores: Floats) -> Floats:
        """The signed distances that rows of these scores have."""
        self._check_hyperplanes()
        return distances(scores, self.lengths[0] if scores.ndim == 1 else self.lengths)

    def _check_hyperplanes(self) -> None:
        """Raises `InputError` where there are no distances."""
        if self.vote is not None:
            raise InputError("a vote has no hyperplane to be distant from: use another readout")
        length = self.lengths
        if not length.all():
            raise InputError("w = 0 is no hyperplane: distances to it do not exist")
        if not np.isfinite(length).all():
            raise InputError("‖w‖ overflows float64: rescale the data")

    @cached_property
    def lengths(self) -> Floats:
        """‖w‖ of each output, whose squares may leave float64."""
        return lengths_of(self.weights)

    # What was learnt, under the names it has in scikit-learn.

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of two, the second is the positive one."""
        return self.classes

    @property
    def coef_(self) -> Floats:
        """The weights: (1, d) for two classes, (K, d) for K > 2."""
        self._no_vote("coef_")
        return self.weights.T

    @property
    def intercept_(self) -> Floats:
        """The offsets: (1,) or (K,)."""
        self._no_vote("intercept_")
        return self.offsets

    @property
    def n_features_in_(self) -> int:
        """How many features a row has."""
        return int(self.weights.shape[0])

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Their names, if they had any."""
        if self.feature_names is None:
            raise AttributeError("the features had no names: fit on a data frame to keep them")
        return np.array(self.feature_names, dtype=object)

    @property
    def status_(self) -> Status:
        """Why learning ended, and what to do next."""
        return self.status.facing("estimator")

    @property
    def history_(self) -> History:
        """One entry for each epoch: mistakes, updates, losses, the norm, a bound on the margin."""
        if self.history is None:
            raise AttributeError(f"{self.kind} has no epochs, so no history")
        return self.history

    @property
    def choice_(self) -> Choice:
        """What was tried, what was chosen, and by how much."""
        if self.choice is None:
            raise AttributeError(f"{self.kind} was not chosen by rows held out")
        return self.choice

    @property
    def n_iter_(self) -> int:
        """Epochs, over all calls of partial_fit too."""
        return self._state("n_iter_").epoch

    @property
    def n_updates_(self) -> int:
        """Rows that moved the weights."""
        return self._state("n_updates_").updates

    @property
    def margin_(self) -> float | Floats:
        """The smallest geometric margin on the rows that `fit` learnt from: above 0 if and only if each is on its side.

        Of K > 2 classes one-vs-rest has one for each class. The direct perceptron has one in all: the least lead of a
        row's class over any other, over the length of all weights together.
        """
        margin: float | Floats = self._fact("margin")
        return margin

    @property
    def margin_upper_bound_(self) -> float | Floats:
        """No hyperplane has a margin above this on the rows that `fit` learnt from; inf if nothing is known.

        Whatever its offset; with fit_intercept=False or offset=0, no hyperplane through the origin.
        """
        bound: float | Floats = self._fact("margin_upper_bound")
        return bound

    @property
    def seed(self) -> int | None:
        """The seed of the orders it met rows in, if they were shuffled."""
        return None if self.state is None else self.state.conditions.get("seed")

    def _state(self, name: str) -> State:
        if self.state is None:
            raise AttributeError(f"{self.kind} has no {name}: it does not learn in epochs")
        return self.state

    def _fact(self, name: str) -> Any:
        if name not in self.facts:
            self._no_vote(name + "_")
            raise AttributeError(f"{name}_ is known after fit only: partial_fit does not look back at rows it has met")
        return self.facts[name]

    def _no_vote(self, name: str) -> None:
        if self.vote is not None:
            raise AttributeError(f"a vote is no hyperplane, so it has no {name}: use readout='averaged' or 'last'")

    def to_dict(self, most: int = MOST_WEIGHTS, first: int | None = None) -> dict[str, Any]:
        """What is known of it, in plain values; with at most so many weights of each output.

        Features without names are numbered from `first`; by default as in the file it was learnt from.
        """
        return description(self, most, first)

    def summary(self) -> str:
        """The same in words, as `rosenblatt show` prints it, at most 80 characters wide."""
        return "\n".join(model_text({"name": None, "form": "model", **self.to_dict(10), "next": []}))

    def _repr_html_(self) -> str:
        return model_card(self.to_dict(10))

    # Files.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, at once or not at all. `rosenblatt.load` reads it; nothing in it can run."""
        header, tensors = records.record_of(self)
        store.write(path, records.KIND, records.VERSION, header, tensors)

    def to_json(self) -> str:
        """The same as JSON text, for people and other programs; `rosenblatt.from_json` reads it, bit for bit."""
        return store.to_text(records.KIND, records.VERSION, *records.record_of(self))

    def to_liblinear(self, path: str | os.PathLike[str]) -> None:
        """Write a model file for LIBLINEAR's `predict`. Labels must be whole numbers; features count from 1 there."""
        if self.vote is not None:
            raise InputError("a vote has no weights for LIBLINEAR: learn with another readout, averaged or last")
        replace_file(path, liblinear.to_text(self.classes, self.weights, self.offsets).encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Model":
        """The model in a file that `save` wrote."""
        return cls._of(lambda: store.read(path, records.KIND, records.VERSION), f"{os.fspath(path)}: ")

    @classmethod
    def from_json(cls, text: str) -> "Model":
        """The model in a text that `to_json` wrote."""
        return cls._of(lambda: store.from_text(text, records.KIND, records.VERSION), "")

    @classmethod
    def from_liblinear(cls, path: str | os.PathLike[str]) -> "Model":
        """The model in a file of LIBLINEAR's `train`, or of `to_liblinear`."""
        name = os.fspath(path)
        if not Path(path).is_file() and Path(path).exists():
            raise InputError(f"{name}: not a regular file")
        try:
            text = Path(path).read_text("ascii")
        except UnicodeDecodeError:
            raise InputError(f"{name}: not a model of LIBLINEAR: it is no plain text") from None
        classes, W, b = liblinear.from_text(text, name)
        return cls("Perceptron", {}, classes, None, W, b, ended("read", "from-weights", file=name))

    @classmethod
    def _of(cls, read: Callable[[], tuple[int, dict[str, Any], dict[str, Any]]], name: str) -> "Model":
        version, header, tensors = read()
        try:
            return cls(**records.fields_of(version, header, tensors))
        except InputError as error:
            raise InputError(f"{name}not a sound model: {error}") from None
        except RecursionError:
            raise InputError(f"{name}not a sound model: lists within lists, too deep") from None
