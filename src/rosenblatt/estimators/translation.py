"""From scikit-learn's parameters to those of `learn`: a plan, weights, a start, classes; refusals by their names."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from ..choices import count, number
from ..data.labels import joined_classes
from ..data.source import Source
from ..errors import InputError, shown
from ..models.model import Floats, Model
from .base import threads_of


def plan_of(estimator: Any, model: Model | None = None) -> dict[str, Any]:
    """The parameters in the words of `learn`, to go on from a model. What cannot be done is refused by its name."""
    for name, default in (("penalty", None), ("alpha", 0.0001), ("l1_ratio", 0.15)):
        if getattr(estimator, name) != default:
            raise InputError(
                f"{name}={shown(getattr(estimator, name))}: there is no penalty on the weights here; leave it at"
                f" {default}, or use sklearn.linear_model.Perceptron"
            )
    offset = plan_offset(estimator)
    if not estimator.fit_intercept and offset != 0:
        raise InputError(f"fit_intercept=False, but offset={shown(offset)}: give one of the two")
    order = ("shuffled" if estimator.shuffle else "cyclic") if estimator.order is None else estimator.order
    if not estimator.shuffle and isinstance(order, str) and order == "shuffled":
        raise InputError("shuffle=False, but order='shuffled': give one of the two")
    if estimator.early_stopping and not isinstance(order, str):
        raise InputError("early_stopping keeps rows apart, and your own order is of all of them: give one of the two")
    if not isinstance(estimator.readout, str):
        raise InputError(f"readout must be one word, not {shown(estimator.readout)}")
    if estimator.tol is not None:
        number("tol", estimator.tol, least=0)
    count("n_iter_no_change", estimator.n_iter_no_change)
    if estimator.early_stopping and estimator.readout == "voted":
        raise InputError("early_stopping looks at weights after each epoch, and a vote has none: use 'averaged'")
    return {
        "rule": estimator.rule,
        "order": order,
        "batch_size": estimator.batch_size,
        "eta": estimator.eta0,
        "schedule": estimator.schedule,
        "offset": offset,
        "seed": seed_of(estimator.random_state, model),
        "readout": estimator.readout,
        "beta": estimator.beta,
        "C": estimator.C,
        "multiclass": estimator.multiclass,
        "scale": estimator.scale,
        "threads": threads_of(estimator.n_jobs),
    }


def plan_offset(estimator: Any) -> Any:
    """ρ, as `learn` takes it."""
    return (1.0 if estimator.fit_intercept else 0.0) if estimator.offset is None else estimator.offset


def seed_of(random_state: Any, model: Model | None) -> int:
    """The seed that a random_state means; one that is drawn is drawn once, and then is the model's."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        if model is not None and model.seed is not None:
            return model.seed  # drawn once
        return int(check_random_state(random_state).randint(2**31 - 1))
    return random_state  # type: ignore[no-any-return]  # checked with the rest of the plan


def check_one_pass(estimator: Any) -> None:
    """Raise `InputError` for what one pass over some of the rows, by partial_fit, cannot give."""
    if estimator.early_stopping:
        raise InputError("early_stopping is for fit: partial_fit makes one pass, and keeps no rows apart")
    if isinstance(estimator.class_weight, str):
        raise InputError("class_weight='balanced' needs all labels beforehand: give partial_fit a dictionary")


def check_class_weight(class_weight: Any) -> None:
    """Raise `InputError` for what does not say how much classes weigh."""
    if not isinstance(class_weight, dict):
        if class_weight != "balanced":
            raise InputError(f"class_weight must be None, 'balanced' or a dictionary, not {shown(class_weight)}")
        return
    each = np.array(list(class_weight.values()), dtype=np.float64)
    if not (np.isfinite(each) & (each >= 0)).all():
        raise InputError(f"class_weight must hold finite numbers >= 0, not {shown(class_weight)}")


def check_weight(some: bool) -> None:
    """Raise `InputError` unless some row weighs anything."""
    if not some:
        raise InputError("all sample weights are 0: no row would be learnt from")


def weights_of(class_weight: Any, X: Any, y: NDArray[Any], sample_weight: Any, classes: NDArray[Any]) -> Floats | None:
    """The weight of each row: its own times that of its class; None if all are 1."""
    if sample_weight is None and class_weight is None:
        return None
    weight: Floats = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if class_weight is not None:
        check_class_weight(class_weight)
        each = compute_class_weight(class_weight, classes=classes, y=y)
        weight = weight * each[np.searchsorted(classes, y)]
    check_weight(bool(weight.any()))
    return weight


def start_of(estimator: Any, source: Source, coef_init: Any, intercept_init: Any) -> Any:
    """What `fit` starts from: None for zero, given weights, or with warm_start those of the fit before."""
    if coef_init is None and intercept_init is None:
        model = vars(estimator).get("_model")
        if not (estimator.warm_start and model is not None):
            return None
        if not np.array_equal(model.classes, source.classes):
            raise InputError(f"warm_start: the labels were {model.classes.tolist()}, and now are others")
        if model.weights.shape[0] != source.n_columns:
            raise InputError(f"warm_start: there were {model.weights.shape[0]} features, and now {source.n_columns}")
        return (model.weights, model.offsets) if model.state is None else model.state.folded("last")
    d, K = source.n_columns, source.n_outputs
    w = np.zeros((K, d)) if coef_init is None else np.atleast_2d(np.asarray(coef_init))
    b = np.zeros(K) if intercept_init is None else np.asarray(intercept_init).reshape(-1)
    if w.shape != (K, d) or b.shape != (K,):
        raise InputError(f"coef_init must have shape {(K, d)} and intercept_init {(K,)}")
    return w.T, b


def scale_of(estimator: Any, source: Source) -> Any:
    """The scale of a fit: its name; with warm_start the one of the fit before, if it is of that name and fits."""
    state = getattr(vars(estimator).get("_model"), "state", None)
    if not estimator.warm_start or state is None or state.scaling is None or state.scaling.kind != estimator.scale:
        return estimator.scale
    moves = state.scaling.centres and (source.is_sparse or plan_offset(estimator) == 0)
    return estimator.scale if moves or state.scaling.factor.size != source.n_columns else state.scaling


def check_repeated(given: NDArray[Any], known: NDArray[Any]) -> None:
    """Raise `InputError` for `classes` that are not those of the first call."""
    if not np.array_equal(given, known):
        raise InputError(f"classes={shown(given.tolist())}: the first call said {shown(known.tolist())}")


def classes_of(estimator: Any, y: NDArray[Any], classes: Any, model: Model | None) -> NDArray[Any]:
    """All labels there are, after this call."""
    if model is None and classes is None and not estimator.grow_classes:
        raise InputError("the first partial_fit needs classes=, all labels there will ever be; or grow_classes=True")
    new, given = np.unique(y), None if classes is None else np.unique(np.asarray(classes))
    known = model.classes if model is not None else new if given is None else given
    if estimator.grow_classes:
        for more in (new, known if given is None else given):
            known = joined_classes(known, more) if not np.isin(more, known).all() else known
    elif given is not None:
        check_repeated(given, known)
    if (unseen := new[~np.isin(new, known)]).size:
        raise InputError(
            f"label {shown(unseen.tolist()[0])} is not among the classes {shown(known.tolist())}: give them all to"
            " the first call, or set grow_classes=True"
        )
    if known.size < 2:
        raise InputError(f"only one class so far, {shown(known.tolist()[0])}: two classes are needed; give classes=")
    return known


def split_of(share: Any, random_state: Any, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The rows to learn from, and those kept apart."""
    fraction = number("validation_fraction", share, above=0)
    if fraction >= 1:
        raise InputError(f"validation_fraction must be below 1, not {shown(share)}")
    split = StratifiedShuffleSplit(test_size=fraction, random_state=random_state)
    rest, apart = next(split.split(np.empty((len(y), 0)), y))
    return rest, apart
