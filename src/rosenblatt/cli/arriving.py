"""`train --stream` while a file is read for the first time, or a pipe, which is read once alone."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import InputError, ParameterError
from ..report.words import in_words_of
from .settings import Settings

if TYPE_CHECKING:
    from ..data.source import Source
    from ..files.sheet import Sheet
    from ..learning.progress import Progress
    from ..runs.state import State
    from .progress import ProgressTable

CHOOSING = "choosing a rule reads rows again and again"
WEIGHING = "classes are counted when all rows have come: leave --class-weight out"
RESUMING = "a run goes on with the rows it has met: leave --resume out"
STARTING = "it begins at zero: leave --start out"
ONCE = "--rule perceptron --order cyclic --epochs 1"


class Arrivals:
    """Learns from parts as they are read, if the plan allows it; what was learnt is where the run then goes on from."""

    def __init__(
        self, settings: Settings, plan: dict[str, Any], reason: str, classes: str | None, table: "ProgressTable"
    ) -> None:
        """`reason`: why it cannot, if that is known already. `classes`: all there are, if somebody says so."""
        from ..learning.first_pass import FirstPass, why_not
        from .progress import doubling

        self.settings, self.reason = settings, reason or why_not(plan) or ""
        self.first: FirstPass | None = None
        self.begun = False
        if not self.reason:
            marks = doubling() if settings.shows_progress else ()
            try:
                given = None if classes is None else classes.split(",")
                self.first = FirstPass(plan, given, lambda progress: table.tell(progress), marks)
            except InputError as error:
                raise in_words_of("command", error) from None

    def once(self, name: str, epochs: int) -> None:
        """Raises `InputError` where the input can be read once alone, and the plan takes more."""
        reason = self.reason or ("it takes more than one pass" if epochs != 1 else "")
        if reason:
            said = "{data}: it can be read once alone: " + reason + "; expected {plan}, or a file"
            raise in_words_of("command", ParameterError(said, data=name, plan=ONCE))

    def meet(self, sheet: "Sheet", again: bool) -> None:
        """Learn from a part."""
        from ..learning.first_pass import UnexpectedError

        self.begun = True
        if self.first is None:
            return
        try:
            self.first.meet(sheet)
        except UnexpectedError as error:
            if not again:
                raise InputError(f"{error}; or a file, which can be read again") from None
            self.settings.detail(f"not learnt while it was read: {error}")
            self.first = None

    def state(self, source: "Source") -> "State | None":
        """Where the run goes on from; None: from its start, for nothing was learnt, or nothing of use."""
        from ..learning.first_pass import UnexpectedError

        if self.first is None or not self.begun or (self.first.end is not None and not source.gone):
            return None
        if self.first.end is not None:
            end = self.first.end.facing("command")
            raise InputError(f"standard input: {end.reason}; {end.advice}; no model is written")
        try:
            return self.first.state(source)
        except UnexpectedError:
            return None

    def told(self, progress: "Progress") -> "Progress":
        """With the rows that were predicted wrong while they were read."""
        wrong = 0 if self.first is None else self.first.wrong
        return replace(progress, wrong=progress.wrong + wrong)
