"""The door of every question about two classes: any rows and labels come in, `Examples` or another source go out."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, shown
from .classes import against_rest, one_against_rest
from .examples import Examples
from .frames import names_of
from .labels import column_of, signs_among
from .rows import rows_of
from .source import Source


def two_classes(X: Any, y: Any, asker: str, names: Any = None) -> Examples:
    """Rows X and any two labels y (the larger is the positive one; ±1 may all be equal), or `Examples` and no y.

    >>> two_classes([[1.0], [2.0]], ["no", "yes"], "separability").labels.tolist()
    [-1, 1]
    """
    if isinstance(X, Examples):
        if y is not None:
            raise InputError("Examples have their labels with them: leave out y")
        if X.n_outputs > 1:
            raise InputError(f"{X.classes.size} classes: give X and y, and say which two, or one against the rest")
        return X if names is None else replace(X, feature_names=_names(names, X.n_columns))
    if isinstance(X, Source):
        raise InputError(f"{asker} takes rows in memory, Examples or X and y; this source has them elsewhere")
    if y is None:
        raise InputError(f"labels are missing: {asker}(X, y)")
    examples = labelled(X, y, names)
    if examples.n_outputs > 1:
        which = (
            "say multiclass='rest' (each against the others) or 'pairs'"
            if asker == "separability"
            else "keep the rows of two, or ask about one against the rest (y == one)"
        )
        raise InputError(f"{examples.classes.size} classes: {which}")
    return examples


def two_class_source(X: Any, y: Any, asker: str) -> Source:
    """The same, or any `Source` of two classes, wherever its rows are.

    >>> two_class_source([[1.0], [2.0]], ["no", "yes"], "separability").n_rows
    2
    """
    if not isinstance(X, Source) or isinstance(X, Examples):
        return two_classes(X, y, asker)
    if y is not None:
        raise InputError("a source has its labels with it: leave out y")
    if X.n_outputs > 1:
        raise InputError(
            f"{X.classes.size} classes: expected a source of two; say which of them it is about, by labels that are one"
            " against the rest (y == LABEL; of files, --positive LABEL on the command line)"
        )
    return X


def labelled(X: Any, y: Any, names: Any = None) -> Examples:
    """Rows and any labels: as `Examples.of` has them, but ±1 are those two classes though all may be equal.

    >>> labelled([[1.0], [2.0]], [1.0, 1.0]).classes.tolist(), labelled([[1.0], [2.0]], [0, 1]).classes.tolist()
    ([-1, 1], [0, 1])
    """
    aligned(X, y)
    rows = rows_of(X)
    labels = column_of(y, rows.n)
    signs = signs_among(labels) if labels.dtype.kind in "iuf" else None
    if signs is None or isinstance(signs, int):
        return Examples.of(X, labels, names if names is None else _names(names, rows.d))
    own = names_of(X) if names is None else names
    named = None if own is None else _names(own, rows.d)
    return Examples(rows, signs, np.array([-1, 1]), named, reading=getattr(X, "reading", None))


def each_against_rest(examples: Examples) -> Iterator[tuple[Any, Examples]]:
    """Each class, and examples of it against all the others.

    >>> some = Examples.of([[1.0], [2.0], [3.0]], ["a", "b", "c"])
    >>> [(label, one.labels.tolist()) for label, one in each_against_rest(some)]
    [('a', [1, -1, -1]), ('b', [-1, 1, -1]), ('c', [-1, -1, 1])]
    """
    classes, labels = examples.classes.tolist(), examples.classes[examples.codes.astype(np.int64)]
    for at, label in enumerate(classes):
        one = against_rest(labels, classes, at)
        own = labels if len(classes) > 2 else None
        yield label, replace(examples, labels=one.signs, classes=one.classes, own_labels=own)


def each_pair(examples: Examples) -> Iterator[tuple[tuple[Any, Any], NDArray[np.int64], Examples]]:
    """Each two classes, the rows of either, and examples of these alone.

    >>> some = Examples.of([[1.0], [2.0], [3.0]], ["a", "b", "c"])
    >>> [(pair, rows.tolist()) for pair, rows, _ in each_pair(some)]
    [(('a', 'b'), [0, 1]), (('a', 'c'), [0, 2]), (('b', 'c'), [1, 2])]
    """
    classes, codes = examples.classes.tolist(), examples.codes.astype(np.int64)
    for a, b in combinations(range(len(classes)), 2):
        rows = np.flatnonzero((codes == a) | (codes == b))
        part = examples.subset(rows)
        signs = one_against_rest(codes[rows], b)
        two = replace(part, labels=signs, classes=examples.classes[[a, b]], own_labels=None)
        yield (classes[a], classes[b]), rows, two


def aligned(X: Any, y: Any, name: str = "y") -> None:
    """Raise if X and y are frames or series with indexes of their own that differ. `name` is what y is called.

    Where they are of different lengths, that is what is wrong, and for whoever counts the rows to say.
    """
    if not all(hasattr(getattr(table, "index", None), "equals") for table in (X, y)) or len(X) != len(y):
        return
    if not X.index.equals(y.index):
        raise InputError(f"X and {name} have different indexes: align them, or give {name}.to_numpy()")


def _names(names: Any, d: int) -> tuple[str, ...]:
    try:
        found = tuple(map(str, names))
    except TypeError:
        raise InputError(f"feature names must be a list of {d} names, not {shown(names)}") from None
    if len(found) != d:
        raise InputError(f"{len(found)} feature names for {d} columns")
    return found
