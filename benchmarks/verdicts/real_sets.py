"""Real sets of the folder ROSENBLATT_DATA: two classes as they are, of more classes each against the rest.

What a user would type to read each of them, then the verdict within a limit. And the bracket on the fewest mistakes.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks import raw, real
from benchmarks.contest import AbsentError
from benchmarks.verdicts.measuring import WARM_UP

SECONDS = (10.0, 60.0)
BRACKETS = ("heart", "german", "spambase", "a9a")


def read(name: str, **options: Any) -> Any:
    """The examples of a file, as the library reads them."""
    import rosenblatt

    path = real.folder() / name
    if not path.is_file():
        raise AbsentError(f"{name} is not in the folder ROSENBLATT_DATA")
    return rosenblatt.read(path, threads=1, **options)


def loaded(name: str) -> Any:
    """The rows to learn from of a set that the other benchmarks know."""
    from rosenblatt import Examples

    X, y, *_ = (raw.CHOSEN | raw.BESIDE)[name][1]()
    return Examples.of(X, y)


SETS: dict[str, Callable[[], Any]] = {
    "heart": partial(read, "heart_scale.svm"),
    "german": partial(read, "german_scale.svm"),
    "german, symbolic": partial(read, "german_credit_symbolic.csv", label=-1),
    "ionosphere": partial(read, "ionosphere.data", label=-1),
    "banknote": partial(read, "banknote_authentication.csv", label=-1),
    "endometrial": partial(read, "endometrial.csv", label="HG"),
    "lizards": partial(read, "lizards.csv", counts=["grahami", "opalinus"]),
    "iris": partial(read, "iris_fisher_R.csv", label="Species"),
    "spambase": partial(loaded, "spambase"),
    "a9a": partial(loaded, "a9a"),
    "w8a": partial(loaded, "w8a"),
    "higgs": partial(loaded, "higgs"),
    "mushroom": partial(read, "mushroom_agaricus.svm.train.gz"),
    "golub": partial(read, "golub_leukemia.csv.xz", label=0),
    "criteo": partial(
        read, "criteo_tiny_train.csv.gz", label="Label", leave_out=["Id"], missing="mean", hash_bits=16
    ),
    "SMS": partial(read, "SMSSpamCollection.tsv.gz", label=0, words=[1]),
    "rcv1": partial(read, "rcv1_small.vw.gz"),
    "imdb": partial(loaded, "imdb"),
    "20news": partial(loaded, "20news"),
    "mnist": partial(loaded, "mnist"),
    "covtype": partial(loaded, "covtype"),
    "kddcup99": partial(loaded, "kddcup99"),
}  # fmt: skip


def questions(name: str) -> Iterator[tuple[str, Any]]:
    """The set, or each of its classes against the rest, with names."""
    from rosenblatt.data.two_classes import each_against_rest

    examples = SETS[name]()
    if len(examples.classes) == 2:
        yield name, examples
        return
    for label, two in each_against_rest(examples):
        yield f"{name}, {label} against the rest", two


def settle(examples: Any, limit: float) -> dict[str, Any]:
    """The verdict, whether its proof holds, and what is known where it is undecided."""
    import rosenblatt

    rosenblatt.separability(*WARM_UP, threads=1)
    begin = time.perf_counter()
    found = rosenblatt.separability(examples, time_limit=limit, threads=1)
    told = {"kind": found.kind, "seconds": time.perf_counter() - begin, "steps": list(found.found.steps)}
    told["size"] = f"{examples.n_rows:,} × {examples.n_columns:,}"
    if found.separable is None:
        return told | {"known": "nothing"}
    if found.kind == "undecided":
        told["known"] = f"not separable: a witness of {len(found.witness_rows)} rows"
    elif found.boundary_rows is None:
        told["known"] = "the rows on the boundary are not sorted out"
    begin = time.perf_counter()
    told["holds"] = bool(found.check())
    return told | {"verify": time.perf_counter() - begin}


def bracket(name: str, limit: float) -> dict[str, Any]:
    """The bracket on the fewest mistakes of a set, within a limit."""
    import rosenblatt

    examples = SETS[name]()
    rosenblatt.least_mistakes(*WARM_UP, time_limit=1.0, threads=1)
    begin = time.perf_counter()
    found = rosenblatt.least_mistakes(examples, time_limit=limit, threads=1)
    seconds = time.perf_counter() - begin
    return {
        "lower": found.lower,
        "upper": found.upper,
        "by": found.by,
        "seconds": seconds,
        "holds": bool(found.check()),
    }
