"""The commands, in sections. Each is imported when it is asked for; `--help` asks for all, which costs little."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from .. import __version__
from .answers import write
from .command import Command, HelpfulCommand
from .ending import ended, terminable

SECTIONS = {
    "Learn": ("study", "train", "predict"),
    "Prove": ("check", "verify", "margin", "suspects", "clinic"),
    "Look": ("show", "plot", "convert", "examples", "rules", "cache", "versions", "completion"),
}
COMPLETE = "_ROSENBLATT_COMPLETE"


class Group(HelpfulCommand, click.Group):
    """The commands by name, each in the file of that name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, section by section."""
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found: Command = getattr(import_module(f".{cmd_name}", __package__), cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a guess at what was meant."""
        name = args[0]
        if name not in self.list_commands(ctx) and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx))
            meant = f", did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"no such command {name!r}{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under the headings of their sections."""
        for title, names in SECTIONS.items():
            found = [(name, self.get_command(ctx, name)) for name in names]
            records = [(name.ljust(10), one.get_short_help_str(64)) for name, one in found if one is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        write(f"rosenblatt {__version__}")
        ctx.exit()


@click.group(
    cls=Group,
    invoke_without_command=True,
    subcommand_metavar="COMMAND …",
    context_settings={"max_content_width": 80, "help_option_names": ["-h", "--help"]},
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Linear separation, settled: learn linear classifiers with the perceptron family, measure them, and prove what
    is said of them.

    DATA is a file (svmlight, CSV, TSV, Parquet, Arrow, NumPy, Vowpal Wabbit, ARFF; packed or not), - for standard
    input, or example:NAME, which comes with the program (see rosenblatt examples). Results go to standard output, all
    else to standard error.
    """
    if ctx.invoked_subcommand is None:
        write(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without ′ or γ still gets the rest
    ctx, name = None, next((word for word in given if not word.startswith("-")), None)
    name = name if name in group.list_commands(click.Context(group)) else None
    try:
        with terminable():
            if instruction := os.environ.get(COMPLETE):
                from click.shell_completion import shell_complete

                return shell_complete(group, {}, "rosenblatt", COMPLETE, instruction)
            with group.make_context("rosenblatt", list(given)) as ctx:
                code = group.invoke(ctx)
            return code if isinstance(code, int) else 0
    except BaseException as error:
        return ended(error, given, name, ctx is not None and bool(ctx.meta.get("rosenblatt.verbose")))
