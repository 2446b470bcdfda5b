"""The referee: hands out the data, times, checks that the same work was done, and compares costs.

For each task: everybody present gets the same objects and one untimed warm-up; then repetitions are
interleaved (A B C, C B A, A B C …), so that a slow minute of the machine falls on all alike. Costs are
compared within a repetition; the median of these ratios is the figure, their least and largest the spread.
No score is taken from a contestant: `checks` computes accuracies and differences from the weights of the
last timed repetition.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping

from benchmarks.checks import accuracy, largest_difference, objections
from benchmarks.contest import AbsentError, Claim, Data, Entry, Margin, Outcome, Peer, Question, Task, Work
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
    if isinstance(entry.work, Work | Question | Margin) and entry.work.threads > cores():
        raise AbsentError(f"needs {entry.work.threads} cores, this process may use {cores()}")
    return peers[entry.peer], peers[entry.peer].prepare(data, entry.work)


def interleave(present: Mapping[str, tuple[Peer, Call]], repeats: int) -> dict[str, list[Outcome]]:
    """Warm up, then repeat in alternating order."""
    for peer, call in present.values():
        timed(peer, call)
    outcomes: dict[str, list[Outcome]] = {label: [] for label in present}
    for repetition in range(repeats):
        for label in sorted(present, key=list(present).index, reverse=repetition % 2 == 1):
            outcomes[label].append(timed(*present[label]))
    return outcomes


def compare(claim: Claim, costs: Mapping[str, tuple[float, ...]]) -> Finding:
    """Median and spread of the paired ratios or differences."""
    pairs = zip(costs[claim.over], costs[claim.under], strict=True)
    values = [over / under if claim.how == "ratio" else over - under for over, under in pairs]
    return Finding(claim, statistics.median(values), min(values), max(values))


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
    for label, outcomes in interleave(present, repeats).items():
        learned = outcomes[-1].learned
        score = accuracy(data, learned) if data and learned else None
        standings.append(Standing(label, tuple(o.cost for o in outcomes), learned, score, outcomes[-1].answers))
    costs = {standing.label: standing.costs for standing in standings}
    return Report(
        task,
        data.title if data else "fresh processes",
        tuple(standings),
        tuple(compare(claim, costs) for claim in task.claims if {claim.over, claim.under} <= set(costs)),
        largest_difference(task, standings),
        tuple(absent),
        objections(task, data, standings),
        repeats,
    )
