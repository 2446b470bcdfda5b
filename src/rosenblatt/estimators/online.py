"""Online: one example at a time, features by name, in River's manner.

A thin wrapper around a learner that stays alive: an example costs its own features, however many there are in all. The
stream is one endless epoch in the order it comes, so `learn_many` is the loop of `learn_one`, and both are the run that
had all examples from the start, bit for bit. New features join with weight 0, which they had all along.
"""

import os
import threading
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, rules
from ..choices import MULTICLASS, number, one_of
from ..data.frames import names_of
from ..data.labels import column_of, joined_classes, predicted_codes, weights_of
from ..data.source import CHUNK
from ..errors import InputError, shown
from ..learning.transfer import with_classes, with_features
from ..models.model import Model
from ..report.words import FAULTS
from ..runs import status
from ..runs.plan import offset_scale, parameters_of
from ..runs.state import State

_SPARE = 64  # columns a learner has at least; it grows by doubling
_READOUTS = ("averaged", "last")


class OnlinePerceptron:
    """The perceptron family over a stream of dictionaries.

    classes
        The labels there are; of two, the larger is the positive one. A label that is not among them is an error, or
        with grow_classes=True a new class.
    rule, beta, C, eta0, offset, multiclass
        As for `Perceptron`.
    readout
        "averaged" or "last".

    >>> model = OnlinePerceptron(classes=["ham", "spam"])
    >>> for words, label in [("win money now", "spam"), ("see you now", "ham"), ("money for you", "spam")]:
    ...     model.learn_one(dict.fromkeys(words.split(), 1), label)
    >>> model.predict_one({"win": 1, "money": 1}), model.n_updates_, model.feature_names_in_.tolist()
    ('spam', 3, ['win', 'money', 'now', 'see', 'you', 'for'])
    """

    def __init__(
        self,
        *,
        classes: Iterable[Any] = (False, True),
        rule: str = "perceptron",
        readout: str = "averaged",
        eta0: float = 1.0,
        offset: float = 1.0,
        beta: float | None = None,
        C: float | None = None,
        multiclass: str = "ovr",
        grow_classes: bool = False,
    ) -> None:
        try:
            given = np.asarray(list(classes) if isinstance(classes, Iterable) else [])
        except (TypeError, ValueError):  # lists of different lengths, or what cannot be gone through after all
            given = np.empty(0)
        self.classes_: NDArray[Any] = np.unique(given)
        if self.classes_.size < 2:
            raise InputError(f"classes={shown(classes)}: expected two or more labels")
        self.rule, self.readout = rule, one_of("readout", readout, _READOUTS)
        self.eta0, self.offset = number("eta0", eta0, above=0), float(offset_scale(number("offset", offset, least=0)))
        self.beta, self.C, self.multiclass = beta, C, one_of("multiclass", multiclass, MULTICLASS)
        self.grow_classes = bool(grow_classes)
        self._rule = rules.get(rule)
        self._update = self._rule.update(**parameters_of(self._rule, beta, C))
        if self._rule.unit != "one":
            raise InputError(
                f"rule {rule!r} gives beta in units of the rows a run begins with, and a stream has none yet:"
                " use 'fixed-margin', with beta in the data's own units"
            )
        if not self._rule.uses_eta and self.eta0 != 1:
            raise InputError(f"rule {rule!r} sets its own step: leave out eta0")
        if self.multiclass == "direct" and not self._rule.direct:
            raise InputError(f"rule {rule!r} has no direct multiclass form: use multiclass='ovr'")
        self._lock = threading.RLock()  # the core looks at rows without holding Python's
        self._column: dict[Any, int] = {}
        self._chunk = -1
        self._columns = _SPARE
        self._core = self._learner()
        self._core.begin(None)

    def __repr__(self) -> str:
        return (
            f"<OnlinePerceptron: {self.n_seen_} examples, {len(self._column)} features, {self.classes_.size} classes>"
        )

    @property
    def n_seen_(self) -> int:
        """How many examples were learnt from."""
        return self._core.visited

    @property
    def n_updates_(self) -> int:
        """Examples that moved the weights."""
        return self._core.updates

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The features, in the order they were first met."""
        return np.array(list(self._column), dtype=object)

    def learn_one(self, x: Mapping[Any, float], y: Any, sample_weight: float = 1.0) -> None:
        """Learn from one example."""
        with self._lock:
            if sample_weight != 1.0 or not self._learn_at_once(x, y):
                self._learn([x], [y], [sample_weight])

    def learn_many(self, X: Any, y: Any, sample_weight: Any = None) -> None:
        """Learn from a data frame, or from a list of dictionaries: the same as learn_one of each, one after another."""
        with self._lock:
            self._learn(X, y, sample_weight)

    def predict_one(self, x: Mapping[Any, float]) -> Any:
        """The label of one example. Features that were never learnt count for nothing."""
        return self._labels_list[int(predicted_codes(self._scores([x]))[0])]

    def predict_many(self, X: Any) -> list[Any]:
        """The labels of a data frame's rows, or of a list of dictionaries."""
        return [self._labels_list[k] for k in predicted_codes(self._scores(X)).tolist()]

    def score_one(self, x: Mapping[Any, float]) -> float | dict[Any, float]:
        """The score of one example: of two classes a number, positive for the larger label; of more, one for each."""
        found = self._scores([x])[0].tolist()
        return found[0] if len(found) == 1 else dict(zip(self.classes_.tolist(), found, strict=True))

    def _scores(self, X: Any) -> NDArray[np.float64]:
        with self._lock:
            return self._core.scores(self._rows(X, grow=False), self.readout == "averaged")

    def _number_classes(self) -> None:
        self._decision = "binary" if self.classes_.size == 2 else self.multiclass
        self._labels_list: list[Any] = self.classes_.tolist()
        self._codes = {label: k for k, label in enumerate(self._labels_list)}
        self._coded = {label: self._labels([label]) for label in self._labels_list}

    def _learner(self) -> _core.Learner:
        """A new one, for the classes and columns there are."""
        self._number_classes()
        K = 1 if self._decision == "binary" else int(self.classes_.size)
        options = _core.LearnerOptions(
            rule=self._update, scaled=self._rule.uses_eta, decision=self._decision, sparse=True,
            features=self._width(), outputs=K, rho2=self.offset**2, eta=self.eta0,
            keep_average=self.readout == "averaged",
        )  # fmt: skip
        return _core.Learner(options)

    # Rows: CSR over the columns there are.

    def _rows(self, X: Any, grow: bool = True) -> _core.Rows:
        """The examples; if some name a feature for which there is no column left, with more columns."""
        if hasattr(X, "columns") and not isinstance(X, Mapping):
            return self._frame(X, grow)
        examples = [dict(x) if isinstance(x, Mapping) and type(x) is not dict else x for x in X]
        try:
            return _core.rows_by_name(self._column, examples, grow, self._columns)
        except Exception:  # whatever it was, in words
            for i, x in enumerate(examples):
                if not isinstance(x, dict):
                    raise InputError(f"example {i} is {shown(x)}; expected a dictionary of features") from None
                for name, value in x.items():
                    _check_number(name, value)
            raise

    def _frame(self, X: Any, grow: bool) -> _core.Rows:
        found = names_of(X)
        names = [] if found is None else list(found)
        if len(set(names)) < len(names):
            raise InputError("the columns of a frame must have different names")
        places = np.array([self._place(name, grow) for name in names], dtype=np.int64)
        table = np.column_stack([np.empty((len(X), 0)), *(_numbers(X[name], name) for name in names)])
        if not np.isfinite(table).all():
            row, at = np.argwhere(~np.isfinite(table))[0]
            raise InputError(f"row {row}, feature {shown(names[at])}: not a finite number")
        order = np.argsort(places, kind="stable")
        order = order[places[order] >= 0]
        table = table[:, order]
        columns, starts = np.tile(places[order], len(table)), np.arange(len(table) + 1) * order.size
        return self._matrix(table.reshape(-1), columns, starts)

    def _place(self, name: Any, grow: bool) -> int:
        return self._column.setdefault(name, len(self._column)) if grow else self._column.get(name, -1)

    def _matrix(self, values: NDArray[np.float64], columns: NDArray[np.int64], starts: NDArray[np.int64]) -> _core.Rows:
        made, flaw, *_ = _core.Rows.sparse(values, columns, starts, starts.size - 1, self._width())
        assert made is not None, flaw
        return made

    def _width(self) -> int:
        """Columns enough for every name."""
        width = self._columns
        while width < len(self._column):
            width *= 2
        return width

    def _learn_at_once(self, x: Any, y: Any) -> bool:
        """The common case in few steps: a dictionary, a known label, no new columns to make. False: it is another."""
        known = len(self._column)
        try:
            label = self._coded[y]
            rows = _core.rows_by_name(self._column, [x], True, self._columns)
            if rows.d == self._columns:
                met = self._core.epoch_rows
                if met // CHUNK != self._chunk:
                    self._chunk, self._visit = met // CHUNK, _core.Visit(np.array([met // CHUNK]))
                _, event, *_ = self._core.advance(_core.TakenRows(rows, label, None, met), self._visit)
                if event == "done":
                    return True
        except (KeyError, TypeError, ValueError, RuntimeError, OverflowError):
            pass  # the long way finds the words
        while len(self._column) > known:
            self._column.popitem()
        return False

    def _learn(self, X: Any, y: Any, sample_weight: Any) -> None:
        known, met = len(self._column), self.n_seen_
        before = self._core, self.classes_, self._columns
        try:
            y = column_of(y, len(y)) if getattr(y, "ndim", 1) == 2 else y
            rows, y = self._rows(X), [_plain(label) for label in y]
            if len(y) != rows.n:
                raise InputError(f"{rows.n} examples but {len(y)} labels")
            weight, cuts = weights_of(sample_weight, rows.n), self._cuts(y)
            if rows.d > self._columns:
                self._columns = rows.d
                self._grow(self.classes_)
            # A class joins with its first example: until then its weights stay 0, as if the examples came one by one.
            for first, last in zip([0, *cuts], [*cuts, rows.n], strict=True):
                if y[first:] and y[first] not in self._codes:
                    self._grow(joined_classes(self.classes_, np.asarray([y[first]])))
                self._meet(rows, self._labels(y), weight, met, last)
        except Exception:
            if self.n_seen_ == met:  # what is refused leaves nothing behind
                while len(self._column) > known:
                    self._column.popitem()
                self._core, self.classes_, self._columns = before
                self._number_classes()
            raise

    def _cuts(self, y: list[Any]) -> list[int]:
        """Where labels come for the first time, but for the first example. Raises `InputError` if they may not."""
        firsts: dict[Any, int] = {}
        try:
            for i, label in enumerate(y):
                if label not in self._codes:
                    firsts.setdefault(label, i)
        except TypeError:
            raise InputError("a label must be a word or a number") from None
        if firsts and not self.grow_classes:
            raise InputError(
                f"label {shown(next(iter(firsts)))} is not among the classes {shown(self.classes_.tolist())}: give them"
                " all to classes=, or set grow_classes=True"
            )
        for label in firsts:
            joined_classes(self.classes_, np.asarray([label]))
        return [i for i in firsts.values() if i > 0]

    def _labels(self, y: list[Any]) -> NDArray[Any]:
        """The number of each label's class; of a class that is still to come, any."""
        if self.classes_.size == 2:
            return np.array([1 if self._codes.get(label) == 1 else -1 for label in y], dtype=np.int8)
        return np.array([self._codes.get(label, 0) for label in y], dtype=np.int32)

    def _meet(
        self, rows: _core.Rows, labels: NDArray[Any], weight: NDArray[np.float64] | None, first: int, to: int
    ) -> None:
        """Go on to the rows before `to`. The first of them all is the stream's example number `first`."""
        chunks = np.arange(self.n_seen_ // CHUNK, -(-(first + to) // CHUNK))
        while chunks.size and self.n_seen_ < first + to:
            sizes = np.minimum(CHUNK, first + to - chunks * CHUNK)
            try:
                done, event, row, *_ = self._core.advance(
                    _core.TakenRows(rows, labels, weight, first), _core.Visit(chunks, None, sizes)
                )
            except ValueError as error:
                raise InputError(f"the state is damaged: {error}") from None
            if event in FAULTS:
                raise InputError(f"example {row - first}: {FAULTS[event]}; the weights are those before it")
            chunks = chunks[done:]

    def _grow(self, classes: NDArray[Any]) -> None:
        """Make a new learner, for more columns or classes, and let it go on from the state of the old one."""
        state = with_features(self._state(), self._columns)
        if classes.size > self.classes_.size:
            state, self.classes_ = with_classes(state, self.classes_, classes, self.multiclass), classes
        self._core = self._learner()
        self._core.restore(state.to_core())

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            kept = {
                name: value for name, value in vars(self).items() if name not in ("_core", "_lock", "_chunk", "_visit")
            }
            return {**kept, "state": self._core.save()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        state = kept.pop("state")
        vars(self).update(kept)
        self._lock, self._chunk = threading.RLock(), -1
        self._column = dict(self._column)
        self._core = self._learner()
        self._core.restore(state)

    def _state(self) -> State:
        return State.of_core(self._core.save(), decision=self._decision, rho2=self.offset**2, conditions={})

    # Files.

    def to_model(self) -> Model:
        """What was learnt so far, as a `Model` over the features in the order they were first met."""
        if not self._column:
            raise InputError("nothing was learnt yet: there is no model")
        if bad := [name for name in self._column if not isinstance(name, str)]:
            raise InputError(f"feature {shown(bad[0])} is not named by a string: a model cannot keep it")
        state = with_features(self._state(), len(self._column))
        W, b = state.read(self.readout)
        names = ("rule", "readout", "eta0", "offset", "beta", "C", "multiclass", "grow_classes")
        met = status.ended("stream", "learn-one", examples=self.n_seen_, updates=self.n_updates_)
        return Model(
            kind="OnlinePerceptron",
            parameters={name: getattr(self, name) for name in names},
            classes=self.classes_,
            feature_names=tuple(self._column),
            weights=np.array(W),
            offsets=np.array(b),
            status=met,
            state=state,
            provenance={"rows": self.n_seen_},
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, at once or not at all; `rosenblatt.load` reads it, and learning goes on bit for bit."""
        self.to_model().save(path)

    def to_json(self) -> str:
        """The same as JSON text; `rosenblatt.from_json` reads it."""
        return self.to_model().to_json()

    @classmethod
    def _of(cls, model: Model) -> "OnlinePerceptron":
        if model.state is None or model.feature_names is None:
            raise InputError("not a sound model: a stream without its state or its features")
        if model.state.scaling is not None:
            raise InputError("not a sound model: a stream with a scale, which it cannot have")
        try:
            made = cls(classes=model.classes.tolist(), **model.parameters)
        except TypeError:
            raise InputError("not a sound model: parameters that OnlinePerceptron does not have") from None
        made.classes_ = model.classes
        made._column = {name: j for j, name in enumerate(model.feature_names)}
        while made._columns < len(made._column):
            made._columns *= 2
        made._core = made._learner()
        if model.state.rho2 != made.offset**2 or model.state.decision != made._decision:
            raise InputError("not a sound model: its state is of another offset or decision")
        try:
            made._core.restore(with_features(model.state, made._columns).to_core())
        except (ValueError, KeyError, TypeError, RuntimeError) as error:
            raise InputError(f"not a sound model: the state is damaged: {error}") from None
        return made


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _numbers(values: Any, name: Any) -> NDArray[np.float64]:
    """A column of a frame."""
    column = np.asarray(values)
    try:
        if column.dtype.kind == "O" and not any(isinstance(value, (str, bytes)) for value in column.tolist()):
            column = column.astype(np.float64)
        if column.dtype.kind in "fiub":
            return column.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise InputError(f"feature {shown(name)}: values of type {column.dtype}; expected numbers")


def _check_number(name: Any, value: Any) -> None:
    try:
        if not isinstance(value, (str, bytes)) and abs(float(value)) < np.inf:
            return
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(f"feature {shown(name)} is {shown(value)}; expected a finite number")
