"""Ten classes in the shape of MNIST, ten epochs, against scikit-learn's one-vs-rest `Perceptron`.

Fair because one-vs-rest ends with the same ten hyperplanes; scikit-learn makes ten passes where we make one.
The direct multiclass perceptron is another algorithm with another answer, told for information.
Once on synthetic rows, and once on MNIST itself where ROSENBLATT_DATA has it.
"""

from functools import partial

from benchmarks import real, synthetic
from benchmarks.contest import Claim, Entry, Task, Work

EPOCHS = 10
SKLEARN, ONE, TWO = "scikit-learn", "rosenblatt, 1 thread", "rosenblatt, 2 threads"
DIRECT = "rosenblatt, direct"


def tasks(quick: bool) -> tuple[Task, ...]:
    """The synthetic set and the real one."""
    rows = 6_000 if quick else 60_000
    return tuple(
        Task(
            name=name,
            same_work=f"one-vs-rest, {EPOCHS} epochs in the rows' order, equal weights at the end",
            data=data,
            entries=(
                Entry(SKLEARN, "scikit-learn", Work(EPOCHS)),
                Entry(ONE, "rosenblatt", Work(EPOCHS)),
                Entry(TWO, "rosenblatt", Work(EPOCHS, threads=2)),
                Entry(DIRECT, "rosenblatt", Work(EPOCHS, multiclass="direct")),
            ),
            claims=(
                Claim(SKLEARN, ONE, at_least=5.0),
                Claim(SKLEARN, TWO, at_least=5.0),
                Claim(SKLEARN, DIRECT),
            ),
            same_weights=(SKLEARN, ONE, TWO),
            repeats=3,
        )
        for name, data in (
            ("ten-classes", partial(synthetic.digits, rows)),
            ("ten-classes-mnist", partial(real.mnist, rows)),
        )
    )
