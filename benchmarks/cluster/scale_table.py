"""The part of docs/scale.md that is measured: written between its two comments, never typed."""

import re
from pathlib import Path

from benchmarks.cluster import model_chapters
from benchmarks.cluster.cost_model import Costs
from benchmarks.nothing_to_set import grid

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
BETWEEN = re.compile(
    r"(?<=<!-- measured by benchmarks.cluster -->\n).*?(?=<!-- end of what is measured -->)", re.DOTALL
)


def section(costs: Costs, facts: dict[str, str]) -> str:
    """The coefficients, and what they say of larger clusters."""
    told = f"Measured on {facts['machine']}, {facts['date']}; [all figures](../benchmarks/CLUSTER.md)."
    lines = [told, "", *grid(model_chapters.coefficients(costs), ("coefficient", "measured", "of")), ""]
    return "\n".join([*lines, *model_chapters.paper(costs)]).rstrip() + "\n"


def write(costs: Costs, facts: dict[str, str], page: Path) -> None:
    """Put it between the comments."""
    text = page.read_text(encoding="utf-8")
    if not BETWEEN.search(text):
        raise ValueError(f"{page}: it has no place for what is measured")
    page.write_text(BETWEEN.sub(lambda _: section(costs, facts), text), encoding="utf-8")
