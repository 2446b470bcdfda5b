"""What was tried, what was chosen and by how much: the table of candidates."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .text import paragraph

ENDS = {
    "stale": "no gain",
    "behind": "left behind",
    "epochs": "all epochs",
    "fault": "its numbers left float64",
}


def choice_text(choice: Mapping[str, Any], learnt: bool = True) -> list[str]:
    """A table of the candidates, the best first, and what it was judged by; `learnt`: whether the best is, by now."""
    candidates = choice["candidates"]
    chosen = next(one for one in candidates if one["chosen"])
    if not choice["held_out"]:
        return paragraph(
            f"{plural(choice['rows'], 'row')} are too few to choose by: {chosen['name']}, {chosen['epochs']} epochs."
        )
    order = sorted(candidates, key=lambda one: (not one["chosen"], -(one["accuracy"] or 0)))
    width = max(len(one["name"]) for one in order)
    lines = [f"{'candidate':<{width}}  epochs  accuracy  ended"]
    for one in order:
        share = "       –" if one["accuracy"] is None else f"{one['accuracy']:8.2%}"
        end = (f"after {one['met']}: " if one["end"] in ("stale", "behind") else "") + ENDS[one["end"]]
        lines.append(
            f"{one['name']:<{width}}  {one['epochs'] or '–':>6}  {share}  {'chosen' if one['chosen'] else end}"
        )
    how = (
        f"{choice['folds']} folds of {plural(choice['rows'], 'row')}"
        if choice["folds"] > 1
        else f"{plural(choice['held_out'], 'row')} held out"
    )
    said = f"Accuracy by {how}; the most common class has {choice['most_common']:.2%}."
    then = "then learnt again on all rows" if learnt else "to be learnt again on all rows"
    if choice["lead"] == 0:
        said += f" Level with the next best; the first of equals is chosen, {then}."
    elif choice["lead"] is not None:
        said += f" Chosen by a lead of {100 * choice['lead']:.2f} ± {100 * choice['lead_error']:.2f} points, {then}."
    else:
        said += f" {then[:1].upper()}{then[1:]}."
    return [*lines, *paragraph(said)]
