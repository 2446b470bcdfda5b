"""`rosenblatt show`: what a file is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import click

from .framework import Answer, Settings, command, reading_options
from .kinds import kind_of, model_in
from .outputs import FILE
from .questions import with_commands_words

_MOST_NAMES = 1000


@command
@click.argument("file", metavar="FILE", type=FILE)
@click.option(
    "-n",
    "--most",
    metavar="N",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Weights to list; of a vote, weight vectors.",
)
@reading_options
def show(settings: Settings, file: str, most: int) -> Answer:
    """What a model, a proof or a data file is.

    Of a model: how it was learnt and how that ended, and its largest weights by name. Of a proof: what it claims. Of
    data: rows, columns, classes. What kind of file it is, is told by its content.
    """
    kind = kind_of(file)
    if kind == "proof":
        return _proof(file)
    if kind == "data":
        return _data(settings, file)
    return _model(file, kind, most)


def _model(file: str, kind: str, most: int) -> Answer:
    from ..report.model import model_text

    found = model_in(file, kind)
    known = with_commands_words(found.to_dict(most, 1 if kind == "liblinear" else None), found.status)
    report = {"is": "model", "name": file, "form": kind, **known}
    report["next"] = [{"why": "Predict with it", "command": Settings().again("predict", file, "DATA")}]
    return Answer(report, model_text)


def _proof(file: str) -> Answer:
    from ..proof.proof import Proof
    from ..report.proof import proof_text

    report = {"is": "proof", "name": file, **Proof.read(file).to_dict()}
    report["next"] = [{"why": "Check it", "command": Settings().again("verify", file, "DATA")}]
    return Answer(report, proof_text)


def _data(settings: Settings, file: str) -> Answer:
    import numpy as np

    from ..report.data import data_text

    sheet = replace(settings, quiet=True).sheet(file, labels="wanted")  # its notes are in the report
    values = sheet.rows.arrays[0]
    names = sheet.feature_names
    report = {
        "is": "data",
        **sheet.to_dict(),
        "nonzeros": int(np.count_nonzero(values)),
        "names": None if names is None else list(names[:_MOST_NAMES]),
    }
    text: Callable[[Mapping[str, Any]], Iterable[str]] = data_text
    return Answer(report, text)
