"""Predicting by a vote, against applying the stored weight vectors one by one.

Both count the same votes of the same run; the answers must be equal. Weight vectors of real runs are many and rows to
predict are many, so the sizes are such that neither fits into a cache. The log's memory is that of the mistaken rows.
"""

from functools import partial

from benchmarks import synthetic
from benchmarks.contest import Claim, Entry, Task, Work

STORED, OURS, TWO = "stored weights, one by one", "rosenblatt, 1 thread", "rosenblatt, 2 threads"


def tasks(quick: bool) -> tuple[Task, ...]:
    """Dense rows of two widths, and sparse ones."""
    rows = 10_000 if quick else 20_000
    sets = {
        "voted-d20": (partial(synthetic.dense, rows, 20, 0.0, rows // 2000, 0.05), 1.0, None),
        "voted-d100": (partial(synthetic.dense, rows, 100, 0.0, rows // 2000, 0.05), 1.0, 10.0),
        "voted-d784": (partial(synthetic.dense, rows, 784, 0.0, rows // 2000, 0.05), 1.0, 10.0),
        "voted-sparse": (partial(synthetic.text, rows // 2, 20_000, rows // 200, rows // 1000), 0.1, 10.0),
    }
    return tuple(
        Task(
            name=name,
            same_work="the votes of every weight vector of 3 epochs, equal answers",
            data=data,
            entries=(
                Entry(STORED, "stored weights", Work(3, offset=offset)),
                Entry(OURS, "rosenblatt, voting", Work(3, offset=offset)),
                Entry(TWO, "rosenblatt, voting", Work(3, offset=offset, threads=2)),
            ),
            claims=(Claim(STORED, OURS, at_least=target), Claim(STORED, TWO)),
            repeats=3,
        )
        for name, (data, offset, target) in sets.items()
    )
