"""Weights that came back while learning, made into a proof (law 11)."""

import math
from fractions import Fraction

import numpy as np

from ..data.examples import Examples
from ..data.rows import rows_of
from ..errors import InputError
from ..proof.parts import Witness
from ..proof.proof import Proof
from ..runs.run import Run
from .search import search
from .subject import proof_facts


def loop_proof(run: Run) -> Proof:
    """The proof of inseparability in a run whose weights came back (law 11), if it is one in exact arithmetic.

    Between two equal weight vectors the updates add up to nothing: Σ τ·y·x′ = 0, and if no τ < 0 (as delta's may be)
    these are the multipliers of a witness. But floats can come back by rounding, so the rows between are asked again in
    exact numbers.

    >>> from rosenblatt import datasets, learn
    >>> loop_proof(learn(*datasets.get("xor"), log=True)).witness.rows
    (0, 1, 2, 3)
    """
    if run.status.name != "loop" or run.state.decision != "binary":
        raise InputError("only a two-class run that ended in a loop can hold a proof of inseparability")
    if run.scaled:
        raise InputError("a run on scaled rows proves nothing of the rows themselves: ask `separability`")
    path = run.trajectory()
    since = run.state.cycle_epoch * run.examples.n_rows
    between = path.births[path.change] > since
    rows = np.unique(path.row[between])
    origin = bool(run.state.rho2 == 0)
    some = Examples(rows_of(path.rows_at(rows)), run.examples.labels[rows], run.examples.classes)
    found = search(some, origin, math.inf, run.plan.threads, all_rows=False)
    if found.witness is None:
        negative = bool((path.step[between] < 0).any())
        why = "by steps of either sign, which prove nothing" if negative else "by rounding"
        raise InputError(f"the weights came back {why}: the rows in between can be separated; ask `separability`")
    which, alpha = found.witness
    total = sum(alpha, Fraction(0))
    return Proof(
        "inseparable",
        witness=Witness(tuple(rows[which].tolist()), tuple(a / total for a in alpha)),
        **proof_facts(run.examples, origin),
    )
