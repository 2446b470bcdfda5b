"""Options that several commands share: how to read, which class is asked about, where the proof goes, how long."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from ..files.reading import CODINGS, FORMATS, MISSING
from .answers import Answer
from .command import SectionedOption, common_option
from .outputs import FILE, OutputOption
from .settings import typed_command

data_argument = click.argument("data", metavar="DATA", type=FILE)
"""DATA: a path, - for standard input, or example:NAME."""


def reading_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """The options of a command that reads data: they arrive in `settings.reading`."""
    for option in reversed(_READING):
        function = option(function)
    return function


def positive_option(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--positive: which class is asked about, against all the others."""
    wanted = "The class asked about, against all others. Default: of two, the second one sorted."
    return _reading("--positive", metavar="LABEL", help=wanted)(function)


def stream_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--stream and --memory: they arrive in `settings`."""
    wanted = "Leave rows on the disk: for files larger than memory. See rosenblatt cache."
    memory = "With --stream: about what to take at most, beside the weights. Default: 256MB."
    function = _reading("--memory", metavar="SIZE", callback=_size, help=memory)(function)
    return _reading("--stream", is_flag=True, help=wanted)(function)


def cluster_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--dask and --shards: they arrive in `settings`."""
    wanted = "Work on a Dask cluster, whose workers open DATA by themselves: its scheduler, or local for this machine."
    shards = "With --dask: how many parts to share DATA out to. Default: a part for each file, 8 of one file."
    function = _reading("--shards", metavar="N", type=click.IntRange(1, 100_000), help=shards)(function)
    return _reading("--dask", metavar="tcp://…|local", help=wanted)(function)


def _size(_: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    from ..errors import InputError
    from ..files.stream import memory_of

    try:
        return memory_of(value)
    except InputError as error:
        raise click.BadParameter(str(error), param=parameter) from None


def counts_option(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--counts: how often each row was counted."""
    wanted = "How often each row was counted; two: how often with each label, as R's cbind(s, f), s being positive."
    return _reading("--counts", metavar="COLUMN[,COLUMN]", callback=_columns, help=wanted)(function)


def _columns(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    names = None if value is None else tuple(value.split(","))
    if names is not None and not (1 <= len(names) <= 2 and all(names) and len(set(names)) == len(names)):
        raise click.BadParameter(f"{value!r} is not a column, or two with a comma between", param=parameter)
    return names


def _levels(_: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, str] | None:
    """COLUMN=LEVEL, each column once."""
    found: dict[str, str] = {}
    for one in value:
        column, equals, level = one.partition("=")
        if not (column and equals and level):
            raise click.BadParameter(f"{one!r} is not COLUMN=LEVEL", param=parameter)
        if column in found:
            raise click.BadParameter(f"two levels for {column!r}; expected one", param=parameter)
        found[column] = level
    return found or None


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
        help=("Give up" if default is None else "Make do")
        + " after so long; reading, and checking a proof, not counted.",
    )


def typed(options: Iterable[str]) -> set[str]:
    """Those of the options that were typed."""
    source = click.get_current_context().get_parameter_source
    return {name for name in options if source(name) is not click.core.ParameterSource.DEFAULT}


def repeated(**changed: Any) -> list[str]:
    """The command that was typed, to type it again with some options changed; None leaves one out."""
    context = click.get_current_context()
    given = typed(context.params) - {"json", "verbose", "quiet", "progress"}
    arguments = [
        str(context.params[str(one.name)]) for one in context.command.params if isinstance(one, click.Argument)
    ]
    names = [str(one.name) for one in context.command.params if isinstance(one, click.Option)]
    options = {name: changed.get(name, context.params[name]) for name in names if name in given or name in changed}
    return typed_command(str(context.info_name), arguments, options)


def number_or(*words: str, whole: bool = False) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A number, or one of some words; whether it is in range is for `learn` to say."""

    def convert(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        if value in words:
            return value
        try:
            return int(value) if whole else float(value)
        except ValueError:
            kind = "a whole number" if whole else "a number"
            wanted = f"{value!r} is not {kind}{''.join(f' or {word!r}' for word in words)}"
            raise click.BadParameter(wanted, ctx, param) from None

    return convert


def _reading(*names: str, **attributes: Any) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    return click.option(*names, cls=SectionedOption, section="Reading", **attributes)


_READING = (
    _reading(
        "--label",
        metavar="COLUMN",
        help="The label's column: its name, or its position from 0; -1 is the last. Where 6 is a name and a position:"
        " name:6, position:6.",
    ),
    _reading(
        "--header/--no-header",
        default=None,
        help="Line 1 of CSV and TSV holds names, or is a row. Default: found out, or asked.",
    ),
    _reading("--format", metavar="NAME", type=click.Choice(FORMATS), help=f"{', '.join(FORMATS)}. Default: found out."),
    _reading(
        "--missing",
        metavar="WORD",
        type=click.Choice(MISSING),
        help=f"What to do with missing values: {', '.join(MISSING)}. Default: refuse.",
    ),
    _reading("--text", metavar="COLUMN", multiple=True, help="Take this column as text though it looks like numbers."),
    _reading(
        "--coding",
        metavar="WORD",
        type=click.Choice(CODINGS),
        help="Text columns: levels, a feature for each value; reference, for each but the most frequent one. Default:"
        " reference in check, clinic, margin and suspects, else levels.",
    ),
    _reading(
        "--reference",
        metavar="COLUMN=LEVEL",
        multiple=True,
        callback=_levels,
        help="The level of a text column to leave out; implies --coding reference.",
    ),
    _reading(
        "--words",
        metavar="COLUMN",
        multiple=True,
        help="This column, by name or position, holds sentences: a feature COLUMN:word for each word (letters, marks,"
        " digits and apostrophes within, without case), how often the row has it.",
    ),
    _reading("--weight", metavar="COLUMN", help="This column, by name or position, says how much each row counts."),
    _reading("--names", metavar="FILE", type=FILE, help="Names of svmlight columns, a line each from the first on."),
    _reading("--leave-out", metavar="COLUMN", multiple=True, help="Do not read this column of a table."),
    _reading(
        "--base",
        metavar="0|1",
        type=click.Choice(["0", "1"]),
        help="Index of the first feature in svmlight text. Default: found out.",
    ),
    _reading("--hash-bits", metavar="N", type=click.IntRange(1, 30), help="Hash features into 2^N columns."),
    common_option("--threads", metavar="N", type=click.IntRange(1, 1024), help="Default: as many as there are CPUs."),
    common_option("--progress/--no-progress", default=None, help="Show where long work is. Default: on a terminal."),
)
