"""The referee: hands out the data, times, checks that the same work was done, and compares costs.

For each task: everybody present gets the same objects and, unless accuracies are compared, one untimed warm-up;
then repetitions are interleaved (A B C, C B A, A B C …), so that a slow minute of the machine falls on all alike.
Costs are compared within a repetition; the median of these ratios is the figure, their least and largest the spread.
No score is taken from a contestant: `checks` computes accuracies and differences from the weights of the
last timed repetition.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from benchmarks.checks import accuracy, largest_difference, objections
from benchmarks.comparing import compare
from benchmarks.contest import AbsentError, Data, Entry, Outcome, Peer, Script, Task
from benchmarks.findings import Finding, Report, Standing
from benchmarks.pins import cores

Call = Callable[[], object]


def timed(peer: Peer, call: Call) -> Outcome:
    """One repetition, with the garbage collector out of the way."""
    gc.collect()
    gc.disable()
    try:
        begin = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - begin
    finally:
        gc.enable()
    return peer.read(result, seconds)


def invited(entry: Entry, data: Data | None, peers: Mapping[str, Peer]) -> tuple[Peer, Call]:
    """A peer and the call to time, or `AbsentError` with the reason why it cannot take part."""
    for name in filter(None, (entry.peer, entry.needs)):
        peers[name].version()
    if not isinstance(entry.work, Script) and entry.work.threads > cores():
        raise AbsentError(f"needs {entry.work.threads} cores, this process may use {cores()}")
    return peers[entry.peer], peers[entry.peer].prepare(data, entry.work)


def interleave(present: Mapping[str, tuple[Peer, Call]], repeats: int, warm_up: bool) -> dict[str, list[Outcome]]:
    """Warm up, then repeat in alternating order."""
    for peer, call in present.values() if warm_up else ():
        timed(peer, call)
    outcomes: dict[str, list[Outcome]] = {label: [] for label in present}
    for repetition in range(repeats):
        for label in sorted(present, key=list(present).index, reverse=repetition % 2 == 1):
            outcomes[label].append(timed(*present[label]))
    return outcomes


def hold(task: Task, peers: Mapping[str, Peer], repeats: int | None = None) -> Report:
    """One task, from its data to its report."""
    try:
        data = task.data() if task.data else None
    except AbsentError as reason:
        return Report(task, "no data", absent=(("the data", str(reason)),))
    present, absent = {}, []
    for entry in task.entries:
        try:
            present[entry.label] = invited(entry, data, peers)
        except AbsentError as reason:
            absent.append((entry.label, str(reason)))
    repeats = repeats or task.repeats
    standings = []
    for label, outcomes in interleave(present, repeats, task.unit != "%").items():
        learned = outcomes[-1].learned
        score = accuracy(data, learned) if data and learned else None
        costs, warned = tuple(o.cost for o in outcomes), sum(o.warned for o in outcomes)
        standings.append(Standing(label, costs, learned, score, outcomes[-1].answers, warned))
    return Report(
        task,
        data.title if data else "fresh processes",
        tuple(standings),
        compared(task, standings, data),
        largest_difference(task, standings),
        tuple(absent),
        objections(task, data, standings),
        repeats,
    )


def compared(task: Task, standings: Sequence[Standing], data: Data | None = None) -> tuple[Finding, ...]:
    """The claims that can be put to the test."""
    by_label = {standing.label: standing for standing in standings}
    found = (compare(claim, by_label, data) for claim in task.claims)
    return tuple(finding for finding in found if finding is not None)


def gather(task: Task, reports: Sequence[Report]) -> Report:
    """A task over others, from their reports. Where a contestant of its claims is missing, that one is left out."""
    named = {label for claim in task.claims for label in (claim.over, *claim.rivals)}
    costs, absent, void = [], [], []
    for name in task.over:
        report = next((report for report in reports if report.task.name == name), None)
        means = {s.label: statistics.fmean(s.finished) for s in report.standings if s.finished} if report else {}
        if report and report.void:
            void.append(f"{name} is void")
        elif named <= set(means):
            costs.append(means)
        else:
            absent.append((name, "not run"))
    everywhere = [label for label in costs[0] if all(label in means for means in costs)] if costs else []
    standings = tuple(Standing(label, tuple(means[label] for means in costs)) for label in everywhere)
    return Report(
        task,
        f"mean of {len(costs)} sets" if costs else "no data",
        standings,
        compared(task, standings),
        absent=tuple(absent),
        void=tuple(void),
        repeats=len(costs),
    )
