"""MistakeSearch: what a search for the fewest mistakes knows so far, and how it shares out its time."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..signed_rows import Floats, SignedRows
from .packing import WitnessPool
from .witnesses import IntegerWitness
from .zero_one import ZeroOneDescent

if TYPE_CHECKING:
    from .neighbours import Neighbourhoods


@dataclass
class MistakeSearch:
    """What is known so far."""

    s: SignedRows
    descent: ZeroOneDescent
    pool: WitnessPool
    limit: float
    """Seconds for all of it."""
    hitting_bound: int = 0
    """The fewest rows that hit every witness known: a lower bound that the proof does not carry."""
    swept: bool = False
    passes: int = 0
    """Rounds of witnesses."""
    idle_passes: int = 0
    """How many of the last ones found nothing new."""
    disjoint_witnesses: Iterator[IntegerWitness] | None = None
    """Disjoint witnesses yet to be looked for."""
    failed_descents: int = 0
    """How often the search for a better hyperplane failed since it last did not."""
    neighbourhoods: "Neighbourhoods | None" = None
    smooth: Floats | None = None
    """The shares of the rows, averaged over the last passes."""

    @property
    def upper(self) -> int:
        """The mistakes of the best hyperplane."""
        return self.descent.upper

    @property
    def lower(self) -> int:
        """The mistakes that every hyperplane makes, as far as is known."""
        return self.upper if self.swept else max(self.pool.lower, self.hitting_bound)

    @property
    def bounds_meet(self) -> bool:
        """Whether the two are one number."""
        return self.lower >= self.upper

    def slice(self, part: float) -> float:
        """The moment when this part of all the time will have passed, or all of it."""
        return time.monotonic() + self.part(part)

    def part(self, part: float) -> float:
        """Seconds: this part of all the time, or what is left of it."""
        return min(self.s.seconds_left(), part * self.limit)

    def shares(self) -> Floats:
        """Of all rows, what they account for in the witnesses known, 1 at most."""
        shares = np.zeros(self.s.n)
        for row, share in self.pool.shares.items():
            shares[row] = min(1.0, share)
        return shares

    def tell(self, doing: str) -> None:
        """Say what is being done, and what is known."""
        known = len(self.pool.kept) + len(self.pool.witnesses)
        self.s.tell(doing, lower=self.lower, upper=self.upper, witnesses=known)
