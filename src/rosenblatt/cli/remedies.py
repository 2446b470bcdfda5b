"""Remedies: what a status advises, as commands that can be typed as they are printed."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .class_weights import BALANCED
from .settings import Settings
from .shared_options import repeated

if TYPE_CHECKING:
    from ..runs.status import Status

_MORE = 10  # times as much: less is seldom enough
_UNEVEN = 0.6  # the share of the most common class from which on others may be overlooked for it
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


def no_better_than_guess(report: Mapping[str, Any], weighed: bool) -> bool:
    """Whether always giving one answer does as well, by all that is known of a trained model.

    Classes that were `weighed` are to be found alike, at a cost in accuracy: there the mean recall is asked about.
    """
    known = report["evaluation"]
    if known is None or known["disjoint"]:
        return report["predicted_wrong"]["beats_most_common"] is False
    poor = known["beside_baseline"] != "better" or report["predicted_wrong"]["beats_most_common"] is False
    return poor and not (weighed and _recalls_beyond_chance(known))


def _recalls_beyond_chance(known: Mapping[str, Any]) -> bool:
    """Whether the mean recall is above that of one answer, 1/K, by two standard errors."""
    found = [(one["recall"], one["rows"]) for one in known["classes"] if one["rows"]]
    error = math.sqrt(sum(recall * (1 - recall) / rows for recall, rows in found)) / len(found)
    return len(found) > 1 and bool(known["balanced_accuracy"] - 2 * error > 1 / len(found))


def of_a_guess(report: Mapping[str, Any], weighed: bool, steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What to do about a model that is no better than a guess; `steps` may make it better in any case."""
    common = 1 - report["predicted_wrong"]["most_common"] / report["data"]["rows"]
    if common > _UNEVEN and not weighed:
        rarer = "class" if len(report["data"]["classes"]["listed"]) == 2 else "classes"
        why = f"Find the rarer {rarer} more often, at the cost of the common one"
        return [{"why": why, "command": repeated(class_weight=BALANCED, resume=None)}, *steps]
    return steps or [{"why": "These columns tell a line little: try others, or more rows", "command": None}]


def of_time(seconds: float | None, interrupted: bool = False) -> list[dict[str, Any]]:
    """The same question with more time; after Ctrl-C the same question."""
    if interrupted:
        return [{"why": "Run it again, and let it go on for longer", "command": repeated()}]
    command = None if seconds is None else repeated(time_limit=f"{_MORE * seconds:g}")
    return [{"why": "Give it more time", "command": command}]
