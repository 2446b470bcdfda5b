"""Accuracy on rows held out, of real sets: our `Perceptron` and scikit-learn's, both with their default settings.

Ours predicts by the average of its weights (Freund and Schapire 1999), scikit-learn's by the last. A repetition is a
seed, and the figures are means over them. On the sparse sets `LinearSVC` is the mark; on text we want to be near it.
"""

from collections.abc import Callable
from functools import partial

from benchmarks import real
from benchmarks.contest import Claim, Data, Entry, Fit, Task

SKLEARN, OURS, LAST, SVC = "scikit-learn", "rosenblatt", "rosenblatt, last", "LinearSVC"
SEEDS = 5

# name: the data
DENSE: dict[str, Callable[[], Data]] = {
    "spambase": partial(real.columns, "spambase", "spambase.arff.gz"),
    "mnist": partial(real.mnist, 60_000),
    "covtype": partial(real.columns, "covtype", "covtype.csv.xz", heads=1),
}
SPARSE: dict[str, Callable[[], Data]] = {
    "a9a": partial(real.svmlight, "a9a", "a9a.svm.gz", "a9a.t.svm.gz"),
    "w8a": partial(real.svmlight, "w8a", "w8a.svm.gz"),
}
TEXT: dict[str, Callable[[], Data]] = {
    "20news": partial(real.svmlight, "20 newsgroups", "20news_bow.train.svm.xz", "20news_bow.test.svm.xz"),
    "imdb": partial(real.svmlight, "IMDB", "imdb_bow.train.svm.xz", "imdb_bow.test.svm.xz"),
}
SMALL = ("a9a", "w8a", "spambase")


def tasks(quick: bool) -> tuple[Task, ...]:
    """A contest for each of the sets, and one over them all."""
    sets = {name: data for name, data in (SPARSE | TEXT | DENSE).items() if name in SMALL or not quick}
    each = tuple(contest(name, data) for name, data in sets.items())
    average = Task(
        name="accuracy-average",
        same_work="the sets above, each counted once",
        entries=(),
        claims=(Claim(OURS, SKLEARN, at_least=1.0, how="points"),),
        unit="%",
        over=tuple(task.name for task in each),
    )
    return (*each, average)


def contest(name: str, data: Callable[[], Data]) -> Task:
    """One set."""
    entries = [
        Entry(SKLEARN, "scikit-learn", Fit("accuracy")),
        Entry(OURS, "rosenblatt, estimator", Fit("accuracy")),
        Entry(LAST, "rosenblatt, estimator", Fit("accuracy", readout="last")),
    ]
    claims = [Claim(OURS, SKLEARN, at_least=-0.5, how="points")]
    if name not in DENSE:
        entries.append(Entry(SVC, "LinearSVC", Fit("accuracy")))
        claims.append(Claim(OURS, SVC, at_least=-1.0 if name in TEXT else None, how="points"))
    return Task(
        name=f"accuracy-{name}",
        same_work="default settings, rows held out; each repetition is a seed",
        data=data,
        entries=tuple(entries),
        claims=tuple(claims),
        unit="%",
        repeats=3 if name == "covtype" else SEEDS,
    )
