"""From a text file of 100 MB: reading it, and learning from it, whole process.

Ten epochs of the averaged perceptron against LIBLINEAR's trust-region Newton method (`-s 2`, to its own tolerance) and
Vowpal Wabbit, with ten passes over its own cache and with a single pass: each does what its users would have it do, so
accuracies are told and not compared.
"""

from benchmarks.contest import Claim, Command, Entry, Reading, Task
from benchmarks.files import text_file

_PLAN = ("--epochs", "10", "--tol", "never", "--order", "cyclic")  # as VW's passes go
_TRAIN = ("python", "-m", "rosenblatt", "train", "{svmlight}", "-m", "{out}", "-q", *_PLAN)
_LIBLINEAR = ("liblinear-train", "-q", "-s", "2", "{svmlight}", "{out}")
_VW = ("python", "-m", "vowpalwabbit", "--quiet", "--loss_function", "hinge", "-d", "{vw}", "-f", "{out}")


def tasks(quick: bool) -> tuple[Task, ...]:
    """Reading, then learning."""
    rows = 10_000 if quick else 100_000

    def data():  # type: ignore[no-untyped-def]
        return text_file(rows, 50_000)

    return (
        Task(
            name="read-svmlight",
            same_work="the same numbers, bit for bit",
            entries=(
                Entry("rosenblatt", "reading", Reading("rosenblatt", threads=2)),
                Entry("rosenblatt, one thread", "reading", Reading("rosenblatt")),
                Entry("scikit-learn", "reading", Reading("scikit-learn"), needs="scikit-learn"),
                Entry("wc -l", "command", Command(("wc", "-l", "{svmlight}"))),
            ),
            claims=(
                Claim("scikit-learn", "rosenblatt", at_least=20),
                Claim("rosenblatt", "wc -l", at_most=10),
                Claim("scikit-learn", "rosenblatt, one thread"),
            ),
            data=data,
            repeats=5,
        ),
        Task(
            name="file-to-model",
            same_work="each from the start of its process to its end, with a saved model",
            entries=(
                Entry("rosenblatt", "command", Command((*_TRAIN, "--threads", "2"), makes="model")),
                Entry("LIBLINEAR", "command", Command(_LIBLINEAR, makes="liblinear")),
                Entry("VW, 10 passes", "command", Command((*_VW, "--passes", "10", "-c", "-k", "--holdout_off"))),
                Entry("VW, 1 pass", "command", Command(_VW)),
            ),
            claims=(
                Claim("LIBLINEAR", "rosenblatt", at_least=5),
                Claim("VW, 10 passes", "rosenblatt", at_least=3.5),
                Claim("VW, 1 pass", "rosenblatt", at_least=1),
            ),
            data=data,
            repeats=5,
        ),
    )  # fmt: skip
