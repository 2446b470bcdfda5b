"""The chapter "Nothing to set" of `RESULTS.md`: a row for each set, losses in the same place as wins."""

from collections.abc import Iterable, Sequence

from benchmarks.findings import Finding, Report, Standing
from benchmarks.table import cost, not_run, number

TITLE = """
## Nothing to set

Percent of the rows held out, the mean over the seeds: no setting at all, the columns raw as in their files. `scaled
logistic` is `LogisticRegression()` behind a `StandardScaler` (sparse rows: a `MaxAbsScaler`); `SGDClassifier` has
`average=True`. a9a, MNIST, 20 newsgroups, IMDB and higgs have a test file; of the others 30 % are held out, other ones
for every seed. No constant of ours was chosen with the sets below the mean. The text columns of kddcup99 are a column
for each word. †: it warned, for at least one seed, that it had not converged. "no end": not fitted in ten minutes.
"""


def grid(rows: Iterable[tuple[str, ...]], heads: tuple[str, ...]) -> list[str]:
    """A Markdown table."""
    lines = [heads, ("---",) * len(heads), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def cell(report: Report, standing: Standing | None) -> str:
    """An accuracy, and whether it came with a warning."""
    if standing is None:
        return "–"
    return cost(report, standing).removesuffix(" %") + (" †" if standing.warned else "")


def against(finding: Finding | None) -> str:
    """How far we are ahead or behind, and what becomes of the target."""
    if finding is None:
        return "–"
    return number(finding, finding.median) + {None: "", True: ", met", False: ", **not met**"}[finding.met]


def chapter(reports: Sequence[Report]) -> list[str]:
    """The table, or why it was not run."""
    run = [r for r in reports if r.standings]
    if not run:
        return [TITLE, not_run(reports)]
    labels = list(dict.fromkeys(entry.label for r in run for entry in r.task.entries))
    rows = []
    for r in run:
        stood = {standing.label: standing for standing in r.standings}
        found = {finding.claim.rivals: finding for finding in r.findings}
        several = next((f for rivals, f in found.items() if len(rivals) > 1), None)
        single = next((f for rivals, f in found.items() if len(rivals) == 1), None)
        level = next((f for rivals, f in found.items() if not rivals), None)
        accuracies = [cell(r, stood.get(label)) for label in labels]
        if level is not None:
            accuracies[0] = against(level)
        rows.append((r.title, *accuracies, against(several), against(single)))
    return [TITLE, *grid(rows, ("data set", *labels, "− best unscaled", "− scaled"))]
