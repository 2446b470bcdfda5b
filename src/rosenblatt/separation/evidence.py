"""Evidence: what is known of each coefficient so far, and the word for it.

C is the cone {v : z_i·v ≥ 0 for all rows}, 0 in the columns that are dropped. A v of C with v_j > 0 shows that
coefficient j is not finite; two with opposite signs, that it is indeterminate; and multipliers that make e_j a
combination of rows, all ≥ 0, that v_j ≥ 0 on all of C. Whatever is not shown is not said.
"""

import numpy as np

from .signed_rows import Vector

FINITE, UP, DOWN, BOTH = "finite", "+inf", "-inf", "indeterminate"
INFINITE = "infinite"
"""Not finite; whether it runs to one side, or may run to either, is not settled."""
UNKNOWN = "unknown"
OPEN = (INFINITE, UNKNOWN)


class Evidence:
    """Of each coefficient, the offset last: what directions of C show, and what multipliers prove."""

    def __init__(self, d: int) -> None:
        self.up, self.down, self.moves = (np.zeros(d, dtype=bool) for _ in range(3))
        """Some v of C has v_j > 0; < 0; ≠ 0."""
        self.never_up, self.never_down = np.zeros(d, dtype=bool), np.zeros(d, dtype=bool)
        """Every v of C has v_j ≤ 0; ≥ 0."""

    def see(self, v: Vector) -> None:
        """A direction of C, exactly."""
        self.up |= [x > 0 for x in v]
        self.down |= [x < 0 for x in v]

    def settled(self, j: int) -> bool:
        """Whether nothing is left to ask of this one."""
        return self.word(j) not in OPEN

    def word(self, j: int) -> str:
        """What is known of a coefficient."""
        up, down = self.up[j], self.down[j]
        if up and down:
            return BOTH
        if self.never_up[j] and self.never_down[j]:
            return FINITE
        if self.never_down[j] and (up or self.moves[j]):
            return UP
        if self.never_up[j] and (down or self.moves[j]):
            return DOWN
        return INFINITE if up or down or self.moves[j] else UNKNOWN

    def words(self) -> list[str]:
        """One for each."""
        return [self.word(j) for j in range(self.up.size)]
