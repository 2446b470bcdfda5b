"""Nothing to set: accuracy on rows held out, of raw columns, with no setting at all; and what that costs.

Our classifier chooses rule, scale and epochs by itself. Asked for: a mean of 87 % over seven sets; in each of them no
more than half a point below the best of three of scikit-learn's as they come, and no more than one below the logistic
regression whose columns were scaled for it. Four sets that no constant of ours was chosen with are told beside.

Time: choosing may cost six plain runs of ten epochs, or 0.2 s; and a logistic regression that takes more than 0.5 s is
to be beaten. For accuracies a repetition is a seed, for times it is the seed 0 again. The accuracies of scikit-learn's
can be kept (`benchmarks.kept`), since some of its fits take minutes; its times are measured anew.
"""

from functools import partial

from benchmarks import raw
from benchmarks.contest import Claim, Defaults, Entry, Task, Work
from benchmarks.peers.scikit_learn_defaults import LOGISTIC, SCALED, SGD, SVC

OURS, PLAIN, WITH_SCALES, EPOCHS = "rosenblatt", (LOGISTIC, SVC, SGD), "scaled logistic", "10 epochs"
PEER, THEIRS = "rosenblatt, defaults", "scikit-learn, defaults"
SEEDS = 5
SMALL = ("spambase", "a9a", "higgs", "german", "ionosphere")


def tasks(quick: bool) -> tuple[Task, ...]:
    """The seven, their mean, the four beside; then the times of all."""
    names, beside = ([name for name in sets if name in SMALL or not quick] for sets in (raw.CHOSEN, raw.BESIDE))
    average = Task(
        name="defaults-mean",
        same_work="the mean of these sets, each counted once",
        entries=(),
        claims=(Claim(OURS, at_least=None if quick else 87.0, how="level"),),
        unit="%",
        over=tuple(f"defaults-{name}" for name in names),
        chapter="nothing-to-set",
    )
    first = [accuracy(name, -0.5, -1.0) for name in names]
    return (*first, average, *(accuracy(name) for name in beside), *map(cost, [*names, *beside]))


def accuracy(name: str, best: float | None = None, scaled: float | None = None) -> Task:
    """One set, everybody with its defaults."""
    return Task(
        name=f"defaults-{name}",
        same_work="nothing set, raw columns, rows held out; each repetition is a seed",
        data=partial(raw.data, name),
        entries=(
            Entry(OURS, PEER, Defaults()),
            *(Entry(each, THEIRS, Defaults(each)) for each in PLAIN),
            Entry(WITH_SCALES, THEIRS, Defaults(SCALED)),
        ),
        claims=(
            Claim(OURS, PLAIN, at_least=best, how="points"),
            Claim(OURS, WITH_SCALES, at_least=scaled, how="points"),
        ),
        unit="%",
        repeats=SEEDS,
        chapter="nothing-to-set",
    )


def cost(name: str) -> Task:
    """What choosing costs: in runs of ten epochs, and against the logistic regression."""
    return Task(
        name=f"choosing-{name}",
        same_work="`fit` with nothing set; `learn`, 10 shuffled epochs, averaged; all on one thread",
        data=partial(raw.data, name),
        entries=(
            Entry(OURS, PEER, Defaults(measure="time")),
            Entry(EPOCHS, "rosenblatt", Work(10, "shuffled", readout="averaged")),
            Entry(LOGISTIC, THEIRS, Defaults(LOGISTIC, "time")),
        ),
        claims=(
            Claim(OURS, EPOCHS, at_most=6.0, enough=0.2),
            Claim(LOGISTIC, OURS, at_least=1.0, above=0.5),
        ),
        repeats=3,
    )
