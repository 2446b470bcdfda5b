"""The command line: run the contests, print the table, write `benchmarks/RESULTS.md`.

The file is written by a complete run only: a part of the tasks (`--only`) or small sizes (`--quick`) would
overwrite figures with figures that mean something else. Exit code 1: a task failed or contestants did not
do the same work. A target missed is reported, not punished: the machine may have been busy.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from benchmarks import discovery, machine, referee, results, table
from benchmarks.contest import Task
from benchmarks.findings import Report

RESULTS = Path(__file__).with_name("RESULTS.md")
LOGGER = logging.getLogger(__name__)


def options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run the referee's contests.")
    parser.add_argument("--only", metavar="PATTERN", help="only tasks with this in their name, or 'sparse-*'")
    parser.add_argument("--quick", action="store_true", help="small sizes, 3 repetitions; nothing is written")
    parser.add_argument("--repeats", type=int, metavar="N", help="repetitions of every task")
    parser.add_argument("--list", action="store_true", help="list tasks and peers, run nothing")
    parser.add_argument("--no-write", action="store_true", help="do not write RESULTS.md")
    chosen = parser.parse_args(arguments)
    if chosen.repeats is not None and chosen.repeats < 1:
        parser.error("--repeats must be at least 1")
    return chosen


def held(task: Task, repeats: int | None, earlier: Sequence[Report]) -> Report:
    """The task's report; an exception ends the task, not the run."""
    try:
        if task.over:
            return referee.gather(task, earlier)
        return referee.hold(task, discovery.peers(), repeats)
    except Exception as error:
        LOGGER.exception("%s failed", task.name)
        last = str(error).splitlines()[-1:]
        return Report(task, void=(" ".join(["failed:", type(error).__name__, *last]),))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    chosen = options(arguments)
    every = discovery.tasks(chosen.quick)
    wanted = chosen.only or ""
    tasks = [task for task in every if wanted in task.name or fnmatch(task.name, wanted)]
    if not tasks:
        names = ", ".join(task.name for task in every)
        print(f"no task matches {wanted!r}; there are: {names}", file=sys.stderr)
        return 2
    facts, versions = machine.facts(), machine.versions(discovery.peers())
    print("\n".join(f"{key}: {value}" for key, value in (facts | versions).items()), end="\n\n")
    if chosen.list:
        print("\n".join(f"{task.name}: {task.same_work}" for task in tasks))
        return 0
    repeats = chosen.repeats or (3 if chosen.quick else None)
    reports: list[Report] = []
    for task in tasks:
        reports.append(held(task, repeats, reports))
        print(table.text(reports[-1]), end="\n\n", flush=True)
    print(table.summary(reports))
    if len(tasks) == len(every) and not (chosen.quick or chosen.no_write):
        RESULTS.write_text(results.markdown(reports, facts, versions), encoding="utf-8")
        print(f"written: {RESULTS}")
    return int(any(report.void for report in reports))
