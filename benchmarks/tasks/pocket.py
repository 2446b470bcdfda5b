"""What the pocket costs, on rows of which 5 % are mislabelled: the same run with and without it.

The pocket counts mistakes on all rows whenever a streak beats the record, on as many threads as the run has.
"""

from functools import partial

from benchmarks import synthetic
from benchmarks.contest import Claim, Entry, Task, Work

EPOCHS = 20


def tasks(quick: bool) -> tuple[Task, ...]:
    """Dense and sparse rows, on one thread and on two."""
    rows = 20_000 if quick else 100_000
    sets = {
        "pocket-dense": (partial(synthetic.dense, rows, 100, 0.0, rows // 2000, 0.05), 1.0),
        "pocket-sparse": (partial(synthetic.text, rows, 50_000, rows // 150, rows // 40), 0.1),
    }
    return tuple(
        Task(
            name=name,
            same_work=f"{EPOCHS} epochs in a new random order each, read out as the last weights and as the pocket",
            data=data,
            entries=tuple(
                Entry(f"{readout}, {threads} thread{'s' * (threads > 1)}", "rosenblatt", work(readout, threads, offset))
                for threads in (1, 2)
                for readout in ("last", "pocket")
            ),
            claims=(
                Claim("pocket, 1 thread", "last, 1 thread", at_most=1.25),
                Claim("pocket, 2 threads", "last, 2 threads", at_most=1.25),
            ),
        )
        for name, (data, offset) in sets.items()
    )


def work(readout: str, threads: int, offset: float) -> Work:
    """The same run, read out in one way."""
    return Work(EPOCHS, "shuffled", offset, readout=readout, threads=threads)  # type: ignore[arg-type]
