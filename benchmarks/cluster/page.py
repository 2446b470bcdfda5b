"""The page: what is asked first, then a chapter for each part, then the model and where it leads."""

from typing import Any

from benchmarks.cluster import asked, chapters, cost_model, model_chapters, sizes
from benchmarks.cluster.asked import Findings
from benchmarks.nothing_to_set import grid
from benchmarks.streams.asked import HEADS

TITLE = """# Results: on a cluster

Written by `python -m benchmarks.cluster`; measured, never typed. Workers are processes of this machine with one thread
each; every part has a client in a process of its own, which holds the scheduler, too. What it means is in
[docs/scale.md](../docs/scale.md).
"""


def costs_of(parts: Findings) -> cost_model.Costs | None:
    """The model, once both parts that it rests on were run."""
    found = [parts.get(name, {}).get("found") for name in ("overhead", "per_row")]
    return None if found[0] is None or found[1] is None else cost_model.fit(found[0], found[1])


def page(parts: Findings, facts: dict[str, str]) -> str:
    """All of it, of the parts that there are."""
    lines = [TITLE, *(f"- {key}: {value}" for key, value in facts.items()), ""]
    lines += [*grid((row.cells for row in asked.rows(parts)), HEADS), ""]
    costs = costs_of(parts)
    for name, title in sizes.TITLES.items():
        part: dict[str, Any] = parts.get(name, {})
        lines += [f"## {title}", ""]
        if "found" not in part:
            lines += [f"Not measured: {part.get('failed', 'it was not run')}.", ""]
            continue
        lines += [*getattr(chapters, name)(part["found"], costs), f"({part['seconds']:.0f} s in all.)", ""]
    if costs is not None:
        lines += model_chapters.model(costs, parts)
    return "\n".join(lines).rstrip() + "\n"
