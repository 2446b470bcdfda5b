"""Settling separation: against SciPy's `linprog` on the full program, and against bare passes over the rows.

"Passes" are one-thread products `X @ w`. The verdict is exact, and so is the proof; `linprog` decides by a tolerance.
"""

from functools import partial

import numpy as np

from benchmarks import synthetic
from benchmarks.contest import Claim, Data, Entry, Question, Task, Work

LINPROG, OURS, PASS = "linprog", "separability", "one pass"
KINDS = ("separable", "overlapping", "quasi-separable")


def made(rows: int, columns: int, kind: str) -> Data:
    """Rows of one kind: a gap of 0.01; 5 % of labels flipped; or those beside a column that only positive rows have."""
    data = synthetic.dense(rows, columns, 0.01, 0, 0.0 if kind == "separable" else 0.05)
    if kind == "quasi-separable":
        data.rows[:, 0] = (data.labels > 0) & (np.random.default_rng(1).random(rows) < 0.3)
    return Data(f"{data.title}, {kind}", data.rows, data.labels, data.separator)


def tasks(quick: bool) -> tuple[Task, ...]:
    """Each kind at two sizes."""
    contest = tuple(
        Task(
            name=f"separation-linprog-{kind}",
            same_work="is it separable? the same answer",
            data=partial(made, 20_000 if quick else 200_000, 20, kind),
            entries=(Entry(LINPROG, "linprog", Question()), Entry(OURS, "rosenblatt, settling", Question())),
            claims=(Claim(LINPROG, OURS, at_least=30.0),),
            repeats=3,
        )
        for kind in KINDS
    )
    verify_within = {"separable": 15.0, "overlapping": 30.0, "quasi-separable": None}
    passes = tuple(
        Task(
            name=f"separation-passes-{kind}",
            same_work="the verdict, the same with its proof, and the checker, on two threads; a pass is X @ w on one",
            data=partial(made, 100_000 if quick else 1_000_000, 50, kind),
            entries=(
                Entry(PASS, "X @ w", Work(1)),
                Entry("verdict", "rosenblatt, settling", Question("verdict", 2)),
                Entry("verdict and proof", "rosenblatt, settling", Question("proof", 2)),
                Entry("verify", "rosenblatt, settling", Question("verify", 2)),
            ),
            claims=(
                Claim("verdict", PASS, at_most=40.0),
                Claim("verdict and proof", PASS, at_most=80.0),
                Claim("verify", PASS, at_most=verify_within[kind]),
            ),
            repeats=3,
        )
        for kind in KINDS
    )
    return contest + passes
