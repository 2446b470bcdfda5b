"""All of `fit`, our `Perceptron` against scikit-learn's: checks of the input, labels, epochs, and what is made of them.

Twenty sparse classes and ten dense ones are fair because both end with the same weights, after the same epochs in the
rows' order (`offset=0.1` is scikit-learn's silent ρ² = 0.01 on sparse rows). The newsgroups follow one another in
their file and are mixed beforehand, since nobody learns anything in that order. The average, which scikit-learn's has
not, is told for information.

The small fits are with the default settings of both, as they come. What they do differs (each has its own order and
its own end); what is asked is that ours be no slower.
"""

from collections.abc import Callable
from functools import partial

from benchmarks import classic, real
from benchmarks.contest import Claim, Data, Entry, Fit, Task, Work
from benchmarks.tasks.accuracy import TEXT

EPOCHS = 5
PEER = "rosenblatt, estimator"
SKLEARN, ONE, TWO = "scikit-learn", "last, 1 thread", "last, 2 threads"
AVERAGED = "averaged, 1 thread"

SMALL: dict[str, Callable[[], Data]] = {
    "iris-3-classes": partial(classic.all_of, "iris"),
    "iris-2-classes": partial(classic.two, "iris", 0),
    "iris-2-overlapping": partial(classic.two, "iris", 1),
}


def tasks(quick: bool) -> tuple[Task, ...]:
    """Two large fits and three small ones."""
    small = tuple(
        Task(
            name=f"estimator-{name}",
            same_work="`fit` with the default settings of each",
            data=data,
            entries=(Entry(SKLEARN, "scikit-learn", Fit()), Entry(AVERAGED, PEER, Fit())),
            claims=(Claim(SKLEARN, AVERAGED, at_least=1.0),),
            repeats=99,
        )
        for name, data in SMALL.items()
    )
    return (
        large("estimator-20news", partial(real.mixed, TEXT["20news"]), 0.1, 3.0),
        large("estimator-mnist", partial(real.mnist, 6_000 if quick else 60_000), 1.0, 5.0),
        *small,
    )


def large(name: str, data: Callable[[], Data], offset: float, target: float) -> Task:
    """The same run by both, and averaged."""
    return Task(
        name=name,
        same_work=f"`fit`, one-vs-rest, {EPOCHS} epochs in the rows' order, equal last weights",
        data=data,
        entries=(
            Entry(SKLEARN, "scikit-learn", Work(EPOCHS, offset=offset)),
            Entry(ONE, PEER, Work(EPOCHS, offset=offset)),
            Entry(TWO, PEER, Work(EPOCHS, offset=offset, threads=2)),
            Entry(AVERAGED, PEER, Work(EPOCHS, offset=offset, readout="averaged")),
        ),
        claims=(
            Claim(SKLEARN, ONE, at_least=target),
            Claim(SKLEARN, TWO, at_least=target),
            Claim(SKLEARN, AVERAGED),
        ),
        same_weights=(SKLEARN, ONE, TWO),
        repeats=5,
    )
