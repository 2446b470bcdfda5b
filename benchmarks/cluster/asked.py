"""What is asked of a cluster, and what was measured: a row for each, met or not."""

from collections.abc import Iterator
from typing import Any

from benchmarks.cluster import cost_model, held
from benchmarks.streams.asked import Row

SPEED_UP, LONGEST, POINTS = 1.4, 0.05, 0.5
AT = {"workers": 2, "shards": 8}
"""Where the overhead is asked for, up to MOST columns."""
MOST = 10**4
Findings = dict[str, dict[str, Any]]  # a part's name: what it found, and what its process took; or why it failed


def rows(parts: Findings) -> list[Row]:
    """Of all parts that were run."""
    found = list[Row]()
    for name, of in (("held", of_held), ("overhead", of_overhead), ("accuracy", of_accuracy), ("verdict", of_verdict)):
        part = parts.get(name, {})
        if "found" in part:
            found += of(part)
        elif "failed" in part:
            found.append(Row(name, f"it failed: {part['failed']}", met=False))
    return found


def of_held(part: dict[str, Any]) -> Iterator[Row]:
    """Rows on the workers, and a second worker."""
    found = part["found"]
    runs = {run["workers"]: run for run in found["runs"]}
    size = 8 * found["rows"] * found["columns"]
    least = min(run["resident"] for run in runs.values())
    yield Row("rows on the workers", f"{size / 1e9:.1f} GB ({least / 1e9:.1f} GB resident)", "≥ 8 GB", least >= 8e9)
    if 1 in runs and 2 in runs:
        one, two = runs[1]["median"], runs[2]["median"]
        measured = f"{one / two:.2f} ({one:.2f} s, {two:.2f} s an epoch)"
        yield Row("one worker / two workers", measured, f"≥ {SPEED_UP}", one / two >= SPEED_UP)
    same = len({run["digest"] for run in runs.values()}) == 1
    yield Row("the same bits with one worker and with two", "yes" if same else "no", "yes", same)
    peak, asked = part["peak"], f"< {held.CLIENT / 1e6:.0f} MB"
    if peak is None:
        yield Row("peak memory of the client and scheduler", "the system does not tell", asked)
    else:
        yield Row("peak memory of the client and scheduler", f"{peak / 1e6:.0f} MB", asked, peak < held.CLIENT)
    most = max(run["received"] for run in runs.values())
    yield Row("largest result that came to the client", f"{most:,} B", f"≤ {held.LIMIT:,} B", most <= held.LIMIT)


def beyond(found: dict[str, Any], cell: dict[str, Any]) -> float:
    """Seconds of an epoch beyond the shards' own work, as it is shared by workers that work at the same time."""
    (own,) = (one["seconds"] for one in found["alone"] if one["columns"] == cell["columns"])
    return float(cell["seconds"] - own * cell["shards"] / cost_model.at_once(found, cell))


def of_overhead(part: dict[str, Any]) -> Iterator[Row]:
    """What a round of tiny shards takes."""
    found = part["found"]
    for cell in found["cells"]:
        if all(cell[name] == count for name, count in AT.items()) and cell["columns"] <= MOST:
            seconds = beyond(found, cell)
            what = f"an epoch beyond the shards' own work, {cell['columns']:,} columns"
            measured = f"{1e3 * seconds:.0f} ms ({seconds / cell['empty']:.2f} × Dask's own of as many empty tasks)"
            yield Row(what, measured, f"≤ {1e3 * LONGEST:.0f} ms", seconds <= LONGEST)
    largest = max(found["alone"], key=lambda one: int(one["columns"]))
    each = [largest[way] / largest["columns"] for way in ("sent", "received")]
    yield Row("bytes of a column, to a shard and from it", f"{each[0]:.1f} and {each[1]:.1f}")


def of_accuracy(part: dict[str, Any]) -> Iterator[Row]:
    """The difference to one machine on rows held out."""
    for one in part["found"]["sets"]:
        if "absent" in one:
            yield Row(f"accuracy: {one['title']}", f"absent: {one['absent']}", f"≥ −{POINTS}")
            continue
        apart = [run["dealt"] - run["one"] for run in one["runs"]]
        told = ", ".join(f"{gap:+.2f}" for gap in apart)
        epochs = ", ".join(str(run["epochs"]) for run in one["runs"])
        what = f"accuracy against one machine: {one['title']}, {epochs} epochs"
        yield Row(what, f"{told} points", f"≥ −{POINTS}", min(apart) >= -POINTS)


def of_verdict(part: dict[str, Any]) -> Iterator[Row]:
    """The same answer, and its proof holds."""
    for one in part["found"]["kinds"]:
        same = one["there"] == one["here"] == one["made"] and one["holds"]
        measured = f"{one['there']}, in memory {one['here']}; the proof {'holds' if one['holds'] else 'does not hold'}"
        yield Row(f"verdict on rows that are {one['made']}", measured, "the same, and it holds", same)
