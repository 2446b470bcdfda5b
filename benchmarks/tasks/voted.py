"""Predicting by a vote, against applying the stored weight vectors one by one.

Both count the same votes of the same run, ten epochs of it as in the other tasks; the answers must be equal. What the
vote holds is the distinct mistaken rows; what is stored otherwise is a weight vector for each update.
"""

from functools import partial

from benchmarks import synthetic
from benchmarks.contest import Claim, Entry, Task, Work

EPOCHS = 10
STORED, OURS, TWO = "stored weights, one by one", "rosenblatt, 1 thread", "rosenblatt, 2 threads"


def tasks(quick: bool) -> tuple[Task, ...]:
    """Dense rows of two widths, and sparse ones."""
    rows = 5_000 if quick else 10_000
    sets = {
        "voted-d20": (partial(synthetic.dense, rows, 20, 0.0, rows // 2000, 0.05), 1.0),
        "voted-d100": (partial(synthetic.dense, rows, 100, 0.0, rows // 2000, 0.05), 1.0),
        "voted-d784": (partial(synthetic.dense, rows // 4, 784, 0.0, 2, 0.05), 1.0),
        "voted-sparse": (partial(synthetic.text, rows // 2, 20_000, rows // 100, rows // 500), 0.1),
    }
    return tuple(
        Task(
            name=name,
            same_work=f"the votes of every weight vector of {EPOCHS} epochs, equal answers",
            data=data,
            entries=(
                Entry(STORED, "stored weights", Work(EPOCHS, offset=offset)),
                Entry(OURS, "rosenblatt, voting", Work(EPOCHS, offset=offset)),
                Entry(TWO, "rosenblatt, voting", Work(EPOCHS, offset=offset, threads=2)),
            ),
            claims=(Claim(STORED, OURS), Claim(STORED, TWO, at_least=10.0)),
            repeats=3,
        )
        for name, (data, offset) in sets.items()
    )
