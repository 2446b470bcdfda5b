"""What a contest leaves behind: values that the table prints and nobody changes."""

import math
from dataclasses import dataclass

from benchmarks.contest import Claim, Floats, Learned, Task


@dataclass(frozen=True)
class Standing:
    """One contestant after the race: its costs in order, what it learned, its recomputed accuracy.

    A cost that is not a number is that of a fit which did not end in time; `warned` counts the repetitions in which the
    contestant said that it had not converged.
    """

    label: str
    costs: tuple[float, ...]
    learned: Learned | None = None
    accuracy: float | None = None
    answers: Floats | None = None
    warned: int = 0

    @property
    def finished(self) -> tuple[float, ...]:
        """The costs of those repetitions that came to an end."""
        return tuple(cost for cost in self.costs if not math.isnan(cost))


@dataclass(frozen=True)
class Finding:
    """A claim, measured: median and spread over the repetitions; `under`: whom `over` was compared with.

    `at_most`: the target that holds here; `asked`: whether any does; `enough`: whether it is met by the cost alone.
    """

    claim: Claim
    median: float
    low: float
    high: float
    under: str = ""
    at_most: float | None = None
    asked: bool = True
    enough: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the median meets the target; None where there is none."""
        if not self.asked or self.enough:
            return self.enough or None
        if self.claim.at_least is not None:
            return self.median >= self.claim.at_least
        return None if self.at_most is None else self.median <= self.at_most


@dataclass(frozen=True)
class Report:
    """All about one task.

    `apart`: the largest difference among weights that should be equal, relative to the largest weight;
    `absent`: (who or what was not here, why); `void`: why nothing may be concluded.
    """

    task: Task
    title: str = "failed"
    standings: tuple[Standing, ...] = ()
    findings: tuple[Finding, ...] = ()
    apart: float | None = None
    absent: tuple[tuple[str, str], ...] = ()
    void: tuple[str, ...] = ()
    repeats: int = 0
