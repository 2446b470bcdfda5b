"""Rows of two classes, apart, in columns of sizes from a tenth to fifty, two of them off 0."""

import numpy as np


def separable() -> tuple[np.ndarray, np.ndarray]:
    """Two hundred of them."""
    rng = np.random.default_rng(4)
    Z = rng.normal(size=(200, 3))
    y = np.where(Z @ [1, 2, -1] > 0, 1, -1)
    return (Z + 0.2 * y[:, None] * [1, 2, -1]) * [1, 50, 0.1] + [3, 0, 1], y
