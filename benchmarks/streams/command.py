"""The command line: make the file, run everything, print the rows, write `benchmarks/STREAMS.md`.

Exit code 1: a process took more memory than it may.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine
from benchmarks.contest import AbsentError
from benchmarks.nothing_to_set import grid
from benchmarks.peers import rosenblatt_learn
from benchmarks.streams import asked, costs, disk, vowpal_wabbit
from benchmarks.streams.session import Session, hold
from benchmarks.streams.trains import THREADS
from rosenblatt.files.cache.folder import bytes_of

RESULTS = Path(__file__).parent.parent / "STREAMS.md"
SIZE, QUICK = "4GB", "40MB"
TIMES, LEFT = 3.5, 5 * 10**9  # two texts, two caches; and what the cache leaves free
TITLE = """# Results: files larger than memory

Written by `python -m benchmarks.streams`; measured, never typed. Every command is a process of its own, watched from
outside; seconds are from its start to its end, and of a pass out of the cache a tenth of what ten more epochs take.
"""


def facts(session: Session, wanted: int, vw: str | None) -> dict[str, str]:
    """Machine, versions, and what the file is."""
    try:
        rival = vowpal_wabbit.version(vowpal_wabbit.command(vw))
    except AbsentError as reason:
        rival = f"absent: {reason}"
    size = session.whole.size
    smaller = f"; the disk has no room for {wanted / 1e9:.1f} GB" if size < 0.9 * wanted else ""
    return machine.facts() | {
        "rosenblatt": f"{rosenblatt_learn.version()}, --threads {THREADS}",
        "Vowpal Wabbit": rival,
        "file": f"{size / 1e6:,.0f} MB of svmlight text, {session.rows:,} rows × {session.columns:,} columns,"
        f" {session.entries / session.rows:.0f} non-zeros a row{smaller}",
        "its cache": f"{session.cache_size / 1e6:,.0f} MB",
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streams", description="Files larger than memory.")
    parser.add_argument("--size", help=f"of the text; {SIZE} otherwise", default=None)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK}, of which ratios say little; nothing is written")
    parser.add_argument("--folder", help="where to make a folder for the files, some 4 times the size; /tmp otherwise")
    parser.add_argument("--vw", metavar="COMMAND", help='Vowpal Wabbit, as "PYTHON -m vowpalwabbit"')
    parser.add_argument("--no-write", action="store_true", help="do not write STREAMS.md")
    chosen = parser.parse_args(arguments)
    wanted = bytes_of(chosen.size or (QUICK if chosen.quick else SIZE), "--size")
    with tempfile.TemporaryDirectory(prefix="rosenblatt-streams-", dir=chosen.folder) as folder:
        size = disk.largest_size(wanted, Path(folder), TIMES, LEFT)
        if size < 10**6:
            parser.error(f"no room in {folder}; expected {(TIMES * wanted + LEFT) / 1e9:.0f} GB: say --folder")
        session = hold(size, Path(folder), chosen.vw, lambda line: print(line, flush=True))
    told = facts(session, wanted, chosen.vw)
    lines = [TITLE, *(f"- {key}: {value}" for key, value in told.items()), ""]
    lines += [*grid((row.cells for row in asked.rows(session)), asked.HEADS), "", "## Behind the figures", ""]
    lines += grid(costs.costs(session), costs.HEADS)
    print("\n".join(["", *lines[1:]]))
    if not (chosen.quick or chosen.no_write):
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"written: {RESULTS}")
    return int(any(row.met is False for row in asked.memory(session)))
