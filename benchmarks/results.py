"""All reports as `RESULTS.md`: the one table first, then what stands behind each figure."""

from collections.abc import Iterable, Sequence

from benchmarks.findings import Report
from benchmarks.table import absences, cells, remarks, standing_cells

PREAMBLE = """# Results of the referee

Written by `make bench`; measured, never typed. A figure is the median, over interleaved repetitions, of the
first one's cost divided by the second's (or less it, in milliseconds); then the least and the largest.
"""
COMPARED = ("task", "compared", "median", "least – most", "target", "verdict")
STOOD = ("who", "median", "training accuracy", "mistakes met")


def grid(rows: Iterable[tuple[str, ...]], heads: tuple[str, ...]) -> list[str]:
    """A Markdown table."""
    lines = [heads, ("---",) * len(heads), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def markdown(reports: Sequence[Report], facts: dict[str, str], versions: dict[str, str]) -> str:
    """The whole file."""
    lines = [PREAMBLE]
    lines += [f"- {key}: {value}" for key, value in (facts | versions).items()] + [""]
    rows = [(r.task.name, *cells(r, finding)) for r in reports for finding in r.findings]
    lines += [*grid(rows, COMPARED), "", "## Absent", ""]
    missing = [f"- {r.task.name}: {line}" for r in reports for line in absences(r)]
    lines += missing or ["Nobody and nothing."]
    lines += ["", "## Behind the figures"]
    for r in reports:
        lines += ["", f"### {r.task.name}", "", f"{r.title}; {r.task.same_work}."]
        lines += [f"{r.repeats} repetitions after a warm-up." if r.repeats else "Not run.", ""]
        if r.standings:
            lines += [*grid((standing_cells(r, s) for s in r.standings), STOOD), ""]
        lines += [f"- {remark}" for remark in remarks(r)]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"
