"""`rosenblatt predict`: labels for the rows of a file; how many are right where it has its own."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from .framework import Answer, Settings, command, data_argument, reading_options, say
from .kinds import existing_model
from .outputs import FILE, OutputOption

if TYPE_CHECKING:
    from ..models.model import Model
    from ..models.predictions import Predictions


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
    """
    if scores and margins:
        raise InputError("--scores and --margins are two different columns: expected one of them")
    what = "scores" if scores else "margins" if margins else None
    from ..files.matching import matched
    from ..files.reading import Reading
    from ..models.predictions import Predictions, learnt_from
    from ..report.predictions import predictions_text, summary_text

    found = existing_model(model)
    reading = found.reading or Reading()
    sheet = settings.sheet_for(found, data, labels="wanted")
    if sheet.format in ("npy", "npz") and settings.reading.label is None and sheet.rows.d + 1 == found.n_features_in_:
        # Columns without names: that of the labels is known by its place alone, and here it is not there.
        unlabelled = replace(found, reading=replace(reading, label=None))
        sheet = settings.sheet_for(unlabelled, data, labels="wanted")
    rows, notes = matched(sheet, found.feature_names, found.n_features_in_, reading)
    made = Predictions.of(found, rows, sheet.labels, notes, settings.threads)
    labels, beside = made.predicted, _beside(made, rows, what, settings.threads)
    by = "training" if learnt_from(found, rows, sheet.labels) else "labelled"
    report = {"data": sheet.to_dict(), "model": model, **made.to_dict(by)}
    for text in report["notes"]:
        settings.note(f"note: {text}")
    table = list(_lines(found, labels, beside, what))
    if output is not None:
        from ..atomic import write_output

        write_output(output, "".join(f"{line}\n" for line in table).encode())
        return Answer({**report, "output": output, "predictions": None}, summary_text)
    if settings.json:
        return Answer({**report, "output": None, "predictions": _listed(found, labels, beside, what)}, predictions_text)
    summary: tuple[str, ...] = ()
    if not settings.quiet and report["labelled"] is not None:
        summary = tuple(summary_text({**report, "output": None}))
    if not (sys.stdout is not None and sys.stdout.isatty()):
        for line in summary:
            say(line)
        summary = ()  # on a terminal it stays in sight below thousands of predictions
    return Answer({"lines": table}, lambda result: result["lines"], headline=False, exact=True, below=summary)


def _beside(made: "Predictions", rows: Any, what: str | None, threads: int | None) -> Any:
    """Scores or margins, if they were asked for."""
    if what is None:
        return None
    return (made.scores if what == "scores" else made.model.geometric_margin(rows, threads)) + 0.0  # and no −0.0


def _lines(model: "Model", labels: Any, scores: Any, what: str | None) -> Iterator[str]:
    """A label to a line; with scores a table, tabs between, under a heading."""
    words = [str(label).replace("\t", " ").replace("\n", " ") for label in labels.tolist()]
    if scores is None:
        yield from words
        return
    one = scores.ndim == 1
    yield "\t".join(["label", *([str(what)[:-1]] if one else [str(label) for label in model.classes.tolist()])])
    for word, row in zip(words, scores.tolist(), strict=True):
        yield f"{word}\t{row!r}" if one else "\t".join([word, *map(repr, row)])


def _listed(model: "Model", labels: Any, scores: Any, what: str | None) -> list[Mapping[str, Any]] | list[Any]:
    if scores is None:
        return list(labels.tolist())
    name = str(what)
    return [{"label": label, name: row} for label, row in zip(labels.tolist(), scores.tolist(), strict=True)]
