"""A question about two classes: what `check`, `margin`, `suspects` and `clinic` have in common."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .framework import (
    Answer,
    Settings,
    cluster_options,
    counts_option,
    positive_option,
    proof_option,
    reading_options,
    stream_options,
    time_limit_option,
)

if TYPE_CHECKING:
    from ..data.examples import Examples
    from ..files.sheet import Sheet
    from ..runs.status import Status
    from .searching import Onlooker

PATIENCE = 10.0
"""Seconds for what follows from a verdict, at most."""


def question_options(
    time_limit: float | None = None, counts: bool = False, stream: bool = False
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """--proof, --time-limit, --positive, the options of reading; --counts where rows may be counted; and --stream."""

    def with_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
        if counts:
            function = counts_option(function)
        if stream:
            function = stream_options(cluster_options(function))
        return proof_option(time_limit_option(time_limit)(positive_option(reading_options(function))))

    return with_options


@dataclass(frozen=True)
class TwoClassData:
    """The data of a question: as they were read, as examples of two classes, and as a report says it."""

    settings: Settings
    data: str
    sheet: "Sheet"
    examples: "Examples"
    report: Mapping[str, Any]

    @classmethod
    def of(cls, settings: Settings, data: str, origin: bool = False) -> "TwoClassData":
        """Read them, and see which class is asked about. `origin`: the hyperplanes have no offset.

        Of a column of text one level is left out, since all of them and an offset are dependent. Of two columns of
        counts the first is asked about, as in R.
        """
        from .sides import two_sided

        sheet = settings.sheet(data, coding="reference", origin=origin)
        if sheet.reading.weight is not None:
            settings.note("note: weights are not used here; --counts COLUMN says how often a row was observed")
        pair = sheet.reading.counts is not None and len(sheet.reading.counts) == 2
        first = sheet.reading.counts[0] if pair and sheet.reading.counts else None
        examples, sides = two_sided(sheet, settings.positive or first)
        return cls(settings, data, sheet, examples, sheet.to_dict(sides.positive, sides.classes))

    @property
    def counts(self) -> Any:
        """How often each row was observed, if a column counts that; the weights of rows say something else."""
        return self.sheet.weights if self.sheet.reading.counts else None

    @property
    def text(self) -> tuple[str, ...]:
        """The columns of text, whose levels R's terms name."""
        return self.sheet.reading.text or ()

    def proof(self, path: str | None, found: Any, onlooker: "Onlooker", proved: bool = True) -> dict[str, Any] | None:
        """Write the proof of what was found, if that was asked for and something is `proved`; what was written."""
        from .proofs import write_proof

        if path is None:
            return None
        if proved:
            onlooker.tell("checking the proof")
            return write_proof(path, found.proof, found.check(), self.sheet)
        self.settings.note(f"note: {path} is not written: there is nothing to prove yet")
        return None

    def answer(
        self,
        report: dict[str, Any],
        text: Callable[[Mapping[str, Any]], Iterable[str]],
        code: int,
        onlooker: "Onlooker",
    ) -> Answer:
        """What was found, or what was known when Ctrl-C or SIGTERM ended the search."""
        report["interrupted"] = onlooker.interrupted is not None
        if onlooker.interrupted is not None:
            self.settings.note("note: interrupted; this is what was known by then")
            code = 128 + onlooker.interrupted
        return Answer(report, text, code)

    def step(self, why: str, command: str, **options: Any) -> dict[str, Any]:
        """What to do next about the same data."""
        return {"why": why, "command": self.settings.again(command, self.data, **options)}

    def verify_step(self, path: str | None) -> list[dict[str, Any]]:
        """If a proof was written, that it can be checked again."""
        from .proofs import verify_step

        return [] if path is None else [verify_step(self.settings, path, self.data)]


def with_commands_words(known: dict[str, Any], status: "Status") -> dict[str, Any]:
    """A result's dictionary, its status said in the words of the command line."""
    worded = status.facing("command")
    return known | {"reason": worded.reason, "advice": worded.advice}
