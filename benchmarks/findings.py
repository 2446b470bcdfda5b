"""What a contest leaves behind: values that the table prints and nobody changes."""

from dataclasses import dataclass

from benchmarks.contest import Claim, Floats, Learned, Task


@dataclass(frozen=True)
class Standing:
    """One contestant after the race: its costs in order, what it learned, its recomputed accuracy."""

    label: str
    costs: tuple[float, ...]
    learned: Learned | None = None
    accuracy: float | None = None
    answers: Floats | None = None


@dataclass(frozen=True)
class Finding:
    """A claim, measured: median and spread over the repetitions."""

    claim: Claim
    median: float
    low: float
    high: float

    @property
    def met(self) -> bool | None:
        """Whether the median meets the target; None where there is none."""
        if self.claim.at_least is not None:
            return self.median >= self.claim.at_least
        return None if self.claim.at_most is None else self.median <= self.claim.at_most


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
