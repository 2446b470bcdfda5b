"""Remedies: what a status advises, as commands that can be typed as they are printed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .settings import Settings
from .shared_options import repeated

if TYPE_CHECKING:
    from ..runs.status import Status

_MORE = 10  # times as much: less is seldom enough
_GO_ON = ("more-epochs", "still-gaining", "one-epoch")


def of_a_run(
    settings: Settings, data: str, target: str, end: "Status", asked: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What may make a trained model better, by the advice it ended with: the most promising first."""
    advised, steps = {step.key for step in end.steps}, []
    if "scale" in advised:
        steps.append({"why": "Scale the columns first", "command": repeated(scale="standard")})
    if advised & {"another-readout", "average"}:
        steps.append({"why": "Predict by the average of all weights", "command": repeated(readout="averaged")})
    if advised.intersection(_GO_ON):
        longer = settings.again("train", data, resume=target, epochs=_MORE * asked["epochs"], model=target)
        steps.append({"why": "Go on from where it is", "command": longer})
    if "larger-patience" in advised:
        longer = settings.again("train", data, resume=target, patience=_MORE * asked["patience"], model=target)
        steps.append({"why": "Go on with more patience", "command": longer})
    return steps


def of_time(seconds: float | None) -> list[dict[str, Any]]:
    """The same question with more time."""
    command = None if seconds is None else repeated(time_limit=f"{_MORE * seconds:g}")
    return [{"why": "Give it more time", "command": command}]
