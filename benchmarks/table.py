"""A report as text of at most 80 columns. `results` puts the same cells into Markdown."""

import statistics
import textwrap
from collections.abc import Sequence

from benchmarks.findings import Finding, Report, Standing

WIDTH = 80


def number(finding: Finding, value: float) -> str:
    """A ratio, a difference in milliseconds, one in points, or a level in percent."""
    plain = f"{value:.2f}"
    written = {"ratio": plain, "level": plain, "difference": f"{1000 * value:.0f} ms", "points": f"{value:+.2f}"}
    return written[finding.claim.how]


def cost(report: Report, standing: Standing) -> str:
    """The median cost in the task's unit; of accuracies the mean."""
    if not standing.finished:
        return "no end"
    if report.task.unit == "%":
        return f"{statistics.fmean(standing.finished):.2f} %"
    middle = statistics.median(standing.finished)
    seconds = f"{middle:.3f} s" if middle >= 0.01 else f"{1000 * middle:.2f} ms"
    return {"s": seconds, "MB": f"{middle:.0f} MB", "margin": f"{middle:.5g}"}[report.task.unit]


def cells(report: Report, finding: Finding) -> tuple[str, str, str, str, str]:
    """What is compared, the median, the spread, the target, the verdict."""
    claim = finding.claim
    limit = claim.at_least if claim.at_least is not None else finding.at_most
    sign = "≥" if claim.at_least is not None else "≤"
    target = "–" if limit is None else f"{sign} {number(finding, limit)}"
    target += "" if claim.above is None else f" over {claim.above:g} s"
    target += "" if claim.enough is None else f" or {claim.enough:g} s"
    verdict = {None: "", True: "met", False: "not met"}[finding.met]
    sign = {"ratio": " / ", "level": ""}.get(claim.how, " − ")
    return (
        f"{claim.over}{sign}{finding.under}",
        number(finding, finding.median),
        f"{number(finding, finding.low).removesuffix(' ms')} – {number(finding, finding.high)}",
        target,
        "void" if report.void else verdict,
    )


def standing_cells(report: Report, standing: Standing) -> tuple[str, str, str, str]:
    """Who, the median cost, the accuracy recomputed, the mistakes it counted."""
    learned = standing.learned
    return (
        standing.label,
        cost(report, standing),
        "–" if standing.accuracy is None else f"{standing.accuracy:.4f}",
        "–" if learned is None or learned.mistakes is None else f"{learned.mistakes:,}",
    )


def remarks(report: Report) -> list[str]:
    """Sameness of weights, who did not converge, absences, objections."""
    worried = [f"{s.label}: {s.warned} of {len(s.costs)} did not converge" for s in report.standings if s.warned]
    agree = [] if report.apart is None else [f"largest relative difference of weights: {report.apart:.1g}"]
    return agree + worried + [f"absent: {line}" for line in absences(report)] + [f"VOID: {v}" for v in report.void]


def not_run(reports: Sequence[Report]) -> str:
    """Why a chapter has no rows."""
    reasons = dict.fromkeys(line for r in reports if not r.task.over for line in (*absences(r), *r.void))
    return f"Not run: {'; '.join(reasons) or 'no such task'}."


def absences(report: Report) -> list[str]:
    """Who is absent, and why; those with one reason on one line."""
    reasons = dict.fromkeys(reason for _, reason in report.absent)
    return [f"{'; '.join(who for who, why in report.absent if why == one)} ({one})" for one in reasons]


def text(report: Report) -> str:
    """One task for the terminal."""
    lines = textwrap.wrap(f"{report.task.name}: {report.title}", WIDTH)
    lines += textwrap.wrap(report.task.same_work, WIDTH - 2, initial_indent="  ", subsequent_indent="  ")
    if report.standings:
        middle = "mean" if report.task.unit == "%" else "median"
        lines.append(f"  {'':<36}{middle:>8}  {'accuracy':>14}  {'mistakes':>12}")
    for who, middle, accuracy, mistakes in (standing_cells(report, s) for s in report.standings):
        lines.append(f"  {who:<36}{middle:>8}  {accuracy:>14}  {mistakes:>12}")
    for what, median, spread, target, verdict in (cells(report, f) for f in report.findings):
        asked = f"{target:>7}  {verdict}".rstrip()
        figures = f"  {what:<36}{median:>8}  {spread:>14}"
        short = len(figures) + len(asked) + 2 <= WIDTH
        lines += [f"{figures}  {asked}"] if short else [figures, f"  {'target ' + asked.strip():>{WIDTH - 2}}"]
    for remark in remarks(report):
        lines += textwrap.wrap(remark, WIDTH - 2, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def summary(reports: Sequence[Report]) -> str:
    """The last lines of a run: targets met, missed and void; where somebody or something was absent."""
    counts = dict.fromkeys(("met", "not met", "void"), 0)
    lines = []
    for report in reports:
        for finding in report.findings:
            what, median, _, target, verdict = cells(report, finding)
            if finding.met is None:
                continue
            counts[verdict] += 1
            if verdict != "met":
                lines.append(f"  {verdict}: {report.task.name}: {what} {median}, {target}")
    lines.insert(0, "targets: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    for word, names in (
        ("void", [report.task.name for report in reports if report.void]),
        ("absences", [report.task.name for report in reports if report.absent]),
    ):
        lines += textwrap.wrap(f"{word}: {', '.join(names) or 'none'}", WIDTH, subsequent_indent="  ")
    return "\n".join(lines)
