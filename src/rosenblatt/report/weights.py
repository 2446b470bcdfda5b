"""Weights by name, the largest first."""

from collections.abc import Mapping
from typing import Any

from .text import number, paragraph, table

_SHOWN = 10


def weights_text(plane: Mapping[str, Any], most: int = _SHOWN) -> list[str]:
    """A table of the largest weights, the offset below them."""
    shown = [entry for entry in plane["largest"] if entry["weight"]][:most]
    rows = [(entry["name"], number(entry["weight"])) for entry in shown]
    lines = table(["weight of", "value"], [*rows, ("(offset)", number(plane["offset"]))])
    hidden = plane["nonzero"] - len(shown)
    zeros = plane["columns"] - plane["nonzero"]
    rest = [f"{hidden} smaller"] * (hidden > 0) + [f"{zeros} that {'is' if zeros == 1 else 'are'} 0"] * (zeros > 0)
    return [*lines, *(paragraph(f"and {' and '.join(rest)}", indent=2) if rest else [])]
