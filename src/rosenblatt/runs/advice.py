"""Advice that only the rows can give: how many the model gets wrong, and whether their columns should be scaled."""

from dataclasses import replace

from ..data.sizes import FAR_APART, size_ratio
from ..data.source import Source
from .plan import Plan
from .status import Advice, Status

_MAY_SCALE = ("plateau", "budget", "loop", "step", "validation")
"""Ends after which other columns may do better. `rest` is near least squares, which scaling leaves where it is."""


def with_wrong(end: Status, wrong: int | None, source: Source, plan: Plan) -> Status:
    """What the model gets wrong on the rows it learnt from, in place of what was met on the way, and what may help.

    `wrong`: None of a vote, which takes long to count: then what was met on the way stays.

    Columns are looked at only where a mistake is left. Whether any need be wrong is a question about two classes; with
    more outputs it is not asked. Without a mistake there is nothing that more epochs could gain.
    """
    if wrong == 0:
        end = _replaced(end, ("still-gaining", "one-epoch"), [Advice("more-epochs")])
    said = [] if wrong is None else [Advice("predicted-wrong", {"wrong": wrong, "rows": source.n_rows})]
    left = any(step.values.get("mistakes") for step in end.steps) if wrong is None else wrong > 0
    if left and end.key.partition(".")[2] != "overshooting" and end.name in _MAY_SCALE:
        if getattr(plan, "scale", "none") == "none" and (ratio := size_ratio(source)) >= FAR_APART:
            # A vote is made of rows as they are.
            said.append(Advice("scale-first" if plan.readout == "voted" else "scale", {"ratio": ratio}))
        elif end.name == "plateau" and source.n_outputs == 1:
            said.append(Advice("check"))
    if any(step.key == "mistakes-left" for step in end.steps):
        met = [] if wrong is not None else [step for step in end.steps if step.key == "mistakes-left"]
        return _replaced(end, ("mistakes-left",), met + said)
    return replace(end, steps=(*(one for one in said if one.key.startswith("scale")), *end.steps))


def _replaced(end: Status, keys: tuple[str, ...], by: list[Advice]) -> Status:
    steps = [one for step in end.steps for one in (by if step.key in keys else [step])]
    return replace(end, steps=tuple(steps))
