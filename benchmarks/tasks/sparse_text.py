"""Sparse rows like documents: cyclic and shuffled against scikit-learn, and what averaging costs.

Cyclic is fair because the weights are the same: scikit-learn's silent ρ² = 0.01 on sparse rows is
`offset=0.1`. Shuffled orders differ by nature (scikit-learn permutes all rows, we permute chunks and then the
rows of a chunk), so there the accuracies, recomputed by the referee, must agree. Averaging is measured
against the same run read out as its last weights; the target speaks of runs with under 5 % of mistakes. Against
scikit-learn's `SGDClassifier(average=True)` the target is on its default, a new random order every epoch.
"""

from functools import partial

from benchmarks import synthetic
from benchmarks.contest import Claim, Entry, Task, Work

EPOCHS = 10
SKLEARN, ONE, TWO = "scikit-learn", "rosenblatt, 1 thread", "rosenblatt, 2 threads"
LAST, AVERAGED, SKLEARN_AVERAGED = "last", "averaged", "averaged, scikit-learn"
SHUFFLED, SKLEARN_SHUFFLED = "averaged, shuffled", "averaged, shuffled, scikit-learn"


def tasks(quick: bool) -> tuple[Task, ...]:
    """Three contests on one set of rows."""
    rows, columns = (30_000, 20_000) if quick else (300_000, 200_000)
    data = partial(synthetic.text, rows, columns, rows // 150, rows // 500)
    cyclic, shuffled = Work(EPOCHS, offset=0.1), Work(EPOCHS, "shuffled", offset=0.1)
    averaged = Work(EPOCHS, offset=0.1, readout="averaged")
    mixed = Work(EPOCHS, "shuffled", offset=0.1, readout="averaged")
    return (
        Task(
            name="sparse-cyclic",
            same_work=f"{EPOCHS} epochs in the rows' order, equal weights at the end",
            data=data,
            entries=(
                Entry(SKLEARN, "scikit-learn", cyclic),
                Entry(ONE, "rosenblatt", cyclic),
                Entry(TWO, "rosenblatt", Work(EPOCHS, offset=0.1, threads=2)),
            ),
            claims=(Claim(SKLEARN, ONE, at_least=1.3), Claim(SKLEARN, TWO)),
            same_weights=(SKLEARN, ONE, TWO),
        ),
        Task(
            name="sparse-shuffled",
            same_work=f"{EPOCHS} epochs, each in a new random order; accuracies agree",
            data=data,
            entries=(Entry(SKLEARN, "scikit-learn", shuffled), Entry(ONE, "rosenblatt", shuffled)),
            claims=(Claim(SKLEARN, ONE, at_least=3.0),),
            accuracy_within=0.02,
        ),
        Task(
            name="sparse-averaged",
            same_work=f"rosenblatt, 1 thread: {EPOCHS} epochs without and with the average; accuracies agree",
            data=data,
            entries=(
                Entry(LAST, "rosenblatt", cyclic),
                Entry(AVERAGED, "rosenblatt", averaged),
                Entry(SKLEARN_AVERAGED, "scikit-learn", averaged),
                Entry(SHUFFLED, "rosenblatt", mixed),
                Entry(SKLEARN_SHUFFLED, "scikit-learn", mixed),
            ),
            claims=(
                Claim(AVERAGED, LAST, at_most=1.15),
                Claim(SKLEARN_AVERAGED, AVERAGED),
                Claim(SKLEARN_SHUFFLED, SHUFFLED, at_least=2.5),
            ),
            accuracy_within=0.02,
            mistakes_below=0.05,
        ),
    )
