"""Weights by name, the largest first."""

from collections.abc import Mapping, Sequence
from typing import Any

from .text import number, paragraph, table

MOST = 1000  # that a dictionary holds
_SHOWN = 10


def weights_report(w: Any, b: float, names: Sequence[str] | None, most: int = MOST, first: int = 0) -> dict[str, Any]:
    """A hyperplane's weights by |w|, ties in column order: at most so many; features without names are numbered."""
    import numpy as np

    values = np.asarray(w, dtype=np.float64)
    order = np.argsort(-np.abs(values), kind="stable")[:most].tolist()
    return {
        "columns": int(values.size),
        "nonzero": int(np.count_nonzero(values)),
        "largest": [
            {"name": f"x{j + first}" if names is None else names[j], "weight": float(values[j])} for j in order
        ],
        "offset": float(b),
    }


def weights_text(plane: Mapping[str, Any], most: int = _SHOWN) -> list[str]:
    """A table of the largest weights, the offset below them."""
    shown = [entry for entry in plane["largest"] if entry["weight"]][:most]
    rows = [(entry["name"], number(entry["weight"])) for entry in shown]
    lines = table(["weight of", "value"], [*rows, ("(offset)", number(plane["offset"]))])
    hidden = plane["nonzero"] - len(shown)
    zeros = plane["columns"] - plane["nonzero"]
    rest = [f"{hidden} smaller"] * (hidden > 0) + [f"{zeros} that are 0"] * (zeros > 0)
    return [*lines, *(paragraph(f"and {' and '.join(rest)}", indent=2) if rest else [])]
