"""The command line: measure what was asked for, print each row as it comes, write `benchmarks/VERDICTS.md`.

The file is written by a complete run only, as RESULTS.md is. Exit code 1: a verdict contradicts what is known, or
a proof was refused.
"""

import argparse
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from benchmarks import machine
from benchmarks.contest import AbsentError
from benchmarks.verdicts import limits, real_sets, rivals, tables
from benchmarks.verdicts.measuring import Measured, apart, measure
from benchmarks.verdicts.shapes import shapes

RESULTS = Path(__file__).parent.parent / "VERDICTS.md"
LIMIT = 60.0
TITLE = """# Results: what a verdict costs

Written by `python -m benchmarks.verdicts`; measured, never typed. Every question runs once, on one thread, in a process
of its own.
"""
Wanted = Callable[[str], bool]


def show(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Print a row, and pass it on."""
    print("  ".join(cells), flush=True)
    return cells


def of_shapes(quick: bool, wanted: Wanted) -> tuple[list[str], bool]:
    """The forty shapes, and the growth of what they cost."""
    measured: list[Measured] = []
    for shape in shapes():
        if wanted(f"{shape.name} {shape.n} {shape.d}"):
            measured.append(measure(shape, quick, 5 if quick else LIMIT))
            show(tables.shape_cells(measured[-1]))
    known = [m for m in measured if m.ours.get("kind") not in (None, "undecided")]
    words = f"Settled: {len(known)} of {len(measured)}, within {LIMIT:g} s each. The rivals have as long."
    lines = tables.section("Forty shapes", words, tables.SHAPES, [tables.shape_cells(m) for m in measured])
    words = "The slope of log cost over log size: 1 is in proportion."
    growth = [show(cells) for cells in tables.growth_cells(measured)]
    return lines + tables.section("Growth", words, tables.GROWTH, growth), any(m.wrong for m in measured)


def of_limits(quick: bool, wanted: Wanted) -> tuple[list[str], bool]:
    """Whether limits hold."""
    rows = limits.table(quick, wanted)
    for cells in tables.limit_cells(rows):
        show(cells)
    shares = (f"{name} {in_time} of {count}" for name in limits.ASKED for in_time, count in [limits.share(rows, name)])
    words = f"In time is within 20 % or half a second of the limit: {', '.join(shares)}."
    return tables.section("Time limits", words, tables.LIMITS, tables.limit_cells(rows)), False


def of_brackets(quick: bool, wanted: Wanted) -> tuple[list[str], bool]:
    """The fewest mistakes on real sets."""
    rows, refused = [], False
    for name in filter(wanted, real_sets.BRACKETS):
        for limit in (1.0,) if quick else real_sets.SECONDS:
            told = apart(partial(real_sets.bracket, name, limit), 10 * limit + 60)
            rows.append(show(tables.bracket_cells(name, limit, told)))
            refused |= told.get("holds") is False
    words = "The bracket on the fewest rows that any hyperplane gets wrong."
    return tables.section("Fewest mistakes", words, tables.BRACKETS, rows), refused


def of_real(quick: bool, wanted: Wanted) -> tuple[list[str], bool]:
    """The verdict on every real set."""
    rows, refused, limit = [], False, 1.0 if quick else LIMIT
    for name in filter(wanted, real_sets.SETS):
        try:
            for question, examples in real_sets.questions(name):
                told = apart(partial(real_sets.settle, examples, limit), 10 * limit + 60)
                rows.append(show(tables.real_cells(question, told)))
                refused |= told.get("holds") is False
        except AbsentError as reason:
            rows.append(show(tables.real_cells(name, {"why": str(reason)})))
    open_ = [row[0] for row in rows if row[2] == "undecided"]
    words = f"Undecided after {limit:g} s: {'; '.join(open_) or 'none'}."
    return tables.section("Real sets", words, tables.REAL, rows), refused


TABLES = {"shapes": of_shapes, "limits": of_limits, "brackets": of_brackets, "real": of_real}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts", description="What a verdict costs.")
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], help="which tables; all of them otherwise")
    parser.add_argument("--only", metavar="PATTERN", default="", help="only rows with this in their name")
    parser.add_argument("--quick", action="store_true", help="small sizes and short limits; nothing is written")
    parser.add_argument("--no-write", action="store_true", help="do not write VERDICTS.md")
    chosen = parser.parse_args(arguments)
    facts = machine.facts() | rivals.versions()
    lines = [TITLE, *(f"- {key}: {value}" for key, value in facts.items())]
    faults = False
    for name in chosen.tables or TABLES:
        print(f"\n{name}")
        told, fault = TABLES[name](chosen.quick, lambda row: chosen.only in row or fnmatch(row, chosen.only))
        lines += told
        faults |= fault
    if not (chosen.tables or chosen.only or chosen.quick or chosen.no_write):
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"written: {RESULTS}")
    return int(faults)
