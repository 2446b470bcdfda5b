"""All reports as `RESULTS.md`: the one table first, then what stands behind each figure."""

from collections.abc import Sequence

from benchmarks.findings import Report
from benchmarks.nothing_to_set import chapter, grid
from benchmarks.table import absences, cells, cost, not_run, number, remarks, standing_cells

PREAMBLE = """# Results of the referee

Written by `make bench`; measured, never typed. A figure is the median, over interleaved repetitions, of the
first one's cost divided by the second's (or less it, in milliseconds); then the least and the largest.
Accuracies are in percent of the rows held out, and their differences means over the seeds.
"""
HELD_OUT = """
## Held-out accuracy

Percent of rows that nobody learnt from, with the default settings of each, and its mean over the seeds. a9a, MNIST,
20 newsgroups and IMDB have such rows of their own; of the others 30 % are drawn, as many of each class.
"""
COMPARED = ("task", "compared", "median", "least – most", "target", "verdict")
STOOD = ("who", "median", "training accuracy", "mistakes met")


def held_out(reports: Sequence[Report]) -> list[str]:
    """A row for each set, a column for each contestant; after the first two, how far they are apart."""
    run = [r for r in reports if r.standings]
    if not run:
        return [HELD_OUT, not_run(reports)]
    labels = list(dict.fromkeys(entry.label for r in run for entry in r.task.entries))
    rows = []
    for r in run:
        costs = {standing.label: cost(r, standing).removesuffix(" %") for standing in r.standings}
        apart = [number(found, found.median) for found in r.findings if found.claim is r.task.claims[0]]
        first, *rest = (costs.get(label, "–") for label in labels)
        rows.append((r.title, first, rest[0], *(apart or ["–"]), *rest[1:]))
    heads = ("data set", *labels[:2], "difference", *labels[2:])
    return [HELD_OUT, *grid(rows, heads), "", *(f"- {r.task.name}: {line}" for r in reports for line in remarks(r))]


def told(reports: Sequence[Report], where: str) -> list[Report]:
    """The reports on accuracies that this chapter tells."""
    return [r for r in reports if r.task.unit == "%" and r.task.chapter == where]


def markdown(reports: Sequence[Report], facts: dict[str, str], versions: dict[str, str]) -> str:
    """The whole file."""
    lines = [PREAMBLE]
    lines += [f"- {key}: {value}" for key, value in (facts | versions).items()] + [""]
    rows = [(r.task.name, *cells(r, finding)) for r in reports for finding in r.findings]
    lines += [*grid(rows, COMPARED), *held_out(told(reports, "held-out"))]
    lines += [*chapter(told(reports, "nothing-to-set")), "", "## Absent", ""]
    missing = [f"- {r.task.name}: {line}" for r in reports for line in absences(r)]
    lines += missing or ["Nobody and nothing."]
    lines += ["", "## Behind the figures"]
    for r in (r for r in reports if r.task.unit != "%"):
        lines += ["", f"### {r.task.name}", "", f"{r.title}; {r.task.same_work}."]
        lines += [f"{r.repeats} repetitions after a warm-up." if r.repeats else "Not run.", ""]
        if r.standings:
            lines += [*grid((standing_cells(r, s) for s in r.standings), STOOD), ""]
        lines += [f"- {remark}" for remark in remarks(r)]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"
