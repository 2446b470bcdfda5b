"""Candidates: what `choose` tries. The list and its order were found by measurement (docs/choosing.md).

Ties go to the earlier, so that the one which is safest on few rows comes first. More than two classes are told apart
directly, which beat one-vs-rest wherever the two differed, but on words: there both are tried.
"""

from typing import Any, NamedTuple


class Candidate(NamedTuple):
    """A rule with its parameters, a scale, and how more than two classes are told apart: in the words of `learn`."""

    rule: str
    beta: float | None = None
    scale: str = "none"
    multiclass: str = "direct"

    @property
    def name(self) -> str:
        """It in few words.

        >>> Candidate("relative-margin", 3.0, "standard").name
        'relative-margin 3, standardised'
        """
        margin = "" if self.beta is None else f" {self.beta:g}"
        scale = ", standardised" if self.scale == "standard" else ""
        return f"{self.rule}{margin}{scale}{', one-vs-rest' if self.multiclass == 'ovr' else ''}"

    def plan(self) -> dict[str, Any]:
        """What `learn` is given, but for the number of epochs and the seed."""
        return {**self._asdict(), "order": "shuffled", "readout": "averaged", "tol": None}


_DENSE = (Candidate("relative-margin", 1.0, "standard"), Candidate("relative-margin", 3.0, "standard"))
_ANY = (Candidate("relative-margin", 1.0), Candidate("scinol"), Candidate("coin"))


def candidates_for(sparse: bool, classes: int) -> tuple[Candidate, ...]:
    """Those to try. Sparse rows cannot be centred, and scaled without that they mislead (docs/choosing.md)."""
    if not sparse:
        return _DENSE + _ANY
    return _ANY if classes == 2 else (*_ANY, Candidate("scinol", multiclass="ovr"))
