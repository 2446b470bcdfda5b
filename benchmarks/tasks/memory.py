"""Learning on a 1 GB array must not grow memory by more than 5 %.

Fresh processes make the same array, filled block by block so that making it leaves no peak of its own; one
stops there, the others learn. All have imported the library, so the ratio of the peaks is what learning adds.
"""

from benchmarks.contest import Claim, Entry, Script, Task

HOLD = """
import numpy, rosenblatt
rng = numpy.random.default_rng(0)
X = numpy.empty(({rows}, 100))
for block in numpy.array_split(X, len(X) // 1000):
    rng.standard_normal(out=block)
y = numpy.where(X[:, 0] > 0, 1, -1).astype(numpy.int8)
rosenblatt.learn
"""
HOLDING, ONE, TWO = "array alone", "learning, 1 thread", "learning, 2 threads"
SCRIPTS = {
    HOLDING: HOLD,
    ONE: HOLD + "rosenblatt.learn(X, y, max_epochs=3, threads=1)\n",
    TWO: HOLD + "rosenblatt.learn(X, y, max_epochs=3, threads=2)\n",
}


def tasks(quick: bool) -> tuple[Task, ...]:
    """One contest; the cost is the peak, not the time."""
    rows = 125_000 if quick else 1_250_000
    return (
        Task(
            name="memory",
            same_work=f"all hold the same {rows:,} × 100 float64; two learn 3 epochs from it",
            entries=tuple(
                Entry(label, "peak memory", Script(code.format(rows=rows)), needs="rosenblatt")
                for label, code in SCRIPTS.items()
            ),
            claims=(Claim(ONE, HOLDING, at_most=1.05), Claim(TWO, HOLDING, at_most=1.05)),
            unit="MB",
            repeats=3,
        ),
    )
