"""`train --trace`: the run round by round, below the answer or in a file."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, shown
from ..report.text import clean
from .answers import Answer
from .outputs import OutputOption

if TYPE_CHECKING:
    from ..data.source import Source
    from ..runs.run import Run
    from ..runs.trace import Trace

_MOST = 1000
_MOST_NUMBERS = 10**6  # weights in the answer: what is wider goes into a file


def trace_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--trace and what belongs to it; they arrive as `trace`, `trace_file`, `trace_rounds`, `trace_class`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS = (
    click.option("--trace", is_flag=True, help="Below the answer every round: row, margin, step, weights."),
    click.option("--trace-file", cls=OutputOption, help="Write the rounds there: .csv, or .json."),
    click.option(
        "--trace-rounds", metavar="N", type=click.IntRange(1, 10**9), default=_MOST, show_default=True,
        help="At most so many rounds.",
    ),
    click.option("--trace-class", metavar="LABEL", help="Of more than two classes, the one to trace."),
)  # fmt: skip


@dataclass(frozen=True)
class Tracing:
    """What is asked of a trace."""

    shown: bool
    file: str | None
    rounds: int
    of: str | None

    def __post_init__(self) -> None:
        if self.file is not None and not self.file.lower().endswith((".csv", ".json")):
            raise InputError(f"{self.file}: the form of a trace; expected a name that ends in .csv or .json")
        if self.of is not None and not self.wanted:
            raise InputError("--trace-class chooses what to trace: it needs --trace or --trace-file")

    @property
    def wanted(self) -> bool:
        """Whether the run must keep a log."""
        return self.shown or self.file is not None

    def check(self, resumed: bool, source: "Source", multiclass: str, rule: str) -> None:
        """Raises `InputError` for what cannot be had, before the work begins."""
        from .. import rules

        if self.wanted and rule in rules.names() and not rules.get(rule).additive:
            raise InputError(f"rule {rule!r} has no rounds to tell: its weights are no sum of rows; leave out --trace")
        if self.wanted and resumed:
            raise InputError("--trace tells a run from its start, and a checkpoint has no log: leave out --resume")
        if self.wanted:
            self._output(source, multiclass)

    def _output(self, source: "Source", multiclass: str) -> int | None:
        """The output to trace: of one-vs-rest one must be named."""
        known = [str(label) for label in source.classes.tolist()]
        said = [shlex.quote(clean(label)) for label in known[:8]]
        if source.n_outputs == 1 or multiclass == "direct":
            if self.of is not None:
                raise InputError("--trace-class chooses among more than two classes of --multiclass ovr: leave it out")
            return None
        if self.of is None:
            raise InputError(f"of {len(known)} classes each has its own run: say which by --trace-class {said[0]}")
        if self.of not in known:
            raise InputError(f"--trace-class {shown(self.of)}: no such class; expected one of {', '.join(said)}")
        return known.index(self.of)

    def report(self, run: "Run") -> dict[str, Any] | None:
        """The rounds for the answer, and those of the end of a longer run; the file is written."""
        if not self.wanted:
            return None
        from ..report.trace import LAST_ROUNDS

        output = self._output(run.source, run.plan.multiclass)
        written = None
        if self.file is not None:
            written = run.trace(most=self.rounds, output=output)
            _write(written, self.file)
        known = {"file": self.file, "file_rounds": written and written.span, "updates": run.updates}
        if not self.shown:
            return {**known, "rounds": None, "total": run.state.visited}
        width = run.source.n_columns * (1 if output is not None else run.source.n_outputs)
        made = run.trace(most=max(1, min(self.rounds, _MOST, _MOST_NUMBERS // width)), output=output)
        told = made.to_dict()
        ahead = max(told["last"], made.total - LAST_ROUNDS)
        end = run.trace(ahead + 1, LAST_ROUNDS, output).to_dict()["listed"] if ahead < made.total else []
        return {**known, **told, "end": end}


def _write(trace: "Trace", path: str) -> None:
    import json

    from ..atomic import replace_file

    text = trace.to_csv() if path.lower().endswith(".csv") else json.dumps(trace.to_dict(), allow_nan=False) + "\n"
    replace_file(path, text.encode())
