"""Hashed features: unbounded names in a fixed number of columns (src/core/hashing.hpp says by which hash)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ... import _core


def columns_of_names(names: Sequence[str], bits: int) -> NDArray[np.int64]:
    """The column of each name among 2**bits.

    >>> columns_of_names(["age", "13"], 20).tolist()
    [385635, 639125]
    """
    return np.array(_core.hashed_columns(list(names), bits), dtype=np.int64)
