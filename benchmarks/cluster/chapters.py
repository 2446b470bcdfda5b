"""A chapter for each part: its tables, and a sentence on what they are of."""

from typing import Any

from benchmarks.cluster import asked, cost_model
from benchmarks.cluster.cost_model import Costs
from benchmarks.nothing_to_set import grid

Found = dict[str, Any]
Lines = list[str]


def held(found: Found, _: Costs | None) -> Lines:
    """Runs with one worker and with two."""
    rows = [
        (
            str(run["workers"]), " + ".join(map(str, run["shards"])), f"{run['making']:.1f} s",
            f"{run['median']:.3f} s", ", ".join(f"{s:.2f}" for s in run["seconds"]),
            f"{run['resident'] / 1e9:.2f} GB", f"{run['mistakes']:,}", run["digest"],
        )
        for run in found["runs"]
    ]  # fmt: skip
    heads = ("workers", "shards on each", "to make the rows", "an epoch", "each", "resident", "mistakes", "bits")
    size = 8 * found["rows"] * found["columns"]
    text = (
        f"{found['rows']:,} dense rows × {found['columns']} columns in {found['shards']} shards, {size / 1e9:.1f} GB,"
        " made where they stay. An epoch is the median of all but the first."
    )
    return [text, "", *grid(rows, heads), ""]


def overhead(found: Found, costs: Costs | None) -> Lines:
    """Every combination, beside the model; and bytes."""
    rows = []
    for cell in found["cells"]:
        said = None if costs is None else cost_model.modelled(costs, found, cell)
        model = ("–", "–") if said is None else (milliseconds(said), f"{cell['seconds'] / said:.2f}")
        rows.append(
            (
                f"{cell['columns']:,}", str(cell["shards"]), str(cell["workers"]), milliseconds(cell["seconds"]),
                milliseconds(asked.beyond(found, cell)), milliseconds(cell["empty"]), *model,
            )
        )  # fmt: skip
    heads = (
        "columns", "shards", "workers", "an epoch", "beyond the shards' own work", "Dask's empty tasks", "model",
        "measured / model",
    )  # fmt: skip
    alone = [
        (f"{one['columns']:,}", milliseconds(one["seconds"]), f"{one['sent']:,}", f"{one['received']:,}")
        for one in found["alone"]
    ]
    return [
        f"Shards of 16 rows: there is nothing to do. No more than {found['cores']} workers work at the same time here."
        " Beside it, Dask alone: as many tasks as shards, which do nothing, from `client.map` to what `client.gather`"
        " gives.",
        "", *grid(rows, heads), "",
        "What a shard is given in an epoch and what it gives, as they are sent; and its work by itself.", "",
        *grid(alone, ("columns", "own work", "bytes to a shard", "bytes from it")), "",
    ]  # fmt: skip


def per_row(found: Found, costs: Costs | None) -> Lines:
    """Dense and sparse."""
    rows = []
    for cell in found["cells"]:
        said = None if costs is None else costs.of_row(cell["entries"], cell["sparse"])
        model = ("–", "–") if said is None else (f"{1e9 * said:.0f} ns", f"{cell['seconds'] / said:.2f}")
        kind = "sparse" if cell["sparse"] else "dense"
        rows.append((kind, f"{cell['entries']:.0f}", f"{cell['rows']:,}", f"{1e9 * cell['seconds']:.0f} ns", *model))
    return [
        "One shard in one process on one core: shuffled, averaged, standardised; sparse rows have 100,000 columns.", "",
        *grid(rows, ("rows", "entries of a row", "how many", "a row", "model", "measured / model")), "",
    ]  # fmt: skip


def accuracy(found: Found, _: Costs | None) -> Lines:
    """Percent of the rows held out."""
    rows = []
    for one in found["sets"]:
        for run in one.get("runs", ()):
            shape = f"{one['title']}, {one['rows']:,} × {one['columns']:,}"
            ways = [f"{run[way]:.2f}" for way in ("one", "dealt", "ranges")]
            gaps = [f"{run[way] - run['one']:+.2f}" for way in ("dealt", "ranges")]
            rows.append((shape, str(run["epochs"]), *ways, *gaps))
    absent = [f"Absent: {one['title']} ({one['absent']})." for one in found["sets"] if "absent" in one]
    heads = ("data set", "epochs", "one machine", "dealt", "ranges", "dealt − one", "ranges − one")
    return [
        f"Percent of the rows held out. {found['shards']} shards on {found['workers']} workers; the averaged perceptron"
        " on standardised columns. Rows are as their file has them: dealt to the shards in blocks of 16, or in ranges.",
        "",
        *grid(rows, heads), "", *absent, *([""] if absent else []),
    ]  # fmt: skip


def verdict(found: Found, _: Costs | None) -> Lines:
    """Seconds there and here."""
    rows = [
        (one["made"], *(f"{one[what]:.2f} s" for what in ("seconds", "checking", "in memory")))
        for one in found["kinds"]
    ]
    text = (
        f"{found['rows']:,} rows × {found['columns']} columns in {found['shards']} shards on {found['workers']}"
        " workers. The proof is made with the verdict, and checked on the shards."
    )
    heads = ("rows that are", "verdict and proof on shards", "checking the proof there", "verdict and proof in memory")
    return [text, "", *grid(rows, heads), ""]


def milliseconds(value: float) -> str:
    """Of a time below some seconds."""
    return f"{1e3 * value:.1f} ms"
