"""Advice that only the rows can give: how many the model gets wrong, and whether their columns should be scaled."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ..data.sizes import FAR_APART, OFF_CENTRE, sizes
from ..errors import LostClusterError
from .status import Advice, Status

if TYPE_CHECKING:
    from .run import Run

_MAY_SCALE = ("plateau", "budget", "loop", "step", "validation")
"""Ends after which other columns may do better. `rest` is near least squares, which scaling leaves where it is."""


def with_wrong(end: Status, wrong: int | None, run: "Run") -> Status:
    """What the model gets wrong on the rows it learnt from, in place of what was met on the way, and what may help.

    `wrong`: None of a vote, which takes long to count: then what was met on the way stays.

    Columns are looked at only where a mistake is left. Whether any need be wrong is a question about two classes; with
    more outputs it is not asked. Without a mistake there is nothing that more epochs could gain.
    """
    if wrong == 0:
        end = _replaced(end, ("still-gaining", "one-epoch"), [Advice("more-epochs")])
    if wrong is not None:
        end = _replaced(
            end, ("mistakes-left",), [Advice("predicted-wrong", {"wrong": wrong, "rows": run.source.n_rows})]
        )
    left = any(step.values.get("mistakes") for step in end.steps) if wrong is None else wrong > 0
    if not left or end.name not in _MAY_SCALE or end.key.endswith(".overshooting"):
        return end
    helps = _scaling(run)
    if not helps and end.name == "plateau" and run.source.n_outputs == 1:
        helps = [Advice("check")]
    place = 1 if end.steps and end.steps[0].key in ("predicted-wrong", "mistakes-left") else 0
    return replace(end, steps=(*end.steps[:place], *helps, *end.steps[place:]))


def _scaling(run: "Run") -> list[Advice]:
    """What is wrong with the columns' sizes, and what to do; nothing where they are in order, scaled, or gone."""
    if run.plan.scale != "none" or run.source.gone:
        return []
    try:
        ratio, off_centre = sizes(run.source)
    except LostClusterError:
        return []
    # A vote is made of rows as they are.
    action = Advice("scale-first" if run.plan.readout == "voted" else "scale")
    if ratio >= FAR_APART and not run.rule.update(**run.parameters).coin:  # to coins every size is the same
        return [Advice("far-apart", {"ratio": ratio}), action]
    return [Advice("off-centre", {"times": off_centre}), action] if off_centre >= OFF_CENTRE else []


def _replaced(end: Status, keys: tuple[str, ...], by: list[Advice]) -> Status:
    steps = [one for step in end.steps for one in (by if step.key in keys else [step])]
    return replace(end, steps=tuple(steps))
