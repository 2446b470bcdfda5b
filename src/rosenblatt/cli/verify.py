"""`rosenblatt verify`: does a proof hold for these data?"""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from .framework import Answer, Settings, command, data_argument, positive_option, reading_options
from .named import is_example
from .outputs import FILE

if TYPE_CHECKING:
    from .sides import Sides


@command
@click.argument("proof", metavar="PROOF", type=FILE)
@data_argument
@click.option("--slow-reader", is_flag=True, help="Read the text in Python: none of our compiled code is used.")
@positive_option
@reading_options
def verify(settings: Settings, proof: str, data: str, slow_reader: bool) -> Answer:
    """Does PROOF hold for DATA? The exact checker, alone.

    Every claim is worked out anew from the rows, in exact arithmetic. The data are read as the proof says they were,
    unless options say otherwise; nothing rests on that, for a proof is bound to the numbers and labels themselves.

    With --slow-reader a file of svmlight text is gone through line by line, whatever its size.

    Exit code: 0 it holds, 1 it does not, 2 something cannot be read, 130 or 143 interrupted: then nothing is known.
    """
    from ..proof.proof import Proof
    from ..proof.verify import verify as verified
    from ..report.proof import check_text
    from .proofs import as_read, positive_of
    from .searching import Onlooker, watching
    from .sides import sides

    claimed = Proof.read(proof)
    as_proved = as_read(settings, claimed, data)
    if is_example(data) and slow_reader:
        raise InputError(f"{data}: an example is not read from a file; expected one, or no --slow-reader")
    sheet: Any = _slow(data, as_proved) if slow_reader else as_proved.sheet(data, replayed=True)
    asked = settings.positive or positive_of(claimed, sheet.labels)
    found = sides(sheet.labels, asked, sheet.name)
    if streamed := hasattr(sheet, "blocks"):
        found = replace(found, classes=dict(zip(found.classes, sheet.counts.values(), strict=True)))
        rows: tuple[Any, ...] = (partial(sheet.blocks, found.positive),)
        shape, sparse = (sheet.n, sheet.d), True
    else:
        matrix = sheet.matrix() if slow_reader else _matrix(sheet)
        rows, shape, sparse = (matrix, found.signs), matrix.shape, hasattr(matrix, "indptr")
    try:
        with watching(settings.shows_progress, Onlooker("checking the proof")) as onlooker:
            check = verified(claimed, *rows, progress=onlooker)
    except KeyboardInterrupt as signal:
        raise type(signal)("before all of the proof was checked: whether it holds is not known") from None
    report: dict[str, Any] = {
        "check": check.to_dict(),
        "proof": {"name": proof, **claimed.to_dict()},
        "data": _data(sheet, shape, sparse, found, as_proved),
        "reader": "slow" if slow_reader else "fast",
        "streamed": streamed,
        "next": [],
    }
    if not check and not slow_reader:
        report["next"] = _next(replace(as_proved, positive=asked), proof, data, claimed.through_origin)
    return Answer(report, check_text, 0 if check else 1)


def _slow(data: str, settings: Settings) -> Any:
    """What the slow reader makes of a file: svmlight text in blocks, if it can be opened again, else a sheet."""
    from ..files.formats import format_of
    from ..files.opening import InputFile
    from ..files.options import Options
    from ..files.slow.blocks import SlowBlocks
    from ..files.slow.text import slow_sheet

    with settings.reading_bar() as progress, InputFile(data, progress) as opened:
        reading = replace(settings.reading, format=settings.reading.format or format_of(opened))
        options = Options(reading, replayed=True)
        if reading.format != "svmlight" or opened.size is None or opened.path is None:
            return slow_sheet(opened, options)
    with settings.reading_bar() as progress:
        return replace(SlowBlocks.of(lambda: InputFile(data, progress), options), opened=lambda: InputFile(data))


def _matrix(sheet: Any) -> Any:
    from ..data.rows import matrix_of

    return matrix_of(sheet.rows)


def _data(sheet: Any, shape: tuple[int, int], sparse: bool, found: "Sides", settings: Settings) -> dict[str, Any]:
    """What the data are; of the slow reader's sheet, which does not say so itself, too."""
    from ..report.data import data_report

    rows, columns = shape
    return data_report(
        int(rows),
        int(columns),
        sparse,
        found.classes,
        found.positive,
        name=sheet.name,
        format=sheet.format,
        reading=getattr(sheet, "reading", settings.reading).to_dict(),
        notes=getattr(sheet, "notes", ()),
    )


def _next(settings: Settings, proof: str, data: str, origin: bool) -> list[dict[str, Any]]:
    return [
        {"why": "See what the proof says of its data", "command": Settings().again("show", proof)},
        {"why": "Ask about these data anew", "command": settings.again("check", data, origin=origin)},
    ]
