"""An epoch of coin betting against one of the averaged perceptron: every coordinate keeps a purse of its own.

Both do the same epochs in the same orders, one-vs-rest where there are several classes, averaged, on one thread. A bet
that changes costs more than a weight that changes; where more than half of the visits are updates, it may cost more.
"""

from functools import partial

from benchmarks import raw, synthetic
from benchmarks.contest import Claim, Entry, Task, Work

EPOCHS = 10
PERCEPTRON, COIN = "perceptron", "coin"
REAL = ("spambase", "a9a", "w8a", "imdb", "20news", "mnist")
SMALL = ("spambase", "a9a")


def tasks(quick: bool) -> tuple[Task, ...]:
    """Rows made up, dense and sparse; then real ones, dense and sparse."""
    share = 10 if quick else 1
    sets = {
        "dense": partial(synthetic.dense, 100_000 // share, 100, 0.0, 10_000 // share),
        "sparse": partial(synthetic.text, 300_000 // share, 200_000 // share, 2_000 // share, 600 // share),
    } | {name: partial(raw.data, name) for name in (SMALL if quick else REAL)}
    return tuple(
        Task(
            name=f"coin-{name}",
            same_work=f"{EPOCHS} epochs, each in a new random order, averaged",
            data=data,
            entries=tuple(
                Entry(rule, "rosenblatt", Work(EPOCHS, "shuffled", rule, readout="averaged"))
                for rule in (PERCEPTRON, COIN)
            ),
            claims=(Claim(COIN, PERCEPTRON, at_most=2.5, busy=3.0),),
            repeats=5,
        )
        for name, data in sets.items()
    )
