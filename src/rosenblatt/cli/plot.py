"""`rosenblatt plot`: a figure of data, a model or a proof."""

import functools
import os
from typing import Any

import click

from ..errors import InputError
from .figures import KINDS, Drawn, animation_of_data, figure_of_data, figure_of_model, figure_of_proof, learnt
from .framework import Answer, Settings, command, positive_option, reading_options
from .kinds import kind_of
from .named import PREFIX
from .outputs import FILE, OutputOption, check_outputs
from .shared_options import time_limit_option


@command
@click.argument("file", metavar="DATA|MODEL|PROOF", type=FILE)
@click.argument("data", metavar="[DATA]", type=FILE, required=False)
@click.option("-o", "--output", cls=OutputOption, help="A .png, .svg or .pdf to write. Default: DATA's name and .png.")
@click.option(
    "--kind", type=click.Choice(KINDS), help="What to draw of DATA. Default: separation; all others train first."
)
@click.option("--animate", cls=OutputOption, metavar="FILE.gif", help="A run on DATA, step by step: 1 or 2 columns.")
@click.option("--origin", is_flag=True, help="Hyperplanes through the origin only.")
@time_limit_option(60.0)
@positive_option
@reading_options
def plot(
    settings: Settings,
    file: str,
    data: str | None,
    output: str | None,
    kind: str | None,
    animate: str | None,
    origin: bool,
    time_limit: float,
) -> Answer:
    """Draw what separates the classes, or why nothing does.

    Of DATA: the largest margin, or the rows that make one impossible; of three or more classes, and for the other
    kinds, what a run with a log does, as train learns. Of a MODEL: its weights, or with DATA its hyperplane on them.
    Of a PROOF with its DATA: what it claims. Needs matplotlib.

    Exit code: 0 it is written, 3 it is, but the verdict is undecided.
    """
    from ..plots.files import format_of, off_screen, write_figure
    from ..report.figure import figure_text

    what = kind_of(file)
    target = output if output is not None or animate is not None else _target(file)
    if target is not None:
        format_of(target)
        check_outputs([target], [path for path in (file, data) if path is not None])
    if animate is not None and not animate.lower().endswith(".gif"):
        raise InputError(f"{animate}: expected a name that ends in .gif: animations are written so")
    if what != "data" and (animate is not None or origin):
        raise InputError(f"{file}: a {'proof' if what == 'proof' else 'model'}; --animate and --origin are for DATA")
    if what == "data" and data is not None:
        raise InputError(f"{file}: data already; expected a model or a proof before {data}, or nothing after it")
    off_screen()
    drawn, moved = _drawn(settings, what, file, data, kind, origin, time_limit, target is not None, animate)
    report: dict[str, Any] = {"is": what if what in ("data", "proof") else "model", "name": file}
    said = drawn or moved
    report |= {} if said is None else {"kind": said.kind, "title": said.title, "data": said.data}
    report |= {"figure": None, "animation": None if animate is None else {"file": animate, "format": "gif"}}
    if drawn is not None and target is not None:
        report["figure"] = {"file": target, "format": write_figure(drawn.figure, target)}
    return Answer(report, figure_text, 0 if drawn is None else drawn.exit)


def _drawn(
    settings: Settings,
    what: str,
    file: str,
    data: str | None,
    kind: str | None,
    origin: bool,
    time_limit: float,
    still: bool,
    animate: str | None,
) -> tuple[Drawn | None, Drawn | None]:
    """The figure, and the animation, of what they were asked for."""
    if what == "proof":
        return figure_of_proof(settings, file, data, kind), None
    if what != "data":
        return figure_of_model(settings, file, what, data, kind), None
    sheet = settings.sheet(file)
    if animate is not None and sheet.rows.d > 2:
        raise InputError(f"{sheet.name}: {sheet.rows.d} columns; --animate draws runs on one or two")
    learning = functools.cache(lambda: learnt(settings, sheet, origin))
    drawn = figure_of_data(settings, sheet, kind or "separation", origin, time_limit, learning) if still else None
    moved = None if animate is None else animation_of_data(animate, learning)
    return drawn, moved


def _target(file: str) -> str:
    if file == "-":
        raise InputError("standard input has no name for the figure: say -o FILE.png")
    return os.path.basename(file.removeprefix(PREFIX).rstrip("/")) + ".png"
