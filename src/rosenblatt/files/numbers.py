"""Whole numbers as float64 has them."""

from typing import TYPE_CHECKING, Any

from ..choices import LARGEST_EXACT

if TYPE_CHECKING:  # a file is read while NumPy is being imported
    import numpy as np
    from numpy.typing import NDArray


def whole_numbers(values: "NDArray[np.float64]") -> "NDArray[Any]":
    """The same numbers as int64, if they are all whole and float64 holds them exactly; else as they are."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        integers = values.astype(np.int64)
    exact = bool((np.abs(values) <= LARGEST_EXACT).all()) and bool((integers == values).all())
    return integers if exact else values
