"""The framework: a command takes `Settings` and what it asked for, and gives an `Answer`.

    @command
    @data_argument
    @reading_options
    @click.option("--epochs", …)
    def train(settings: Settings, data: str, epochs: int) -> Answer:
        '''The first line is what `rosenblatt --help` shows.'''

Whatever is imported at the top of such a file is imported by `rosenblatt --help`: click and the standard library only.
"""

import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from ..errors import InputError
from ..files.reading import FORMATS, MISSING, Reading
from .outputs import FILE, OutputOption, check_outputs

if TYPE_CHECKING:
    from ..files.sheet import Sheet

STDOUT = "standard output"

READING = ("label", "format", "missing", "base", "hash_bits", "text", "leave_out")
"""The options of `reading_options`, which are fields of a `Reading`."""


@dataclass(frozen=True)
class Answer:
    """What a command found: one plain dictionary, how to put it in words, and the exit code.

    The words are made from the dictionary alone. Their first line is the verdict, and bold on a terminal, unless there
    is no `headline`. Those that are `exact` are for a program to read: no character of them may be replaced.
    """

    result: Mapping[str, Any]
    text: Callable[[Mapping[str, Any]], Iterable[str]]
    exit: int = 0
    headline: bool = True
    exact: bool = False


@dataclass(frozen=True)
class Settings:
    """What every command is told: how to print, how to read, and with how many threads."""

    json: bool = False
    verbose: bool = False
    quiet: bool = False
    progress: bool | None = None
    threads: int | None = None
    positive: str | None = None
    reading: Reading = field(default_factory=Reading)
    """How to read, as far as options say."""

    @property
    def shows_progress(self) -> bool:
        """Whether to show where long work is: as asked, else on a terminal."""
        if self.progress is not None:
            return self.progress
        return not self.quiet and sys.stderr is not None and sys.stderr.isatty()

    def note(self, text: str) -> None:
        """A line on standard error, unless -q; in JSON notes belong into the result."""
        if not self.quiet and not self.json:
            say(text)

    def detail(self, text: str) -> None:
        """A line on standard error under -v."""
        if self.verbose:
            say(text)

    def sheet(
        self, source: str, meanwhile: Sequence[str] = (), *, labels: str = "needed", keep_names: bool = False
    ) -> "Sheet":
        """What a file holds, read as asked, with a bar on a terminal.

        `meanwhile` are modules that will be needed next: they are imported while the core reads. `labels` and
        `keep_names` are those of `Options`.
        """
        from ..choices import thread_count
        from ..files.options import Options
        from ..files.read import sheet_of

        options = Options(self.reading, labels, keep_names, thread_count(self.threads))
        begin = time.monotonic()
        with self.reading_bar() as progress, _importing(meanwhile):
            sheet = sheet_of(source, options, progress)
        self.detail(f"read {sheet.name}: {sheet.rows.n} × {sheet.rows.d} in {time.monotonic() - begin:.2f} s")
        for text in sheet.notes:
            self.note(f"note: {text}")
        return sheet

    def alike(self, earlier: Reading, data: str) -> "Settings":
        """To read data as others were read, whose `Reading` is known, unless options say otherwise."""
        from ..files.formats import format_named

        format = self.reading.format or format_named(data) or earlier.format
        return replace(self, reading=earlier.alike(format).but(self.reading))

    def reading_bar(self) -> AbstractContextManager[Callable[[int, int | None], None] | None]:
        """A bar for bytes read."""
        from .progress import reading_bar

        return reading_bar(self.shows_progress)

    def again(self, command: str, *arguments: str, **own: Any) -> list[str]:
        """A command to type next about the same data, read the same way. `own` are more options of that command.

        An option that is None or False is left out; True is a flag.
        """
        words: list[str] = []
        arguments = tuple("DATA" if one == "-" else one for one in arguments)  # what came in has been taken
        reading = {name: getattr(self.reading, name) for name in READING}
        for name, value in {**reading, "positive": self.positive, **own}.items():
            if value is None or value is False or (name, value) == ("missing", "refuse"):
                continue
            option = f"--{name.replace('_', '-')}"
            for one in value if isinstance(value, (list, tuple)) else [value]:
                words += [option] if one is True else [option, str(one)]
        if any(argument.startswith("-") and argument != "-" for argument in arguments):
            return ["rosenblatt", command, *words, "--", *arguments]  # a file that looks like an option
        return ["rosenblatt", command, *arguments, *words]


@contextmanager
def _importing(modules: Sequence[str]) -> Iterator[None]:
    """Import modules of this package in another thread. What goes wrong there goes wrong again where they are used."""

    def load() -> None:
        with suppress(Exception):
            for name in modules:
                import_module(f"..{name}", __package__)

    thread = threading.Thread(target=load, daemon=True)
    if modules:
        thread.start()
    yield
    if modules:
        thread.join()  # not after an error, such as Ctrl-C: nobody needs them any more


def say(text: str) -> None:
    """A line on standard error, if anyone is there to read it."""
    with suppress(OSError, ValueError):
        click.echo(text, err=True)


class SectionedOption(click.Option):
    """An option listed under a heading of its own in the help."""

    def __init__(self, *arguments: Any, section: str | None = None, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.section = section


class HelpfulCommand(click.Command):
    """A command whose help is written as all else is."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """As click's, which does not see that less was written."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _help
        return option


def _help(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        write(ctx.get_help())
        ctx.exit()


class Command(HelpfulCommand):
    """A command that gives an `Answer`, and prints it as JSON or in words."""

    def invoke(self, ctx: click.Context) -> int:
        """Run it; the exit code."""
        given = dict(ctx.params)
        reading = {name: value for name in READING if (value := given.pop(name, None)) not in (None, ())}
        if "base" in reading:
            reading["base"] = int(reading["base"])
        common = {name: given.pop(name) for name in ("json", "verbose", "quiet", "progress", "threads", "positive")
                  if name in given}  # fmt: skip
        settings = Settings(**common, reading=Reading(**reading))
        ctx.find_root().meta["rosenblatt.verbose"] = settings.verbose
        assert self.callback is not None
        arguments = [given[one.name] for one in self.params if isinstance(one, click.Argument) and one.name]
        inputs = [path for path in arguments if isinstance(path, str)]
        outputs = [given[one.name] for one in self.params if isinstance(one, OutputOption) and one.name]
        check_outputs([path for path in outputs if path is not None], inputs, [given.get("output") or ""])
        begin = time.monotonic()
        answer: Answer = ctx.invoke(self.callback, settings, **given)
        print_answer(answer, settings, str(self.name))
        settings.detail(f"rosenblatt {__version__}, {self.name}: {time.monotonic() - begin:.2f} s in all")
        return answer.exit

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options under their headings, the command's own first."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and not isinstance(parameter, click.Argument):
                section = getattr(parameter, "section", None)
                common = section is None and "--help" in parameter.opts
                sections.setdefault("Every command" if common else section or "Options", []).append(record)
        for title in sorted(sections, key=["Options", "Reading", "Every command"].index):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def print_answer(answer: Answer, settings: Settings, name: str) -> None:
    """The answer on standard output: one line of JSON, or words whose first line stands out on a terminal."""
    if settings.json:
        write(envelope(name, answer.exit, result=answer.result))
        return
    lines = list(answer.text(answer.result))
    if settings.quiet and answer.headline and "" in lines:
        lines = lines[: lines.index("")]
    if lines and answer.headline and styled():
        lines[0] = click.style(lines[0], bold=True)
    if lines:
        write("\n".join(lines), exactly=answer.exact)


def envelope(name: str | None, code: int, **part: Any) -> str:
    """The one form of JSON: `part` is a result or an error."""
    return json.dumps({"rosenblatt": __version__, "command": name, "exit": code, **part}, allow_nan=False)


def write(text: str, exactly: bool = False) -> None:
    """Write to standard output, if there is one, and see that it arrives.

    What the output's encoding does not have is replaced; not in results that are to be read `exactly` by a program.
    """
    if sys.stdout is None and exactly:
        raise InputError("standard output: closed; expected somewhere to write the result")
    if sys.stdout is None:
        return  # the exit code says it
    stream, buffer = sys.stdout, getattr(sys.stdout, "buffer", None)
    try:
        if buffer is None:  # text in memory
            stream.write(text + "\n")
            return
        errors = "strict" if exactly else stream.errors or "strict"
        rest = memoryview((text + "\n").encode(stream.encoding or "utf-8", errors))
        stream.flush()
        while rest:
            # To the file itself, which says how much it took: under PYTHONUNBUFFERED the stream does not look.
            count = getattr(buffer, "raw", buffer).write(rest)
            if count is None:  # a pipe that is full, and set not to wait
                select.select([], [stream], [])
            rest = rest[count or 0 :]
    except OSError as error:
        error.filename = STDOUT
        raise


def styled() -> bool:
    """Whether standard output is a terminal that may be styled (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def command(function: Callable[..., Answer]) -> Command:
    """Make a command of a function: its name and its help are the function's."""
    for option in reversed(_EVERY):
        function = option(function)
    made = click.command(name=function.__name__, cls=Command)(function)
    assert isinstance(made, Command)
    return made


def _every(*names: str, **attributes: Any) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    return click.option(*names, cls=SectionedOption, section="Every command", **attributes)


_EVERY = (
    _every("--json", is_flag=True, help="One line of JSON on standard output, errors too."),
    _every("-v", "--verbose", is_flag=True, help="Timings on standard error; the traceback of a bug."),
    _every("-q", "--quiet", is_flag=True, help="The answer alone: no notes, no evidence, no advice."),
)

data_argument = click.argument("data", metavar="DATA", type=FILE)
"""DATA: a path, or - for standard input."""


def reading_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """The options of a command that reads data: they arrive in `settings.reading`."""
    for option in reversed(_READING):
        function = option(function)
    return function


def positive_option(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--positive: which class is asked about, against all the others."""
    wanted = "The class asked about, against all others. Default: of two, the second one sorted."
    return _reading("--positive", metavar="LABEL", help=wanted)(function)


def proof_option(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--proof FILE."""
    wanted = "Write the proof to this file, checked first."
    return click.option("--proof", cls=OutputOption, help=wanted)(function)


def time_limit_option(default: float | None = None) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """--time-limit SECONDS."""
    return click.option(
        "--time-limit",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        show_default=default is not None,
        help="Give up after so long." if default is None else "Make do after so long.",
    )


def _reading(*names: str, **attributes: Any) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    return click.option(*names, cls=SectionedOption, section="Reading", **attributes)


_READING = (
    _reading("--label", metavar="COLUMN", help="The label's column: its name, or its position from 0."),
    _reading("--format", metavar="NAME", type=click.Choice(FORMATS), help=f"{', '.join(FORMATS)}. Default: found out."),
    _reading(
        "--missing",
        metavar="WORD",
        type=click.Choice(MISSING),
        help=f"What to do with missing values: {', '.join(MISSING)}. Default: refuse.",
    ),
    _reading("--text", metavar="COLUMN", multiple=True, help="Take this column as text though it looks like numbers."),
    _reading("--leave-out", metavar="COLUMN", multiple=True, help="Do not read this column of a table."),
    _reading(
        "--base",
        metavar="0|1",
        type=click.Choice(["0", "1"]),
        help="Index of the first feature in svmlight text. Default: found out.",
    ),
    _reading("--hash-bits", metavar="N", type=click.IntRange(1, 30), help="Hash features into 2^N columns."),
    _every("--threads", metavar="N", type=click.IntRange(1, 1024), help="Default: as many as there are CPUs."),
    _every("--progress/--no-progress", default=None, help="Show where long work is. Default: on a terminal."),
)
