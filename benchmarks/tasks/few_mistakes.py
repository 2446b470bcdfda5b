"""An epoch with few mistakes, on one thread, against a one-thread `X @ w`: how far from the physical limit?

The run starts at the planted plane, so that one row in 10,000 is a mistake. The array is larger than the
cache. `learn` is timed as called: all it does before, between and after its epochs is divided by the same
number of products, nothing is subtracted. `X @ w` does less (no labels, no decisions), so 1 is out of reach.
"""

from functools import partial

from benchmarks import synthetic
from benchmarks.contest import Claim, Entry, Task, Work

EPOCHS = 10
LIMIT, OURS = "X @ w", "rosenblatt, 1 thread"
# columns: rows, target
SIZES = {20: (400_000, 1.6), 50: (400_000, 1.15), 100: (400_000, 1.15), 400: (100_000, 1.15)}


def tasks(quick: bool) -> tuple[Task, ...]:
    """One contest for each number of columns."""
    share = 10 if quick else 1
    return tuple(
        Task(
            name=f"few-mistakes-d{columns}",
            same_work=f"{EPOCHS} times every row's score on one thread; `X @ w` does nothing else",
            data=partial(synthetic.dense, rows // share, columns, 1.0, rows // share // 10_000),
            entries=(
                Entry(LIMIT, "X @ w", Work(EPOCHS)),
                Entry(OURS, "rosenblatt", Work(EPOCHS, start="separator")),
            ),
            claims=(Claim(OURS, LIMIT, at_most=target),),
            mistakes_below=0.001,
        )
        for columns, (rows, target) in SIZES.items()
    )
