"""Dense rows in their order, against scikit-learn's `Perceptron(shuffle=False, tol=None)`.

Fair because both end with the same weights: the same rule, order and offset, 20 epochs each, no epoch clean
(see `synthetic`). What is timed is `learn(X, y)` and `fit(X, y)`, each with its own checks of the input.
How often rows are mistaken decides how far one may look ahead, hence three sets: rare mistakes (the
target), and two harder ones for information.
"""

from functools import partial

from benchmarks import synthetic
from benchmarks.contest import Claim, Entry, Task, Work

EPOCHS = 20
SKLEARN, ONE, TWO = "scikit-learn", "rosenblatt, 1 thread", "rosenblatt, 2 threads"
# name: gap, share of twins, share of flipped labels, and whether the targets apply
SETS = {
    "dense-cyclic": (0.5, 0.0005, 0.0, True),
    "dense-cyclic-tight": (0.0, 0.0005, 0.0, False),
    "dense-cyclic-overlap": (0.0, 0.0005, 0.1, False),
}


def tasks(quick: bool) -> tuple[Task, ...]:
    """One contest for each of the sets."""
    rows = 20_000 if quick else 100_000
    return tuple(
        Task(
            name=name,
            same_work=f"{EPOCHS} epochs in the rows' order, equal weights at the end",
            data=partial(synthetic.dense, rows, 100, gap, int(pairs * rows), flips),
            entries=(
                Entry(SKLEARN, "scikit-learn", Work(EPOCHS)),
                Entry(ONE, "rosenblatt", Work(EPOCHS)),
                Entry(TWO, "rosenblatt", Work(EPOCHS, threads=2)),
            ),
            claims=(
                Claim(SKLEARN, ONE, at_least=1.9 if aimed else None),
                Claim(SKLEARN, TWO, at_least=3.0 if aimed else None),
            ),
            same_weights=(SKLEARN, ONE, TWO),
        )
        for name, (gap, pairs, flips, aimed) in SETS.items()
    )
