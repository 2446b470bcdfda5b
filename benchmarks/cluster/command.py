"""The command line: run the parts one after the other, and write `benchmarks/CLUSTER.md` after each.

What a part found is kept in `build/benchmarks/cluster.json`, so that `--only` runs one part and writes the page of all.
Exit code 1: a part failed, gathered rows, or gave other bits.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from importlib.metadata import version

from benchmarks import machine
from benchmarks.cluster import asked, scale_table, sizes
from benchmarks.cluster.asked import Findings
from benchmarks.cluster.page import costs_of, page
from benchmarks.cluster.part import ROOT, measured
from benchmarks.peers import rosenblatt_learn

RESULTS = ROOT / "benchmarks" / "CLUSTER.md"
KEPT = ROOT / "build" / "benchmarks" / "cluster.json"


def facts() -> dict[str, str]:
    """Machine and versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return machine.facts() | {
        "memory": f"{memory / 1e9:.0f} GB",
        "rosenblatt": rosenblatt_learn.version(),
        **{name: version(name) for name in ("dask", "distributed", "numpy")},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description="Learning on a cluster.")
    parser.add_argument("--only", choices=sizes.FULL, action="append", help="this part alone; may be said again")
    parser.add_argument("--rows", type=int, help=f"on the workers; {sizes.FULL['held']['rows']:,} otherwise, 8 GB")
    parser.add_argument("--small", action="store_true", help="does it run? Nothing is written")
    parser.add_argument("--data", metavar="FOLDER", help="with real sets; ROSENBLATT_DATA otherwise")
    chosen = parser.parse_args(arguments)
    wanted = sizes.SMALL if chosen.small else sizes.FULL
    parts: Findings = {}
    if not chosen.small and chosen.only and KEPT.is_file():
        parts = json.loads(KEPT.read_text(encoding="utf-8"))
    told = facts()
    for name in chosen.only or wanted:
        given = dict(wanted[name])
        if name == "held" and chosen.rows:
            given["rows"] = chosen.rows
        with tempfile.TemporaryDirectory(prefix="rosenblatt-cluster-") as caches:
            setting = {"ROSENBLATT_CACHE_DIR": caches} | ({"ROSENBLATT_DATA": chosen.data} if chosen.data else {})
            parts[name] = measured(name, given, setting)
        print(f"{name}: {parts[name].get('failed', 'done')}", flush=True)
        if not chosen.small:
            keep(parts, told)
    print("\n" + page(parts, told))
    if not chosen.small:
        print(f"written: {RESULTS}")
    mistaken = {"peak memory of the client and scheduler", "the same bits with one worker and with two"}
    bad = [row.what for row in asked.rows(parts) if row.met is False and row.what in mistaken]
    return int(bool(bad) or any("failed" in part for part in parts.values()))


def keep(parts: Findings, told: dict[str, str]) -> None:
    """What was found so far: the findings, the page, and the table of docs/scale.md."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")
    RESULTS.write_text(page(parts, told), encoding="utf-8")
    costs = costs_of(parts)
    if costs is not None:
        scale_table.write(costs, told, scale_table.PAGE)
