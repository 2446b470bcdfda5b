"""Choice: which candidates were tried, which was chosen, and by how much."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import rules
from ..choices import MULTICLASS, SCALES, one_of
from ..data.evaluation import Evaluation
from ..errors import InputError
from ..report.choice import ENDS, choice_text
from ..report.html_cards import choice_card


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


class Tried(NamedTuple):
    """A candidate, and how it did: `accuracy` of the rows held out after its best number of `epochs`, of those `met`.

    `end` says why it went no further: "stale" (no gain), "behind" the leader, "epochs" (all of them), or "fault" (its
    numbers left float64, and there is no accuracy).
    """

    candidate: Candidate
    epochs: int
    accuracy: float | None
    met: int
    end: str


@dataclass(frozen=True, eq=False)
class Choice:
    """What was tried, what was chosen, and by how much.

    tried, chosen
        The candidates, and the index of the one that was taken.
    folds, held_out
        How it was judged: by so many rows in that many folds; 1 fold is one part, held out. 0 rows: too few to choose.
    most_common
        The share of them that is of the most common class: what a guess would get right.
    lead, lead_error
        By how much the chosen is ahead of the next best, and the standard error of that; None without a next.
    evaluation
        How the chosen one did on the rows held out, class by class, each row counted once; None of a choice that comes
        from a file.
    weighted
        Whether the rows counted by weights that differ: then `accuracy`, `most_common` and `lead` are by weight.
    """

    rows: int
    seed: int
    folds: int
    held_out: int
    most_common: float | None
    tried: tuple[Tried, ...]
    chosen: int
    lead: float | None
    lead_error: float | None
    evaluation: Evaluation | None = None
    weighted: bool = False

    @classmethod
    def of_dict(cls, known: dict[str, Any]) -> "Choice":
        """What `to_dict` gave. Raises `InputError` for what cannot be one: it may come from a file."""
        try:
            rows = [dict(one) for one in known["candidates"]]
            tried = tuple(
                Tried(
                    Candidate(rules.get(one["rule"]).name, one["beta"], *_words(one)),
                    one["epochs"], one["accuracy"], one["met"], one["end"],
                )
                for one in rows
            )  # fmt: skip
            (chosen,) = (i for i, one in enumerate(rows) if one["chosen"] is True)
            own = {name: known[name] for name in ("rows", "seed", "folds", "held_out")}
            weighted = known.get("weighted", False)  # older files do not say
            shares = {name: known[name] for name in ("most_common", "lead", "lead_error")}
            whole = [*own.values(), *(n for one in tried for n in (one.epochs, one.met))]
            real = [*shares.values(), *(n for one in tried for n in (one.accuracy, one.candidate.beta))]
            sound = all(type(n) is int and 0 <= n < 2**64 for n in whole) and 0 < len(tried) <= 100
            sound &= all(n is None or (type(n) is float and math.isfinite(n)) for n in real)
            sound &= type(weighted) is bool and tried[chosen].epochs > 0 and all(one.end in ENDS for one in tried)
            sound &= (shares["lead"] is None) == (shares["lead_error"] is None) and own["held_out"] <= own["rows"]
            sound &= all(-1e-9 <= n <= 2 for n in (*shares.values(), *(one.accuracy for one in tried)) if n is not None)
            sound &= (own["held_out"] > 0) == (tried[chosen].accuracy is not None)
            if not sound or (own["held_out"] > 0) != (shares["most_common"] is not None):
                raise ValueError
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError("choice: expected candidates, one of them chosen, and how they were judged") from None
        return cls(**own, **shares, tried=tried, chosen=chosen, weighted=weighted)

    @property
    def best(self) -> Tried:
        """The one that was chosen."""
        return self.tried[self.chosen]

    def plan(self) -> dict[str, Any]:
        """What `learn` is given to learn the chosen one, again and bit for bit."""
        return {**self.best.candidate.plan(), "max_epochs": self.best.epochs, "seed": self.seed}

    def to_dict(self) -> dict[str, Any]:
        """It in plain values."""
        return {
            "rows": self.rows,
            "seed": self.seed,
            "folds": self.folds,
            "held_out": self.held_out,
            "most_common": self.most_common,
            "lead": self.lead,
            "lead_error": self.lead_error,
            "weighted": self.weighted,
            "candidates": [
                {
                    "name": one.candidate.name,
                    **one.candidate._asdict(),
                    "epochs": one.epochs,
                    "accuracy": one.accuracy,
                    "met": one.met,
                    "end": one.end,
                    "chosen": i == self.chosen,
                }
                for i, one in enumerate(self.tried)
            ],
        }

    def summary(self) -> str:
        """The table, at most 80 characters wide."""
        return "\n".join(choice_text(self.to_dict()))

    def _repr_html_(self) -> str:
        return choice_card(self.to_dict())

    def __repr__(self) -> str:
        return f"<Choice\n{self.summary()}>"


def _words(one: dict[str, Any]) -> tuple[str, str]:
    return one_of("scale", one["scale"], SCALES), one_of("multiclass", one["multiclass"], MULTICLASS)
