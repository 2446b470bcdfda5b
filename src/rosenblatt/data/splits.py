"""Splits: which rows are held out, of each class its share; by a seed, so that the same rows are held out again."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, plural
from ..report.text import word

Ints = NDArray[np.int64]


def folds_of(codes: Any, classes: NDArray[Any], folds: int, seed: int) -> Ints:
    """The fold that holds each row out, 0 … folds − 1; the rows of each class are dealt in turn.

    >>> folds_of(np.array([0, 0, 1, 1, 1, 1]), np.array(["a", "b"]), 2, seed=0)[:2].tolist() in ([0, 1], [1, 0])
    True
    """
    codes = np.asarray(codes, np.int64)
    counts = np.bincount(codes, minlength=classes.size)
    if folds > codes.size:
        raise InputError(f"{folds} folds of {plural(codes.size, 'row')}; expected at most as many folds as rows")
    if (single := np.flatnonzero(counts == 1)).size:
        one = word(classes.tolist()[int(single[0])])
        raise InputError(
            f"class {one} has one row, and nothing is known of it where that is held out; expected two rows or more of"
            " each class, or --holdout, which leaves such a row where it is"
        )
    order = _dealt(codes, seed)
    found = np.empty(codes.size, np.int64)
    found[order] = np.arange(codes.size) % folds
    return found


def held_out_of(codes: Any, classes: NDArray[Any], held: float, seed: int) -> NDArray[np.bool_]:
    """Which rows are held out: a share of them (below 1), or so many; every class keeps a row to learn from.

    >>> held_out_of(np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array(["a", "b"]), 0.5, seed=0).sum()
    np.int64(4)
    """
    codes = np.asarray(codes, np.int64)
    n, counts = codes.size, np.bincount(codes, minlength=classes.size)
    wanted = round(held * n) if held < 1 else int(held)
    most = int(np.maximum(counts - 1, 0).sum())
    if not 1 <= wanted <= most:
        what = f"{held:g} of {plural(n, 'row')} is {wanted}" if held < 1 else plural(wanted, "row")
        raise InputError(
            f"to hold out {what}; expected 1 to {most} of {n}, so that every class keeps a row to learn from"
        )
    exact = counts * (wanted / n)
    taken = np.minimum(np.floor(exact).astype(np.int64), np.maximum(counts - 1, 0))
    while (short := wanted - int(taken.sum())) > 0:  # what was rounded off goes where most is due
        due = np.where(taken < counts - 1, exact - taken, -np.inf)
        taken[np.argsort(-due, kind="stable")[: min(short, int(np.isfinite(due).sum()))]] += 1
    order = _dealt(codes, seed)
    begin = np.concatenate([[0], np.cumsum(counts)[:-1]])
    place = np.empty(n, np.int64)
    place[order] = np.arange(n) - begin[codes[order]]
    return np.asarray(place < taken[codes])


def _dealt(codes: Ints, seed: int) -> Ints:
    """The rows, class by class, in a random order within each."""
    chance = np.random.default_rng(seed).permutation(codes.size)
    return chance[np.argsort(codes[chance], kind="stable")]
