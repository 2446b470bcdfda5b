"""A network of perceptrons: an OR of ANDs, its formula and its units."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .text import number, paragraph, table

_SHOWN = 20


def network_text(network: Mapping[str, Any]) -> list[str]:
    """What it computes, how many units that takes, and their weights."""
    units = network["hidden"]
    least = "the fewest" if network["minimal"] else f"at least {network['at_least']} are needed"
    lines = paragraph(f"An OR of {plural(len(units), 'AND')} ({least}): {network['formula']}", hanging=2)
    lines += paragraph(f"{plural(network['inputs'], 'input')}, coded {network['coding']}.")
    if not units:
        return lines
    rows = [
        (one["implicant"], " ".join(number(w) for w in one["weights"]), number(one["offset"])) for one in units[:_SHOWN]
    ]
    lines += ["", *table(["hidden unit", "weights", "offset"], rows)]
    lines += [f"  … and {len(units) - _SHOWN} more"] if len(units) > _SHOWN else []
    return [*lines, *paragraph(f"The output adds them up, with the offset {number(network['output']['offset'])}.")]
