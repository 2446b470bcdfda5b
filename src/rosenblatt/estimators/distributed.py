"""DistributedPerceptron: `Perceptron` for rows that lie on a Dask cluster. What it has learnt is an ordinary model."""

import copy
import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ..cluster.judging import accuracy, asked_of, check_columns, is_distributed
from ..cluster.learning import learn_sharded, sharded
from ..cluster.sharded import ShardedSource
from ..data.scans import answer_of
from ..data.source import TakenRows, WeightedByClass
from ..errors import ClusterError, InputError, shown
from ..models.model import Model
from .base import unchanged_if_refused
from .monitor import Watch, with_callbacks
from .perceptron import Perceptron, model_after, takes_partial_fit
from .translation import check_class_weight, check_one_pass, check_repeated, check_weight, plan_of, scale_of, start_of


def _in_memory(X: Any) -> Any:
    """Rows that are no collection. Raises `InputError` for what is one for `fit` alone."""
    if isinstance(X, ShardedSource):
        raise InputError("shards of files: predict gives an answer for each row of a collection; `score` counts here")
    if is_distributed(X[0] if isinstance(X, (list, tuple)) and X else X):
        raise InputError("a list of delayed blocks: expected a Dask array or frame, or rows in memory")
    return X


class DistributedPerceptron(Perceptron):
    """The perceptron family on a Dask cluster, in scikit-learn's manner.

    X and y are Dask arrays (dense or sparse blocks), a Dask frame of numbers with a series or the name of its column of
    labels, or lists of delayed blocks. Each block of rows is a shard: it learns by itself for an epoch, the weights of
    all shards are mixed, and again (McDonald, Hall and Mann 2010). Nothing is gathered, and the same shards and
    random_state give the same bits whatever the number of workers.

    Or X is what `cluster.sharded` gives, of files that every worker can open, say, which has labels and weights with
    it: `fit`, `partial_fit` and `score` take it without y.

    client
        A `distributed.Client`; None: the one there is when it is needed.
    mixing
        "uniform", or by the "mistakes" of each shard.
    scale
        As in `Perceptron`, but "standard" by default: the mixed weights of columns of one size serve all shards.
    n_jobs
        Threads of each task on a worker; None is 1, since workers have several tasks.

    All other parameters are those of `Perceptron`. batch_size="all" gives the weights of one machine, bit for bit. The
    vote, the pocket, rules that bet, early_stopping and an order of one's own are refused by name.

    Once fitted it has what a `Perceptron` has, and saves itself as one. predict, decision_function and geometric_margin
    of a Dask collection are Dask collections, score is computed on the workers; of rows in memory all are as ever.
    """

    def __init__(
        self,
        client: Any = None,
        *,
        mixing: str = "uniform",
        rule: str = "perceptron",
        readout: str = "averaged",
        penalty: None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        order: Any = None,
        batch_size: int | str = 1,
        schedule: str | Callable[[int], float] = "constant",
        offset: float | str | None = None,
        beta: float | None = None,
        C: float | None = None,
        multiclass: str = "ovr",
        scale: str = "standard",
        grow_classes: bool = False,
    ) -> None:
        super().__init__(
            rule=rule, readout=readout, penalty=penalty, alpha=alpha, l1_ratio=l1_ratio, fit_intercept=fit_intercept,
            max_iter=max_iter, tol=tol, shuffle=shuffle, verbose=verbose, eta0=eta0, n_jobs=n_jobs,
            random_state=random_state, early_stopping=early_stopping, validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change, class_weight=class_weight, warm_start=warm_start, order=order,
            batch_size=batch_size, schedule=schedule, offset=offset, beta=beta, C=C, multiclass=multiclass,
            scale=scale, grow_classes=grow_classes,
        )  # fmt: skip
        self.client = client
        self.mixing = mixing

    @with_callbacks
    def fit(
        self, X: Any, y: Any = None, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None
    ) -> "DistributedPerceptron":
        """Learn from the rows of a cluster, from zero; from coef_init and intercept_init; or, with warm_start, from the
        last weights of the fit before.
        """
        with unchanged_if_refused(self):
            plan, source = self._plan(None), self._source(X, y, sample_weight)
            watch = Watch(self, source, None, plan["threads"])
            plan["scale"] = scale_of(self, source)
            run = learn_sharded(
                source, mixing=self.mixing, max_epochs=self.max_iter, tol=self.tol, patience=self.n_iter_no_change,
                start=self._start(source, coef_init, intercept_init), callback=watch if watch.needed else None, **plan,
            )  # fmt: skip
            try:
                self._keep(model_after(run, watch))
            except ClusterError as error:
                error.run = run  # all of it: the rows were to be looked at once more
                raise
        watch.end(X, y)
        self._warn(self.status_, 4)
        return self

    @available_if(takes_partial_fit)
    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> "DistributedPerceptron":
        """One epoch over these rows, going on from where the model is. `classes` are not needed: all labels are
        counted first; but later calls must not bring others, and shards of `cluster.sharded` must have all of them.
        """
        with unchanged_if_refused(self):
            model: Model | None = vars(self).get("_model")
            plan = self._plan(model)
            check_one_pass(self)
            source = self._source(X, y, sample_weight, model, _known(classes, model))
            after = self._one_pass(partial(learn_sharded, mixing=self.mixing), source, model, **plan)
            if model is not None:  # what columns and classes are called, the first rows have said
                kept = {name: getattr(model, name) for name in ("classes", "feature_names", "reading")}
                after = replace(after, **kept)
            self._keep(after)
        return self

    def _plan(self, model: Model | None) -> dict[str, Any]:
        if self.early_stopping:
            raise InputError("early_stopping keeps rows apart, and is not offered on a cluster: see tol")
        if self.grow_classes:
            raise InputError("grow_classes is not offered on a cluster: all labels are counted before it learns")
        plan = plan_of(self, model)
        if self.n_jobs is None:
            plan["threads"] = 1
        if isinstance(self.batch_size, str) and self.order is None:
            plan["order"] = "cyclic"  # the bits of one machine
        return plan

    def _source(
        self, X: Any, y: Any, sample_weight: Any, model: Model | None = None, known: NDArray[Any] | None = None
    ) -> ShardedSource:
        """The rows, checked: they have the columns of the model, and the labels that are known, if any are."""
        classes = None if isinstance(X, ShardedSource) else known  # shards have theirs
        source = sharded(self.client, X, y, sample_weight=sample_weight, classes=classes)
        # Each twice: of labels that hardly repeat, scikit-learn suspects that they are measurements.
        check_classification_targets(np.repeat(source.classes.tolist(), 2))
        if known is not None:
            _check_known(source.classes, known)
        if model is not None:
            check_columns(model, source.n_columns, source.feature_names)
        if self.class_weight is not None:
            source = source.viewed(partial(WeightedByClass, each=self._each(source)))
        if source.has_weights:
            check_weight(answer_of(source, _weighs_something, operator.or_))
        return source

    def _each(self, source: ShardedSource) -> NDArray[np.float64]:
        """What each class weighs."""
        check_class_weight(self.class_weight)
        counts = np.array(list(source.counted.values()))
        if not isinstance(self.class_weight, dict):
            return np.asarray(source.n_rows / (counts.size * np.maximum(1, counts)))
        if unknown := [one for one in self.class_weight if one not in source.counted]:
            raise InputError(f"class_weight: no row has the label {shown(unknown[0])}")
        return np.array([float(self.class_weight.get(one, 1.0)) for one in source.counted])

    def _start(self, source: ShardedSource, coef_init: Any, intercept_init: Any) -> Any:
        start = start_of(self, source, coef_init, intercept_init)
        if start is not None and coef_init is None and intercept_init is None:
            check_columns(self._model, source.n_columns, source.feature_names)
        return start

    def predict(self, X: Any) -> Any:
        """The label of each row; of a Dask collection, as one."""
        return self._asked(X, "predict")

    def decision_function(self, X: Any) -> Any:
        """The score of each row, of K > 2 classes one for each; of a Dask collection, as one."""
        return self._asked(X, "decision_function")

    def geometric_margin(self, X: Any) -> Any:
        """The signed distance of each row to the hyperplane; of a Dask collection, as one."""
        return self._asked(X, "geometric_margin")

    def _asked(self, X: Any, method: str) -> Any:
        check_is_fitted(self)
        if not is_distributed(X):
            return getattr(super(), method)(_in_memory(X))
        return asked_of(self.client, self._model, X, method)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of the rows that are predicted right, by weight, counted where they are."""
        check_is_fitted(self)
        if isinstance(X, ShardedSource) or is_distributed(X):
            return accuracy(self.client, self._model, X, y, sample_weight)
        found: float = super().score(_in_memory(X), y, sample_weight)
        return found

    def _to_save(self) -> Model:
        """What a `Perceptron` of these parameters saves."""
        check_is_fitted(self)
        face = Perceptron(**{name: getattr(self, name) for name in Perceptron._get_param_names()})
        face._keep(self._model)
        return face._to_save()

    def __copy__(self) -> "DistributedPerceptron":
        made = type(self).__new__(type(self))
        made.__dict__.update(vars(self))  # the client, too
        return made

    def __sklearn_clone__(self) -> Any:
        bare = copy.copy(self)
        bare.client = None  # which cannot be copied
        made = super(DistributedPerceptron, bare).__sklearn_clone__()
        made.client = self.client
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}  # a connection is nobody's to keep


def _known(classes: Any, model: Model | None) -> NDArray[Any] | None:
    """All labels there are, as the caller says, or the calls before; None: nobody has said."""
    given = None if classes is None else np.unique(np.asarray(classes))
    if model is None:
        return given
    if given is not None:
        check_repeated(given, np.unique(model.classes))
    return model.classes


def _check_known(classes: NDArray[Any], known: NDArray[Any]) -> None:
    """Raises `InputError` for rows of other classes, or in another order: their labels are coded by it."""
    own, all_ = classes.tolist(), known.tolist()
    if strange := sorted(set(own) - set(all_)):
        new = shown(strange[0])
        raise InputError(f"label {new} is not among the classes {shown(all_)}: give them all to the first call")
    if own != all_:
        raise InputError(f"rows of the classes {shown(own)}; expected all that are known, in this order: {shown(all_)}")


def _weighs_something(taken: TakenRows) -> bool:
    return taken.weight is not None and bool(taken.weight.any())
