"""Study: all that is known of a data set, and the dictionary that its report is made from."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..data.classes import class_counts
from ..data.examples import Examples
from ..data.hyperplane import Hyperplane, weights_listed
from ..models.model import Model
from ..report.data import data_report
from ..report.html import card
from ..report.plain import finite, plain
from ..report.study import best_fact, facts, sentence, study_text
from ..runs.audit import Audit
from ..runs.bounds import BoundComparison
from ..runs.choice import Choice
from ..runs.run import Run
from ..runs.status import Status
from ..separation.clinic.result import Clinic
from ..separation.margin.result import MaxMargin
from ..separation.mistakes.result import LeastMistakes
from ..separation.verdict import Verdict
from ..versions import versions
from .best import Best
from .cells import Cells
from .course import margins_of, theorem_of, training_of

if TYPE_CHECKING:
    from ..files.sheet import Sheet

FORMAT, VERSION = "rosenblatt study", 1
_MOST_NAMES = 1000
_MOST_SUSPECTS = 20
_MOST_ROWS = 100


@dataclass(frozen=True)
class OneOfMany:
    """One class of several against the rest."""

    label: Any
    verdict: Verdict

    @property
    def separable(self) -> bool | None:
        """As the verdict has it."""
        return self.verdict.separable

    def to_dict(self) -> dict[str, Any]:
        """The class and its verdict in plain values."""
        return {
            "class": plain(self.label),
            "rows": int((self.verdict.examples.labels > 0).sum()),
            "kind": self.verdict.kind,
            "separable": self.separable,
            "margin": finite(self.verdict.margin),
            "witness": None if self.verdict.witness_rows is None else int(self.verdict.witness_rows.size),
            "seconds": self.verdict.seconds,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Study:
    """What `study` found; each part is the noun that its own function gives, None where it has nothing to say.

    examples, question
        All rows and labels; and the two classes that the verdict, the margins and the run are about.
    each
        Of more than two classes, the verdict on each against the rest.
    margin, augmented
        The largest margin with a free offset, and in the space that the run learns in: None if no hyperplane separates.
    mistakes
        The bracket on the fewest mistakes, if none separates.
    run, first, cycle, theorem
        The run, with its log; its hyperplane after the first epoch, unless that was the last; a run in a fixed order
        whose weights came back, if one was found; the laws along `run`, or at its end if it is too long to follow.
    model, model_wrong
        What predicts: of the run, or of one over all classes if there are more than two; and the rows it gets wrong.
    best
        The best linear model: what was tried, the model that was learnt on all rows, and those it gets wrong.
    seconds, notes
        How long each part took; and why some are missing.
    """

    name: str
    examples: Examples
    question: Examples
    verdict: Verdict
    """Its examples are those of the question, but of a text column one level less: the reference."""
    each: tuple[OneOfMany, ...]
    margin: MaxMargin | None
    augmented: MaxMargin | None
    mistakes: LeastMistakes | None
    run: Run
    first: Hyperplane | None
    cycle: Run | None
    theorem: Audit | BoundComparison | None
    clinic: Clinic | None
    model: Model
    model_wrong: int
    best: Best | None
    seconds: Mapping[str, float]
    notes: Mapping[str, str]

    @property
    def positive(self) -> Any:
        """The class on the positive side."""
        return self.question.classes.tolist()[1]

    @property
    def text(self) -> tuple[str, ...]:
        """The columns of text, whose levels R's terms name."""
        return tuple(getattr(self.question.reading, "text", None) or ())

    @property
    def choice(self) -> Choice | None:
        """Which linear model is the best, by rows held out: what was tried, and by how much it leads."""
        return None if self.best is None else self.best.choice

    @property
    def hyperplane(self) -> Hyperplane:
        """What the run of the question predicts by."""
        return self.run.hyperplane

    def to_dict(self, sheet: "Sheet | None" = None, face: str = "learn") -> dict[str, Any]:
        """The report: all of it in plain values (docs/report.md).

        `sheet` says how a file was read, `face` in whose words ends and advice are said.
        """
        training = training_of(self.run, self.cycle, self.seconds.get("training", 0.0))
        against = "the largest margin" if self.mistakes is None else "the fewest mistakes"
        report: dict[str, Any] = {
            "rosenblatt": __version__,
            "format": FORMAT,
            "version": VERSION,
            "title": self.name,
            "data": self._data(sheet),
            "choice": None if self.choice is None else self.choice.to_dict(),
            "evaluation": self._evaluation(),
            "best": self._best(),
            "classes": [one.to_dict() for one in self.each] or None,
            "verdict": self._verdict(),
            "proof": None,
            "margin": self._margin(self.margin, face),
            "augmented": self._margin(self.augmented, face),
            "training": training | _said(self._end, face),
            "theorem": theorem_of(self.theorem, against),
            "model": {
                "classes": len(self.model.classes),
                "readout": self.model.parameters["readout"],
                "wrong": self.model_wrong,
                "share": self.model_wrong / self.examples.n_rows,
            },
            "margins": self.distribution,
            "weights": weights_listed(self.hyperplane.w, self.hyperplane.b, self.question.feature_names),
            "mistakes": self._mistakes(face),
            "clinic": None if self.clinic is None else self.clinic.to_dict(_MOST_ROWS),
            "figures": [],
            "how": {"command": None, "versions": versions(), "seed": self.run.plan.seed, "seconds": dict(self.seconds),
                    "model": None},
            "notes": [{"part": part, "text": text} for part, text in self.notes.items()],
            "next": [],
        }  # fmt: skip
        return {**report, "sentence": sentence(report)}

    def summary(self) -> str:
        """The few numbers that matter, as `rosenblatt study` prints them."""
        return "\n".join(study_text(self.to_dict()))

    def save(self, folder: Any) -> dict[str, Any]:
        """Write report.html, report.json, the proof, the model and the figures into a folder; the report.

        The folder is made if it is not there; one that holds anything but an earlier study is refused.
        """
        from .folder import write_study

        return write_study(self, folder)

    def _repr_html_(self) -> str:
        report = self.to_dict()
        return card(report["sentence"], [*best_fact(report), *facts(report)])

    def __repr__(self) -> str:
        n, d = self.examples.n_rows, self.examples.n_columns
        return f"<Study of {self.name}, {n} × {d}: {self.verdict.kind}; the run ended {self.run.status.name}>"

    @property
    def _end(self) -> Status:
        """How the run ended, without advice that the rest of the study has overtaken."""
        end = self.run.status
        for known in ("margin-upper", "more-epochs", "larger-patience"):
            end = end.without(known)
        return end

    @cached_property
    def distribution(self) -> dict[str, Any] | None:
        """The distances of the rows to the hyperplane, before and after."""
        return margins_of(self.run, self.first)

    @cached_property
    def cells(self) -> Cells:
        """What stands in the rows that are shown, in the columns that weigh most."""
        return Cells.of(self.question, self.hyperplane.w)

    def _data(self, sheet: "Sheet | None") -> dict[str, Any]:
        names = self.examples.feature_names
        if sheet is None:
            labels = self.examples.classes[self.examples.codes.astype(int)]
            counts = class_counts(labels)
            n, d, sparse = self.examples.n_rows, self.examples.n_columns, bool(self.examples.rows.is_sparse)
            known = data_report(n, d, sparse, counts, self.positive, name=self.name)
        else:
            known = sheet.to_dict(self.positive)
        return {**known, "names": None if names is None else list(names[:_MOST_NAMES]), "radius": finite(self._radius)}

    @property
    def _radius(self) -> float:
        """R, the length of the longest row."""
        _, _, square = self.run.survey("last")
        return math.sqrt(square)

    def _verdict(self) -> dict[str, Any]:
        known = self.verdict.to_dict(self.text)
        if known["witness"] is not None:
            known["witness"] = self.cells.filled_in(known["witness"])
        return known

    def _margin(self, best: MaxMargin | None, face: str) -> dict[str, Any] | None:
        if best is None:
            return None
        known = best.to_dict()
        shown = self.cells.filled_in(known["support"][:_MOST_ROWS])
        return {**known, **_said(best.status, face), "support": shown, "support_count": len(known["support"])}

    def _evaluation(self) -> dict[str, Any] | None:
        found = None if self.choice is None else self.choice.evaluation
        return None if found is None else found.to_dict("choosing")

    def _best(self) -> dict[str, Any] | None:
        if self.best is None:
            return None
        return {"file": None, "wrong": self.best.wrong, "share": self.best.wrong / self.examples.n_rows}

    def _mistakes(self, face: str) -> dict[str, Any] | None:
        if self.mistakes is None:
            return None
        known = self.mistakes.to_dict(_MOST_SUSPECTS, _MOST_SUSPECTS)
        rows: Sequence[str] = ("rescue", "suspects")
        filled = {name: self.cells.filled_in(known[name][:_MOST_SUSPECTS]) for name in rows}
        return {**known, **_said(self.mistakes.status, face), **filled}


def _said(status: Status, face: str) -> dict[str, str]:
    worded = status.facing(face)
    return {"reason": worded.reason, "advice": worded.advice}
