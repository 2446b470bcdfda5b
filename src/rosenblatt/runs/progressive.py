"""Progressive validation: rows predicted before they are learnt tell of new rows (Blum, Kalai and Langford 1999).

Rows that come in no particular order are each new to the weights they meet, so that in the first epoch the share that
is predicted wrong estimates the mean error of the weights on the way.
"""

import math

_NARROW = 0.05
_Z2 = 1.96**2


def tells_of_new_rows(wrong: int, rows: int) -> bool:
    """Whether that share is known to within ±5 points at 95%, by the interval of Wilson 1927.

    >>> tells_of_new_rows(50, 100), tells_of_new_rows(193, 385)
    (False, True)
    """
    width = math.sqrt(_Z2 * (wrong * (rows - wrong) / rows + _Z2 / 4)) / (rows + _Z2)
    return width <= _NARROW
