"""`rosenblatt verify`: does a proof hold for these data?"""

from dataclasses import replace
from typing import Any

import click

from ..errors import InputError
from .framework import (
    Answer,
    Settings,
    cluster_options,
    command,
    data_argument,
    positive_option,
    reading_options,
    stream_options,
)
from .named import is_example
from .outputs import FILE


@command
@click.argument("proof", metavar="PROOF", type=FILE)
@data_argument
@click.option("--slow-reader", is_flag=True, help="Read the text in Python: none of our compiled code is used.")
@positive_option
@stream_options
@cluster_options
@reading_options
def verify(settings: Settings, proof: str, data: str, slow_reader: bool) -> Answer:
    """Does PROOF hold for DATA? The exact checker, alone.

    Every claim is worked out anew from the rows, in exact arithmetic. The data are read as the proof says they were,
    unless options say otherwise; nothing rests on that, for a proof is bound to the numbers and labels themselves.

    With --stream, and with --slow-reader where it is svmlight text, data may be larger than memory.

    Exit code: 0 it holds, 1 it does not, 2 something cannot be read, 130 or 143 interrupted: then nothing is known.
    """
    from ..proof.proof import Proof
    from ..proof.verify import verify as verified
    from ..report.proof import check_text
    from .proof_data import ProofData
    from .proofs import as_read
    from .searching import Onlooker, watching

    claimed = Proof.read(proof)
    as_proved = as_read(settings, claimed, data)
    if is_example(data) and slow_reader:
        raise InputError(f"{data}: an example is not read from a file; expected one, or no --slow-reader")
    if settings.stream and slow_reader:
        raise InputError("--stream is for the fast reader; --slow-reader goes through svmlight text as it is")
    given = ProofData.of(data, as_proved, claimed, slow_reader)
    try:
        with watching(settings.shows_progress, Onlooker("checking the proof")) as onlooker:
            check = verified(claimed, *given.rows, progress=onlooker)
    except KeyboardInterrupt as signal:
        raise type(signal)("before all of the proof was checked: whether it holds is not known") from None
    report: dict[str, Any] = {
        "check": check.to_dict(),
        "proof": {"name": proof, **claimed.to_dict()},
        "data": given.report(as_proved),
        "reader": "slow" if slow_reader else "fast",
        "streamed": given.streamed,
        "next": [],
    }
    if not check and not slow_reader:
        report["next"] = _next(replace(as_proved, positive=given.asked), proof, data, claimed.through_origin)
    return Answer(report, check_text, 0 if check else 1)


def _next(settings: Settings, proof: str, data: str, origin: bool) -> list[dict[str, Any]]:
    return [
        {"why": "See what the proof says of its data", "command": Settings().again("show", proof)},
        {"why": "Ask about these data anew", "command": settings.again("check", data, origin=origin)},
    ]
