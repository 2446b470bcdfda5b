"""Vowpal Wabbit's text. The grammar and the work are in src/core/vw.hpp."""

import numpy as np

from ... import _core
from ...data.rows import matrix_of, rows_of
from ...errors import InputError, plural
from ..numbers import whole_numbers
from ..opening import InputFile
from ..options import Options
from ..reading import Reading
from ..sheet import Sheet
from .svmlight import feed_all, rows_of_parts


def read_vw(opened: InputFile, options: Options) -> Sheet:
    """Rows, labels and the names of features: a column for each name, in the order in which they first come.

    The importance of a row is its weight; a row of weight 0 is left out.
    """
    options.refuse(opened.name, "VW text", "vw")
    bits = options.reading.hash_bits
    reader = feed_all(_core.Vw(bits or 0, options.keep_names or not bits, options.threads), opened)
    values, columns, starts, labels, lines = reader.take()
    weights, names, notes = reader.take_weights(), tuple(reader.names), []
    unlabelled = np.flatnonzero(np.isnan(labels))
    if unlabelled.size and (options.labels == "needed" or unlabelled.size < labels.size):
        raise InputError(f"{opened.name}:{lines[unlabelled[0]]}:1: no label; expected label | feature:value …")
    rows = rows_of_parts(opened.name, values, columns, starts, 2**bits if bits else len(names))
    if (weights != 1).any():
        notes.append("rows have weights, the importance behind their labels")
    if options.labels == "needed" and not weights.all():
        if not weights.any():
            raise InputError(f"{opened.name}: all rows have importance 0; expected some above")
        keep = np.flatnonzero(weights)
        notes.append(f"left out {plural(weights.size - keep.size, 'row')} of weight 0, of {weights.size}")
        rows, labels, lines, weights = rows_of(matrix_of(rows)[keep]), labels[keep], lines[keep], weights[keep]
    return Sheet(
        opened.name,
        "vw",
        rows,
        None if unlabelled.size else whole_numbers(labels),
        feature_names=None if bits else names,
        lines=lines,
        reading=Reading(format="vw", hash_bits=bits),
        notes=tuple(notes),
        hashed=names if bits and options.keep_names else (),
        weights=weights if (weights != 1).any() else None,
    )
