"""Was it the same work? Recomputed from the raw rows and the weights returned, trusting nobody's own score.

Perceptron weights are sums of rows, so contestants that make the same mistakes in the same order agree to
the last bit or nearly; one different mistake shows as a difference of the size of a row. Hence the
tolerance is one of rounding only.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from benchmarks.contest import Data, Floats, Learned, Task, Work
from benchmarks.findings import Standing

ROUNDING = 1e-9


def accuracy(data: Data, learned: Learned) -> float:
    """Share of the training rows on the right side: score > 0 is positive; of K scores the largest wins."""
    scores = np.asarray(data.rows @ learned.weights.T) + learned.offsets
    predicted = np.where(scores[:, 0] > 0, 1, -1) if scores.shape[1] == 1 else scores.argmax(axis=1)
    return float(np.mean(predicted == data.labels))


def margin(data: Data, w: Floats, b: float) -> float:
    """The distance from a hyperplane to the nearest row; below 0 if that is on its wrong side."""
    return float(((np.asarray(data.rows @ w) + b) * data.labels).min() / np.linalg.norm(w))


def difference(a: Learned, b: Learned) -> float:
    """The largest difference of weights and offsets, relative to the largest weight."""
    size = max(1.0, float(np.abs(a.weights).max()))
    apart = max(np.abs(a.weights - b.weights).max(), np.abs(a.offsets - b.offsets).max())
    return float(apart) / size


def largest_difference(task: Task, standings: Sequence[Standing]) -> float | None:
    """Over all pairs whose weights should be equal; None if there is no such pair."""
    results = [s.learned for s in standings if s.label in task.same_weights and s.learned is not None]
    return max((difference(a, b) for a, b in combinations(results, 2)), default=None)


def objections(task: Task, data: Data | None, standings: Sequence[Standing]) -> tuple[str, ...]:
    """Why the claims are void; empty if all did the work they were asked for, and the same."""
    found = []
    asked = {entry.label: entry.work.epochs for entry in task.entries if isinstance(entry.work, Work)}
    for standing in standings:
        if (learned := standing.learned) is None:
            continue
        if learned.epochs != asked.get(standing.label, learned.epochs):
            found.append(f"{standing.label} did {learned.epochs} of {asked[standing.label]} epochs")
        share = mistaken(data, learned)
        if task.mistakes_below is not None and share is not None and share >= task.mistakes_below:
            found.append(f"{standing.label}: {share:.1%} mistakes, not under {task.mistakes_below:.1%}")
    apart = largest_difference(task, standings)
    if apart is not None and not apart <= ROUNDING:
        found.append(f"weights that should be equal differ by {apart:.2g} of the largest")
    scores = [standing.accuracy for standing in standings if standing.accuracy is not None]
    if task.accuracy_within is not None and scores and max(scores) - min(scores) > task.accuracy_within:
        found.append(f"accuracies from {min(scores):.4f} to {max(scores):.4f}")
    answers = [standing.answers for standing in standings if standing.answers is not None]
    unlike = max((float(np.abs(a - b).max()) for a, b in combinations(answers, 2)), default=0.0)
    if not unlike <= ROUNDING:
        found.append(f"answers that should be equal differ by {unlike:.2g}")
    return tuple(found)


def mistaken(data: Data | None, learned: Learned) -> float | None:
    """Mistakes per visit, of one output; None where the peer does not count them or K outputs do."""
    if data is None or learned.mistakes is None or len(learned.weights) > 1 or learned.epochs == 0:
        return None
    return learned.mistakes / (len(data.labels) * learned.epochs)


def updated(data: Data | None, learned: Learned) -> float | None:
    """Updates per visit and output; None where the peer does not count them."""
    if data is None or learned.updates is None or learned.epochs == 0:
        return None
    return learned.updates / (len(data.labels) * learned.epochs * len(learned.weights))
