"""The tables of `VERDICTS.md`: cells of text, and the same as Markdown."""

from collections.abc import Sequence
from typing import Any

from benchmarks.nothing_to_set import grid
from benchmarks.verdicts import limits
from benchmarks.verdicts.growth import slopes
from benchmarks.verdicts.measuring import Measured
from benchmarks.verdicts.rivals import RIVALS

SHAPES = ("shape", "rows", "columns", "non-zeros", "verdict", "seconds", "proof", "verify", *RIVALS, "linprog / ours")
GROWTH = ("in", "of", "shapes", "seconds", "bytes of proof", "verify")
LIMITS = ("function", "data", "limit", "seconds", "", "said")
BRACKETS = ("set", "limit", "at least", "at most", "by", "seconds", "proof")
REAL = ("question", "size", "verdict", "seconds", "verify", "proof", "known, if not all")


def seconds(value: float | None) -> str:
    """Seconds, or a dash."""
    return "–" if value is None else f"{value:.3f} s" if value < 10 else f"{value:.0f} s"


def size(count: int | None) -> str:
    """Bytes."""
    if count is None:
        return "–"
    return (
        f"{count} B" if count < 10_000 else f"{count / 1e3:.0f} kB" if count < 10_000_000 else f"{count / 1e6:.0f} MB"
    )


def holds(told: dict[str, Any]) -> str:
    """What the checker said of the proof."""
    return {None: "–", True: "holds", False: "**refused**"}[told.get("holds")]


def shape_cells(m: Measured) -> tuple[str, ...]:
    """One shape; what contradicts it stands with the verdict."""
    ours = m.ours
    kind = ours.get("kind") or ours.get("why", "–")
    if ours.get("kind") == "undecided" and ours.get("separable") is False:
        kind = "not separable, else undecided"
    kind += "".join(f"; **{word}**" for word in m.wrong)
    theirs = [seconds(r["seconds"]) if "seconds" in r else r.get("why", "–") for r in m.rivals.values()]
    linprog = m.rivals.get("linprog", {}).get("seconds")
    ratio = f"{linprog / ours['seconds']:.1f}" if linprog and ours.get("seconds") else "–"
    cost = seconds(ours.get("seconds")), size(ours.get("bytes")), seconds(ours.get("verify"))
    return (m.shape.name, f"{m.rows:,}", f"{m.columns:,}", f"{m.nonzeros:,}", kind, *cost, *theirs, ratio)


def growth_cells(measured: Sequence[Measured]) -> list[tuple[str, ...]]:
    """The slopes of each series."""
    found = []
    for axis, what, count, costs in slopes(measured):
        told = ("–" if costs[name] is None else f"{costs[name]:.2f}" for name in ("seconds", "bytes", "verify"))
        found.append((axis, what, str(count), *told))
    return found


def limit_cells(rows: Sequence[limits.Row]) -> list[tuple[str, ...]]:
    """Each answer, and whether it came in time."""
    found = []
    for function, data, limit, took, said in rows:
        held = took is not None and limits.held(limit, took)
        found.append((function, data, f"{limit:g} s", seconds(took), "in time" if held else "**late**", said))
    return found


def bracket_cells(name: str, limit: float, told: dict[str, Any]) -> tuple[str, ...]:
    """The bracket of a set."""
    if "why" in told:
        return (name, f"{limit:g} s", "–", "–", told["why"], "–", "–")
    return (
        name, f"{limit:g} s", str(told["lower"]), str(told["upper"]), told["by"], seconds(told["seconds"]), holds(told),
    )  # fmt: skip


def real_cells(name: str, told: dict[str, Any]) -> tuple[str, ...]:
    """The verdict on a real set."""
    if "why" in told:
        return (name, "–", "–", "–", "–", "–", told["why"])
    known = told.get("known", "")
    if told["kind"] == "undecided":
        known += f" ({'; '.join(told['steps'])})"
    took = seconds(told["seconds"]), seconds(told.get("verify"))
    return (name, told["size"], told["kind"], *took, holds(told), known)


def section(title: str, words: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """A heading, what the table says, the table."""
    return ["", f"## {title}", "", words, "", *grid(rows, heads)]
