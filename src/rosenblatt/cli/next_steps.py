"""What to do after `rosenblatt train`: go on, predict, look more closely."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..files.reading import Reading
from .remedies import no_better_than_guess, of_a_guess, of_a_run
from .settings import Settings

if TYPE_CHECKING:
    from ..models.model import Model
    from ..runs.run import Run


def resumption(settings: Settings, data: str, **own: Any) -> dict[str, Any]:
    """How to go on. The checkpoint has all options but those of reading and its `own`."""
    return {"why": "Go on, with the options it had", "command": settings.again("train", data, **own)}


def next_steps(
    settings: Settings,
    data: str,
    target: str,
    made: "Model",
    run: "Run",
    asked: Mapping[str, Any],
    report: Mapping[str, Any],
    weighed: bool,
    test: str | None,
) -> list[dict[str, Any]]:
    """What to do with the model; `weighed`: whether classes had weights; `test`: the file it was judged by."""
    wrong = report["predicted_wrong"]
    steps = [] if run.source.gone else of_a_run(settings, data, target, made.status, asked)  # no run goes on from them
    at = 1 if any("--scale" in step["command"] for step in steps) else 0
    if poor := no_better_than_guess(report, weighed):
        steps = of_a_guess(report, weighed, steps)
        at = len(steps)
    if not poor or wrong["beats_most_common"] is not False:
        why = f"Predict the rows of a file; those {'of this one' if test is None else 'it was judged by'}, for example"
        alike = Settings(reading=Reading(format=settings.reading.format))  # the model knows all else
        steps.insert(at, {"why": why, "command": alike.again("predict", target, test or data)})
    separated = run.status.name == "clean" or (run.status.name == "chosen" and wrong["training"] == 0)
    if not separated and run.source.n_outputs == 1:
        check = settings.again("check", data, origin=asked["offset"] == 0)
        steps.append({"why": "Whether any hyperplane separates the rows", "command": check})
    return steps
