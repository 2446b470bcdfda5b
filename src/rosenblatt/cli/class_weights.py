"""`train --class-weight`: rows weigh by their class, times what they weigh by themselves."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, plural, shown
from .answers import Answer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..data.examples import Examples
    from ..models.model import Model
    from .settings import Settings

BALANCED = "balanced"
_LISTED = 6


def class_weight_option(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--class-weight balanced, or LABEL=W for some classes."""
    return click.option(
        "--class-weight", metavar="balanced|LABEL=W", multiple=True,
        help="Rows weigh by their class: balanced, n/(K·n_k), as if all K classes had as many; or as said for each.",
    )(function)  # fmt: skip


def checked(given: Sequence[str]) -> str | dict[str, float] | None:
    """What the option says, before any file is read: "balanced", or weights by the text of a label."""
    if not given:
        return None
    if BALANCED in given:
        if len(given) > 1:
            raise InputError("--class-weight balanced says it of all classes; expected no other --class-weight")
        return BALANCED
    found: dict[str, float] = {}
    for text in given:
        label, equals, number = text.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            weight = math.nan
        if not equals or not (0 <= weight < math.inf):
            raise InputError(f"--class-weight {text}: expected balanced, or LABEL=W with a finite W that is 0 or more")
        if label in found:
            raise InputError(f"--class-weight {text}: {shown(label)} has one already; expected one for each label")
        found[label] = weight
    return found


def kept_in(model: "Model") -> Any:
    """What a model was learnt with."""
    return model.parameters.get("class_weight")


def by_label(asked: Any, examples: "Examples", name: str) -> Any:
    """The same with the labels themselves, as an estimator's `class_weight` has them."""
    if not isinstance(asked, Mapping):
        return asked
    labels = examples.classes.tolist()
    texts = {str(label): label for label in labels} | {label: label for label in labels}
    for text in asked:
        if text not in texts:
            known = ", ".join(shown(label) for label in labels[:_LISTED]) + (", …" if len(labels) > _LISTED else "")
            raise InputError(f"{name}: no row has the label {shown(text)} (--class-weight); the labels are {known}")
    return {texts[text]: float(weight) for text, weight in asked.items()}


def sample_weights(
    examples: "Examples", own: "NDArray[np.float64] | None", class_weight: Any, name: str
) -> tuple["NDArray[np.float64] | None", list[float] | None]:
    """What each row weighs: its own weight times that of its class; None if all are 1. And the weight of each class."""
    import numpy as np

    if class_weight is None:
        return own, None
    codes, classes = examples.codes.astype(np.int64), examples.classes.size
    if class_weight == BALANCED:
        each = examples.n_rows / (classes * np.bincount(codes, minlength=classes).astype(np.float64))
    else:
        each = np.array([class_weight.get(label, 1.0) for label in examples.classes.tolist()], dtype=np.float64)
    weights = each[codes] if own is None else own * each[codes]
    if not weights.any():
        raise InputError(f"{name}: all rows weigh 0; expected a class whose weight is above (--class-weight)")
    if not np.isfinite(weights).all():
        raise InputError(f"{name}: weights beyond the range of float64; expected smaller ones (--class-weight)")
    return weights, each.tolist()


def weighed(
    asked: Any, examples: Any, sheet: Any, settings: "Settings"
) -> tuple[Any, Any, "NDArray[np.float64] | None", list[float] | None, Any]:
    """By label what was asked; the rows; what each of them and what each class weighs; and the sheet with a note on it.

    Rows that are not in memory have their weights with them.
    """
    by_class = by_label(asked, examples, sheet.name)
    if examples.in_memory:
        weights, each = sample_weights(examples, sheet.weights, by_class, sheet.name)
    else:
        weights, each = None, _each(by_class, examples, sheet)
    if each is None:
        return by_class, examples, weights, None, sheet
    if not examples.in_memory:
        import numpy as np

        from ..data.source import WeightedByClass

        examples = examples.viewed(partial(WeightedByClass, each=np.array(each)))
    note = _said(by_class, each, examples)
    settings.note(f"note: {note}")
    return by_class, examples, weights, each, replace(sheet, notes=(*sheet.notes, note))


def _each(class_weight: Any, examples: Any, sheet: Any) -> list[float] | None:
    """What each class weighs."""
    if class_weight is None:
        return None
    counts, classes = sheet.class_counts(), examples.classes.tolist()
    if class_weight == BALANCED:
        return [examples.n_rows / (len(classes) * float(counts[label])) for label in classes]
    each = [float(class_weight.get(label, 1.0)) for label in classes]
    if not any(each):
        raise InputError(f"{sheet.name}: all rows weigh 0; expected a class whose weight is above (--class-weight)")
    return each


def _said(class_weight: Any, each: Sequence[float], examples: "Examples") -> str:
    """What classes weigh."""
    pairs = [f"{label} {weight:.3g}" for label, weight in zip(examples.classes.tolist(), each, strict=True)]
    more = len(pairs) - _LISTED
    listed = ", ".join(pairs if more <= 0 else [*pairs[:_LISTED], f"and {plural(more, 'more class')}"])
    return f"rows weigh by class: {listed}{' (balanced)' if class_weight == BALANCED else ''}"


def repeated(class_weight: Any) -> list[str] | None:
    """The option again, for a command to be typed."""
    if class_weight is None or class_weight == BALANCED:
        return None if class_weight is None else [BALANCED]
    return [f"{label}={weight:g}" for label, weight in class_weight.items()]
