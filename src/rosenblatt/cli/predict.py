"""`rosenblatt predict`: labels for the rows of a file; how many are right where it has its own.

Rows are read in parts, predicted and written as they come: memory does not grow with the file.
"""

import sys
from contextlib import closing, nullcontext
from typing import Any

import click

from ..errors import InputError
from .answers import write
from .framework import Answer, Settings, command, data_argument, reading_options, say
from .kinds import existing_model
from .outputs import FILE, OutputOption

MOST_LISTED = 10_000_000
"""Rows whose predictions are listed in one line of JSON."""


@command
@click.argument("model", metavar="MODEL", type=FILE)
@data_argument
@click.option("-o", "--output", cls=OutputOption, help="Write predictions there, not to standard output.")
@click.option("--scores", is_flag=True, help="Scores beside the label: of two classes, that of the second one sorted.")
@click.option("--margins", is_flag=True, help="The distance to each hyperplane beside the label.")
@reading_options
def predict(settings: Settings, model: str, data: str, output: str | None, scores: bool, margins: bool) -> Answer:
    """Predict labels, a line each.

    DATA is read as the model's own data were. Columns that have names are found by their names, in whatever order.
    Where DATA has labels, it says how many are right, beside always answering the most common class, and what was taken
    for what (on standard error, unless predictions go to a file).

    Rows are predicted and written as they are read, so that a file of any size takes no more than 256 MB of memory
    beside the model. A file that predictions go to is there when they are complete, and not before.
    """
    if scores and margins:
        raise InputError("--scores and --margins are two different columns: expected one of them")
    from ..atomic import output as output_to
    from ..report.predictions import predictions_text, summary_text
    from .predicting import Predicting
    from .prediction_table import PredictionTable

    found = existing_model(model)
    table = PredictionTable(found, "scores" if scores else "margins" if margins else None)
    predicting = Predicting(settings, found, data, in_sight=output is None and not settings.json and _on_terminal())
    listed: list[Any] = []
    with nullcontext() if output is None else output_to(output) as draft, closing(predicting.blocks()) as blocks:
        for block in blocks:
            if draft is not None:
                draft.write("".join(f"{line}\n" for line in table.lines(block)).encode())
            elif not settings.json:
                write("\n".join(table.lines(block)), exactly=True)
            elif predicting.predictions.rows > MOST_LISTED:
                raise InputError(f"{data}: more than {MOST_LISTED} rows for a line of JSON; expected -o FILE with it")
            else:
                listed += table.listed(block)
    report = {"data": None, "model": model, **predicting.to_dict(), "output": output}
    for text in report["notes"]:
        settings.note(f"note: {text}")
    if output is not None:
        return Answer({**report, "predictions": None}, summary_text)
    if settings.json:
        return Answer({**report, "predictions": listed}, predictions_text)
    summary: tuple[str, ...] = ()
    if not settings.quiet and report["labelled"] is not None:
        summary = tuple(summary_text(report))
    if not _on_terminal():
        for line in summary:
            say(line)
        summary = ()  # on a terminal it stays in sight below thousands of predictions
    return Answer({}, lambda _: (), headline=False, below=summary)


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
