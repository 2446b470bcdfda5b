"""Captions: the first line above a figure of a separation, of each thing it can be of."""

import math
from typing import TYPE_CHECKING, Any

from ..canvas import display_name
from ..lettering import count, short

if TYPE_CHECKING:
    from ...proof.proof import Proof
    from ...runs.run import Run
    from ...separation.margin.result import MaxMargin
    from ...separation.verdict import Verdict

READOUTS = {"last": "last", "averaged": "averaged", "pocket": "pocket's"}


def of_run(run: "Run", readout: str) -> str:
    """Which weights of which run, and how it ended."""
    vote = " (a vote is no hyperplane)" if run.plan.readout == "voted" else ""
    head = f"{display_name(run.rule.name).capitalize()}, {READOUTS[readout]} weights{vote}"
    return f"{head}: {run.status.name}, {count(run.epochs, 'epoch')}, {count(run.updates, 'update')}"


def of_verdict(verdict: "Verdict") -> str:
    """What it says."""
    what = {1: "threshold", 2: "line"}.get(verdict.examples.n_columns, "hyperplane")
    through = " through the origin" if verdict.through_origin else ""
    if verdict.margin is not None:
        return f"Separable{through}: this {what} has a margin of {short(verdict.margin, 4)}"
    if verdict.kind == "quasi-separable":
        return f"Quasi-separable{through}: only with rows on the {what}"
    if verdict.separable is None:
        return "Undecided: the time limit ran out"
    rows = 0 if verdict.witness_rows is None else verdict.witness_rows.size
    return f"No {what}{through} separates: {count(rows, 'row')} prove it"


def of_margin(best: "MaxMargin") -> str:
    """The margin, or its bounds."""
    if best.hyperplane is None:
        return "Undecided: the time limit ran out"
    through = " through the origin" if best.rho2 == 0 else ""
    if best.rho2:
        return f"Largest augmented margin {short(best.margin, 4)}: distance {short(best.plain_margin, 4)}"
    low, high = best.margin, best.margin_upper
    if short(low, 4) == short(high, 4) or not math.isfinite(high):
        return f"Separable{through}: the largest margin is {short(low, 4)}"
    return f"Separable{through}: the largest margin is {short(low, 4)} to {short(high, 4)}"


def of_proof(proof: "Proof") -> str:
    """What it claims."""
    known = proof.to_dict()
    claim = known["claim"]
    if "mistakes" in known:
        claim = f"{count(known['mistakes'], 'mistake')} here, and at least {short(known['least'])} with any hyperplane"
    elif known.get("margin") is not None:
        claim = f"a margin of {short(known['margin'], 4)}"
    return f"Proof, {proof.kind}{' through the origin' * proof.through_origin}: {claim}"


def of_estimator(estimator: Any, wrong: int, rows: int, outputs: int = 1) -> str:
    """What it is, and its mistakes (m ≤ 0); of several classes, how many rows it predicts wrong."""
    name = display_name(type(estimator).__name__)
    if outputs > 1:
        return f"{name}: {short(wrong)} of {count(rows, 'row')} predicted wrong"
    return f"{name}: {count(wrong, 'mistake')} on {count(rows, 'row')}"
