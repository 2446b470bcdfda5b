"""Whole numbers as float64 has them."""

from typing import TYPE_CHECKING, Any

from ..choices import LARGEST_EXACT

if TYPE_CHECKING:  # a file is read while NumPy is being imported
    import numpy as np
    from numpy.typing import NDArray


def whole_numbers(values: "NDArray[np.float64]") -> "NDArray[Any]":
    """The same numbers as int64, if they are all whole and float64 holds them exactly; else as they are."""
    import numpy as np

    return values.astype(np.int64) if are_whole(values) else values


def are_whole(values: "NDArray[Any]") -> bool:
    """Whether numbers are all whole, and such that float64 holds exactly; of anything else, whether there are none."""
    import numpy as np

    if values.dtype.kind == "i" and values.size:
        return max(-int(values.min()), int(values.max())) <= LARGEST_EXACT
    if values.dtype.kind != "f":
        return not values.size
    return bool((np.abs(values) <= LARGEST_EXACT).all()) and bool((np.floor(values) == values).all())
