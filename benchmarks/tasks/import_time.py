"""What the library adds to a program's start: `from rosenblatt import learn` and a tiny run.

Fresh processes, from their start to their exit. The cost of `import numpy` is subtracted repetition by
repetition, because a user of either has it already. scikit-learn doing the same is told for information.
"""

from benchmarks.contest import Claim, Entry, Script, Task

NUMPY = """
import numpy
X = numpy.array([[4.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-2.0, -2.0]])
y = numpy.array([1, -1, -1, 1])
"""
OURS = NUMPY + "from rosenblatt import learn\nlearn(X, y)\n"
THEIRS = NUMPY + "from sklearn.linear_model import Perceptron\nPerceptron().fit(X, y)\n"


def tasks(quick: bool) -> tuple[Task, ...]:
    """One contest; differences in milliseconds."""
    return (
        Task(
            name="import",
            same_work="each one from its start to its end; differences, not ratios",
            entries=(
                Entry("import numpy", "process", Script(NUMPY)),
                Entry("rosenblatt", "process", Script(OURS), needs="rosenblatt"),
                Entry("scikit-learn", "process", Script(THEIRS), needs="scikit-learn"),
            ),
            claims=(
                Claim("rosenblatt", "import numpy", at_most=0.050, how="difference"),
                Claim("scikit-learn", "import numpy", how="difference"),
            ),
            repeats=15,
        ),
    )
