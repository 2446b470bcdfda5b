"""Recoding: examples that have a feature for each level of a text column, without those of the reference levels.

What learns has all levels; what asks for coefficients leaves out one of each column, as files/tables/references.py does
when a file is read. Here the rows are read already, so that it is a matter of leaving columns out.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.examples import Examples
from ..report.coded_names import column_of
from .reading import Reading
from .rearranging import rearranged


class Recoded(NamedTuple):
    """Examples under reference coding, and which columns of the others they have."""

    examples: Examples
    kept: NDArray[np.int64]


def against_reference(examples: Examples, origin: bool) -> Recoded | None:
    """The same examples without the most frequent level of each text column. None: there is nothing to leave out.

    `origin`: there will be no offset, and the first column of text keeps all of its levels.
    """
    reading, names = examples.reading, examples.feature_names
    if not isinstance(reading, Reading) or reading.coding != "levels" or names is None:
        return None
    columns: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        if (found := column_of(name, reading.text or ())) is not None:
            columns.setdefault(found, []).append(j)
    whole = next(iter(columns), None) if origin else None
    often, reference = _often(examples.rows), {}
    for name, places in columns.items():
        if name != whole:
            reference[name] = places[int(np.argmax(often[places]))]  # the first of several, as when it is read
    kept = np.setdiff1d(np.arange(len(names)), [*reference.values()])
    if not reference or not kept.size:
        return None
    to = np.full(len(names), -1, dtype=np.int64)
    to[kept] = np.arange(kept.size)
    levels = {name: names[j].removeprefix(f"{name}=") for name, j in reference.items()}
    how = replace(reading, coding="reference", reference=levels, all_levels=None if whole is None else (whole,))
    rows = rearranged(examples.rows, to, int(kept.size))
    own = tuple(names[j] for j in kept.tolist())
    return Recoded(replace(examples, rows=rows, feature_names=own, reading=how), kept)


def _often(rows: _core.Rows) -> NDArray[np.int64]:
    """In how many rows each column is not 0."""
    if not rows.is_sparse:
        return np.asarray(np.count_nonzero(np.asarray(rows.arrays[0]), axis=0))
    values, columns, starts = (np.asarray(part) for part in rows.arrays)
    used = int(starts[-1])
    return np.bincount(columns[:used][values[:used] != 0], minlength=rows.d)
