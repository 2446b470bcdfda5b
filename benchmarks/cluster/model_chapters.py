"""The chapters on the model of costs: its coefficients, how well it fits, and where it leads."""

from typing import Any

import numpy as np

from benchmarks.cluster import cost_model, on_paper
from benchmarks.cluster.asked import Findings
from benchmarks.cluster.cost_model import Costs
from benchmarks.nothing_to_set import grid

Lines = list[str]


def model(costs: Costs, parts: Findings) -> Lines:
    """Coefficients, how well they fit, and a thousand workers."""
    overhead_found, rows_found = (parts[name]["found"] for name in ("overhead", "per_row"))
    ratios = [cell["seconds"] / cost_model.modelled(costs, overhead_found, cell) for cell in overhead_found["cells"]]
    ratios += [cell["seconds"] / costs.of_row(cell["entries"], cell["sparse"]) for cell in rows_found["cells"]]
    errors = np.abs(np.array(ratios) - 1)
    lines = [
        "## The model", "", "    t = n/W·(row + entry·z) + round + task·T + d·(client + shard·S/W)", "",
        *grid(coefficients(costs), ("coefficient", "measured", "of")), "",
        f"Measured over model: half of the {errors.size} figures are within {np.median(errors):.0%}, the worst is"
        f" {errors.max():.0%} off.", "",
    ]  # fmt: skip
    held_found = parts.get("held", {}).get("found")
    if held_found is not None:
        lines += foretold(costs, held_found)
    return [*lines, "## On paper", "", *paper(costs)]


def coefficients(costs: Costs) -> list[tuple[str, str, str]]:
    """By name, in units that can be read."""
    return [
        (
            "row, entry (dense)", f"{1e9 * costs.row:.1f} ns, {1e9 * costs.entry:.3f} ns",
            "a row, and each of its z entries",
        ),
        (
            "row, entry (sparse)", f"{1e9 * costs.sparse_row:.1f} ns, {1e9 * costs.sparse_entry:.3f} ns",
            "the same of sparse rows",
        ),
        ("round", f"{1e3 * costs.round:.1f} ms", "an epoch, whatever its size"),
        ("task", f"{1e3 * costs.task:.2f} ms", "a task of the T in a round: S shards, and those that join"),
        ("client", f"{1e9 * costs.client:.1f} ns", "a column, once an epoch: sent, taken back, made the next state"),
        ("shard", f"{1e9 * costs.shard:.1f} ns", "a column of a shard: given, begun with, ended with, joined"),
        ("bytes", f"{costs.sent:.1f} and {costs.received:.1f}", "a column, to a shard and from it"),
    ]  # fmt: skip


def foretold(costs: Costs, found: dict[str, Any]) -> Lines:
    """What the model says of runs that it was not fitted to."""
    rows = []
    for run in found["runs"]:
        said = costs.of_epoch(
            found["rows"], found["columns"], found["columns"], False, found["shards"], run["workers"]
        )  # fmt: skip
        rows.append((str(run["workers"]), f"{said:.2f} s", f"{run['median']:.2f} s", f"{run['median'] / said:.2f}"))
    text = "What it foretells of the rows on the workers above, which it was not fitted to:"
    return [text, "", *grid(rows, ("workers", "model", "measured", "measured / model")), ""]


def paper(costs: Costs) -> Lines:
    """Larger than anything here."""
    lines = [
        "A worker is a core like one of these, with one shard in memory; the network moves"
        f" {on_paper.BANDWIDTH / 1e9:.2f} GB/s to or from each; there is one scheduler; nobody is slower than the"
        " others, and nobody dies.", "",
    ]  # fmt: skip
    for data in (on_paper.LARGE, on_paper.VOWPAL_WABBIT):
        lines += [f"{data.name}: {data.shape}.", "", *grid(on_workers(costs, data), PAPER_HEADS), ""]
        best, worth = on_paper.quickest(costs, data), on_paper.worthwhile(costs, data)
        lines += [
            f"Beyond {best.workers:,} workers an epoch gets slower ({best.seconds:.1f} s there). Up to"
            f" {worth.workers:,}, with {data.rows / worth.workers:,.0f} rows or more on each, half of it or more is"
            " spent on rows.", "",
        ]  # fmt: skip
    return lines


PAPER_HEADS = ("workers", "rows of each", "on rows", "scheduling", "columns", "network", "an epoch", "against one")


def on_workers(costs: Costs, data: on_paper.Paper) -> list[tuple[str, ...]]:
    """An epoch with more and more workers."""
    one, rows = on_paper.epoch(costs, data, 1), []
    for count in (1, 10, 100, 1_000, 10_000):
        found = on_paper.epoch(costs, data, count)
        parts = [found.rows, found.scheduling, found.columns, found.network, found.seconds]
        each = f"{data.rows / count:,.0f}"
        rows.append((f"{count:,}", each, *map(seconds, parts), f"{one.seconds / found.seconds:.0f} ×"))
    return rows


def seconds(value: float) -> str:
    """Of any time."""
    return f"{value:.2f} s" if value < 100 else f"{value:,.0f} s"
