"""Commands: a function that takes `Settings` and gives an `Answer` becomes a command of click's."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from .. import __version__
from ..files.reading import Reading
from .answers import Answer, print_answer, write
from .outputs import OutputOption, check_outputs
from .settings import READING, Settings


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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with a word on patterns that the shell has taken."""
        streaming = "--stream" in args or "--dask" in args
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if not streaming or "extra argument" not in error.message:
                raise
            said = f"{error.message.rstrip('.')}; a pattern of files goes in quotes: 'part-*.csv'"
            raise click.UsageError(said, ctx) from None

    def invoke(self, ctx: click.Context) -> int:
        """Run it; the exit code."""
        given = dict(ctx.params)
        reading = {name: value for name in READING if (value := given.pop(name, None)) not in (None, ())}
        if "base" in reading:
            reading["base"] = int(reading["base"])
        own = ("json", "verbose", "quiet", "progress", "threads", "positive", "names", "stream", "memory",
               "dask", "shards")  # fmt: skip
        common = {name: given.pop(name) for name in own if name in given}
        settings = Settings(**common, reading=Reading(**reading))
        ctx.find_root().meta["rosenblatt.verbose"] = settings.verbose
        if settings.shards is not None and settings.dask is None:
            raise click.UsageError("--shards says how --dask shares out DATA; expected both", ctx)
        if settings.stream and settings.dask is not None:
            raise click.UsageError("--dask leaves rows on the disk by itself; leave --stream out", ctx)
        if settings.dask is not None:
            settings = replace(settings, stream=True)  # rows are not in memory here, either
        if settings.memory is not None and not settings.stream:
            raise click.UsageError("--memory says how much --stream may take; expected both", ctx)
        assert self.callback is not None
        arguments = [given[one.name] for one in self.params if isinstance(one, click.Argument) and one.name]
        inputs = [path for path in arguments if isinstance(path, str)]
        outputs = [given[one.name] for one in self.params if isinstance(one, OutputOption) and one.name]
        check_outputs([path for path in outputs if path is not None], inputs, [given.get("output") or ""])
        begin = time.monotonic()
        answer: Answer = ctx.invoke(self.callback, settings, **given)
        print_answer(answer, str(self.name), as_json=settings.json, quiet=settings.quiet)
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


def command(function: Callable[..., Answer]) -> Command:
    """Make a command of a function: its name and its help are the function's."""
    for option in reversed(_OPTIONS):
        function = option(function)
    made = click.command(name=function.__name__, cls=Command)(function)
    assert isinstance(made, Command)
    return made


def common_option(*names: str, **attributes: Any) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """An option listed among those that every command has."""
    return click.option(*names, cls=SectionedOption, section="Every command", **attributes)


_OPTIONS = (
    common_option("--json", is_flag=True, help="One line of JSON on standard output, errors too."),
    common_option("-v", "--verbose", is_flag=True, help="Timings on standard error; the traceback of a bug."),
    common_option("-q", "--quiet", is_flag=True, help="The answer alone: no notes, no evidence, no advice."),
)
