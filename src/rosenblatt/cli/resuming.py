"""`train --checkpoint-every` and `--resume`: from which file a run goes on, and with which options."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, plural
from ..report.words import PARAMETERS
from .answers import Answer
from .choosing import AUTO, chosen_then
from .kinds import existing_model
from .outputs import FILE
from .settings import Settings
from .shared_options import number_or, typed

if TYPE_CHECKING:
    from ..models.checkpoint import Checkpoints
    from ..models.model import Model

NEWEST = "auto"
_KEPT = ("rule", "readout", "max_epochs", "tol", "patience", "order", "seed", "eta", "schedule", "offset", "batch_size",
         "beta", "C", "multiclass", "scale")  # fmt: skip
ESTIMATORS = {PARAMETERS[name][1].replace("-", "_"): PARAMETERS[name][0] for name in _KEPT}
"""What an option is called in the estimator, whose parameters a model has."""


def checkpoint_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--resume and --checkpoint-every; they arrive as `resume` and `checkpoint_every`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def _interval(ctx: click.Context, param: click.Parameter, value: Any) -> float | None:
    seconds = number_or("never")(ctx, param, value)
    if seconds in ("never", 0):
        return None
    if not 0 < seconds < float("inf"):
        raise click.BadParameter(f"{value!r} is no time; expected seconds above 0, or 'never'", ctx, param)
    return float(seconds)


_OPTIONS = (
    click.option(
        "--resume", metavar="FILE|auto", type=FILE,
        help="Go on from this model or checkpoint, on the same data; auto: from the newest sound checkpoint of MODEL,"
        " or from the beginning where there is none.",
    ),
    click.option(
        "--checkpoint-every", metavar="SECONDS|never", callback=_interval, default="600", show_default=True,
        help="Keep what was learnt so far in MODEL.checkpoint so often, and at the ends of epochs.",
    ),
)  # fmt: skip


log_option = click.option(
    "--log-limit", metavar="MB", type=click.IntRange(min=1), default=1000, show_default="1000; with --stream 64",
    help="Of the log that --readout voted and --trace keep, 40 bytes an update: the run ends there.",
)  # fmt: skip


def file_to_resume(resume: str | None, target: str, settings: Settings) -> str | None:
    """The file to go on from; of `auto` the newest sound checkpoint of the model, and what was found is said."""
    if resume != NEWEST:
        return resume
    from ..models.checkpoint import newest_checkpoint

    path = checkpoint_of(target)
    found = newest_checkpoint(path)
    for wrong in found.damaged:
        settings.note(f"note: {wrong}")
    if found.path is None:
        settings.note(f"note: no {'sound ' * bool(found.damaged)}checkpoint {path}: from the beginning")
    else:
        settings.note(f"note: going on from {found.path}")
    return found.path


def checkpoint_of(target: str) -> str:
    """Where the checkpoints of a model are."""
    return f"{target}.checkpoint"


def checkpoint_files(target: str) -> list[str]:
    """The files that checkpoints of a model are written to."""
    return [checkpoint_of(target), f"{checkpoint_of(target)}.1"]


def model_to_resume(path: str) -> "Model":
    """The model in a file, if a run can go on from it."""
    found = existing_model(path)
    votes = found.vote is not None or (found.parameters.get("readout") == "voted" and found.log is None)
    if found.state is None or votes:
        why = "votes are made of all rows met" if votes else "it has weights, but no state"
        raise InputError(f"{path}: nothing to go on from ({why}); expected a checkpoint of rosenblatt train")
    return found


def resumed(path: str, asked: dict[str, Any], repeatable: bool) -> tuple["Model", dict[str, Any]]:
    """The model to go on from, and what was asked then, but for what is asked now.

    `repeatable`: the command may be the very one that the checkpoint is of, which said how to begin.
    """
    found = model_to_resume(path)
    then = {name: found.parameters.get(word) for name, word in ESTIMATORS.items() if word in found.parameters}
    if "tol" in then and then["tol"] is None:
        then["tol"] = "never"
    then |= {"step_tol": found.provenance.get("step_tol"), **chosen_then(found)}
    now = typed(asked)
    if repeatable and asked["start"] == found.provenance.get("start", "zero"):
        now -= {"start"}
    if repeatable and asked["rule"] == AUTO and found.choice is not None:
        now -= {"rule"}
    if "start" in now:
        raise InputError("--resume goes on from where the run is, and --start begins anew: expected one of them")
    return found, {**asked, **{name: value for name, value in then.items() if name not in now}}


def left_out_row_numbers(model: "Model") -> bool:
    """Whether a column that only counts rows was left out of the model's data: it will be again."""
    from ..files.tables.row_numbers import ROW_NAMES

    return model.reading is not None and any(name.lower() in ROW_NAMES for name in model.reading.leave_out)


def checkpoints_report(checkpoints: "Checkpoints", settings: Settings) -> dict[str, Any]:
    """How many were written while it learnt, and what that took; under -v it is said, too."""
    if checkpoints.count:
        settings.detail(f"{plural(checkpoints.count, 'checkpoint')} took {checkpoints.seconds:.2f} s")
    return {"count": checkpoints.count, "seconds": checkpoints.seconds, "failed": checkpoints.failures}
