"""`rosenblatt convert`: data to another format, or a model to another form."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..errors import InputError, plural
from ..files.reading import FORMATS
from .framework import Answer, Settings, command, reading_options
from .kinds import MODELS, kind_of, model_in
from .outputs import FILE, check_outputs

WRITTEN = tuple(name for name in FORMATS if name not in ("arff", "idx"))
"""The formats of data that are written."""


@command
@click.argument("source", metavar="IN", type=FILE)
@click.argument("target", metavar="OUT", type=FILE)
@click.option(
    "--to",
    metavar="FORMAT",
    type=click.Choice([*WRITTEN, *MODELS]),
    help=f"The format of OUT: {', '.join(WRITTEN)}; of a model {', '.join(MODELS)}. Default: as its name ends.",
)
@reading_options
def convert(settings: Settings, source: str, target: str, to: str | None) -> Answer:
    """Write data in another format, or a model in another form.

    A model becomes ours (.model), JSON (.json), or LIBLINEAR's (.liblinear). OUT is replaced if it is there, wholly
    or not at all.
    """
    check_outputs([target], [source])
    kind = kind_of(source)
    if kind == "proof":
        raise InputError(f"{source}: a proof, which has one form only; expected data or a model")
    if kind == "data":
        return _data(settings, source, target, to)
    return _model(source, target, kind, to)


def _model(source: str, target: str, kind: str, to: str | None) -> Answer:
    form = to or next((name for name in MODELS if target.endswith(f".{name}")), None)
    if form not in MODELS:
        raise InputError(f"{target}: expected the form of a model: --to {', '.join(MODELS)}, or a name that ends so")
    model = model_in(source, kind)
    if form == "model":
        model.save(target)
    elif form == "liblinear":
        model.to_liblinear(target)
    else:
        from ..atomic import replace_file

        replace_file(target, model.to_json().encode())
    notes = ["LIBLINEAR's form holds classes and weights, and nothing else"] if form == "liblinear" != kind else []
    size = {"columns": int(model.weights.shape[0]), "classes": int(model.classes.size)}
    return _answer("model", source, kind, target, form, size, notes)


def _data(settings: Settings, source: str, target: str, to: str | None) -> Answer:
    from ..files.formats import format_named
    from ..files.write import write

    form = to or format_named(target)
    if form == "arff":
        raise InputError(f"{target}: ARFF is read, and not written; expected one of {', '.join(WRITTEN)}")
    if form not in WRITTEN:
        raise InputError(f"{target}: expected a format of data: --to {', '.join(WRITTEN)}, or a name that ends so")
    sheet = settings.sheet(source, labels="wanted")
    base = sheet.reading.base
    notes = write(sheet, target, form, base=1 if base is None else base)
    size = {"rows": int(sheet.rows.n), "columns": int(sheet.rows.d)}
    return _answer("data", sheet.name, sheet.format, target, form, size, notes)


def _answer(
    what: str, source: str, kind: str, target: str, form: str, size: dict[str, int], notes: Sequence[str]
) -> Answer:
    to = {"file": target, "format": form, "bytes": os.path.getsize(target)}
    return Answer({"is": what, "from": {"file": source, "format": kind}, "to": to, **size, "notes": list(notes)}, _text)


def _text(report: Mapping[str, Any]) -> list[str]:
    from ..report.text import paragraph

    if report["is"] == "data":
        size = f"{plural(report['rows'], 'row')} × {plural(report['columns'], 'column')}"
    else:
        size = f"a model of {report['columns']} features and {report['classes']} classes"
    to = report["to"]
    lines = paragraph(f"Wrote {to['file']} ({to['format']}, {to['bytes']} bytes): {size}.")
    for note in report["notes"]:
        lines += paragraph(f"Note: {note}.")
    return lines
