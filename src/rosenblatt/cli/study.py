"""`rosenblatt study`: everything about a data set, in a folder."""

import itertools
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..choices import ORDERS
from ..errors import InputError
from ..files.reading import Reading
from ..report.words import in_words_of
from .framework import Answer, Settings, command, positive_option, reading_options, time_limit_option
from .named import as_meant, examples_in, is_example, plan_of_example
from .outputs import FILE
from .shared_options import number_or, typed

if TYPE_CHECKING:
    from ..data.examples import Examples
    from ..files.sheet import Sheet

DEFAULT = "example:breast-cancer"
PLANNED = {"epochs": "max_epochs"}
"""What an option is called in `learn`."""


@command
@click.argument("data", metavar="[DATA]", type=FILE, default=DEFAULT)
@click.option("-o", "--folder", metavar="FOLDER", type=FILE, help="To write into. Default: DATA's name and -study.")
@click.option("--origin", is_flag=True, help="Ask for hyperplanes through the origin only.")
@click.option(
    "--offset", metavar="RHO|radius", callback=number_or("radius"), default="1", show_default=True,
    help="The constant appended to every row for learning; 0: through the origin.",
)  # fmt: skip
@click.option("--order", type=click.Choice(ORDERS), default="shuffled", show_default=True, help="Of rows in an epoch.")
@click.option("--seed", metavar="N", type=int, default=0, show_default=True, help="Of the shuffled order.")
@click.option("--epochs", metavar="N", type=int, help="At most so many. Default: about a million rows met in all.")
@click.option(
    "--tol", metavar="T|never|auto", callback=number_or("never", "auto"), default="auto", show_default=True,
    help="End when the average has not got better by more for five epochs; auto: 0.001, or never if the rows are"
    " separable.",
)  # fmt: skip
@time_limit_option(20.0)
@positive_option
@reading_options
def study(settings: Settings, data: str, folder: str | None, origin: bool, time_limit: float, **plan: Any) -> Answer:
    """Everything about a data set: verdict, margin, run, report.

    Settles whether a hyperplane separates the classes, chooses the best linear model by rows held out, finds the
    largest margin or the fewest mistakes, learns, holds the run against the convergence theorem, and examines the
    logistic regression. Writes report.html, report.json, proof.json, the models and the figures into FOLDER. Without
    DATA it studies breast cancer, which is built in.

    Of more than two classes each is asked about against the rest; --positive says which one to go into.

    Exit code: 0 the study is written, whatever it says.
    """
    from ..report.study import study_text
    from ..studies.folder import check_folder, write_study
    from ..studies.study import study as studied
    from .progress import working_line

    again = settings.again("study", data, folder=folder, origin=origin, **{name: plan[name] for name in typed(plan)})
    if folder == "-":
        raise InputError("-: standard output is no place for a folder; expected the name of one")
    target = folder if folder is not None else _free_folder(f"{_stem(data)}-study", again)
    check_folder(target)
    sheet = settings.sheet(data)
    examples, positive = _examples(settings, sheet)
    plan = _planned(settings, data, plan)
    with working_line(settings.shows_progress) as tell:
        try:
            found = studied(
                examples, positive=positive, name=_stem(data), through_origin=origin, time_limit=time_limit,
                threads=settings.threads, progress=tell, coding=settings.reading.coding, **_in_words_of_learn(plan),
            )  # fmt: skip
        except InputError as error:
            raise in_words_of("command", error) from None
        report = write_study(found, target, sheet=sheet, command=again, data=data, tell=tell, face="command")
    report["next"] = _next(settings, data, report)
    return Answer(report, study_text)


def _stem(data: str) -> str:
    """The name of the data without folder and ending."""
    if data == "-":
        return "data"
    return os.path.basename(data.rstrip("/")).removeprefix("example:").split(".")[0] or "data"


def _free_folder(name: str, command: list[str]) -> str:
    """The first of name, name-2, … that is free or holds what the same command wrote: no other study is lost."""
    from ..studies.folder import earlier

    for number in itertools.count(1):
        path = Path(name if number == 1 else f"{name}-{number}")
        before = earlier(path) if path.is_dir() else None
        if not path.exists() or (before is not None and before.get("how", {}).get("command") == command):
            break
    return str(path)


def _examples(settings: Settings, sheet: "Sheet") -> "tuple[Examples, Any]":
    """All rows and labels, and the class that is asked about, if one was named."""
    from ..data.examples import check_room
    from .sides import names_of, sides

    check_room(sheet.rows.d, 1, sheet.name)
    examples = replace(examples_in(sheet), feature_names=names_of(sheet))
    if settings.positive is None:
        return examples, None
    return examples, sides(sheet.labels, settings.positive, sheet.name).positive


def _planned(settings: Settings, data: str, plan: dict[str, Any]) -> dict[str, Any]:
    """How to learn: an example as it is meant, but for what was typed."""
    if not is_example(data):
        return plan
    own = {name: value for name, value in plan_of_example(data).items() if name not in typed(plan)}
    if note := as_meant(own):
        settings.note(f"note: {note}")
    return {**plan, **own}


def _in_words_of_learn(plan: dict[str, Any]) -> dict[str, Any]:
    """What was asked, as `study` takes it; what was left open, left out."""
    named = {PLANNED.get(name, name): value for name, value in plan.items() if value not in (None, "auto")}
    return {**named, "tol": None} if named.get("tol") == "never" else named


def _next(settings: Settings, data: str, report: dict[str, Any]) -> list[dict[str, Any]]:
    page = next(one["file"] for one in report["files"] if one["what"] == "report")
    steps: list[dict[str, Any]] = [{"why": f"Open {page} in a browser", "command": None}]
    best = next((one["file"] for one in report["files"] if one["what"] == "best model"), None)
    if best is not None:
        alike = Settings(reading=Reading(format=settings.reading.format))  # the model knows all else
        why = "Predict with the best linear model the rows of a file; those of this one, for example"
        steps.append({"why": why, "command": alike.again("predict", best, data)})
    if report["clinic"] and report["verdict"]["kind"] == "quasi-separable":
        steps.append({"why": "What a logistic regression can still say", "command": settings.again("clinic", data)})
    if report["training"]["status"] == "budget" and _may_end(report):
        longer = settings.again("study", data, epochs=10 * report["training"]["epochs"])
        steps.append({"why": "Learn for longer", "command": longer})
    if report["proof"]:
        from .proofs import verify_step

        proof = next(one["file"] for one in report["files"] if one["what"] == "proof")
        steps.append(verify_step(settings, proof, data))
    return steps


def _may_end(report: dict[str, Any]) -> bool:
    """Whether ten times as many epochs may be enough, as far as the theorem says."""
    most = (report["augmented"] or {}).get("most_updates")
    return most is None or most <= 100 * max(1, report["training"]["updates"])
