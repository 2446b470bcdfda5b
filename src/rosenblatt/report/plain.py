"""Plain values: what JSON can say, no infinity and no NaN."""

import math
from typing import Any


def finite(value: float | None) -> float | None:
    """The number, unless JSON has none for it."""
    return value + 0 if value is not None and math.isfinite(value) else None  # and no −0.0


def plain(value: Any) -> Any:
    """A label as JSON has it: a number, a truth value or a text; of any other kind, its text.

    >>> plain("yes"), plain(1.5), plain(("a", 1)), plain(float("inf"))
    ('yes', 1.5, "('a', 1)", 'inf')
    """
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def plain_values(value: Any) -> Any:
    """Lists, dictionaries and arrays of plain values; a number that JSON has none for is None.

    >>> plain_values({"a": (1.5, float("inf")), 2: None})
    {'a': [1.5, None], '2': None}
    """
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, float):
        return finite(value)
    if isinstance(value, dict):
        return {str(key): plain_values(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_values(entry) for entry in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def spread(n: int, most: int) -> list[int]:
    """Which of n entries to show: at most so many, evenly, the first and the last among them.

    >>> spread(5, 8), spread(100, 3)
    ([0, 1, 2, 3, 4], [0, 50, 99])
    """
    if n <= most:
        return list(range(n))
    return sorted({round(at * (n - 1) / (most - 1)) for at in range(most)})
