"""`rosenblatt check`: is there a separating hyperplane?"""

from typing import Any

import click

from .framework import (
    Answer,
    Settings,
    command,
    data_argument,
    positive_option,
    proof_option,
    reading_options,
    time_limit_option,
)


@command
@data_argument
@proof_option
@click.option("--origin", is_flag=True, help="Ask for hyperplanes through the origin only.")
@time_limit_option()
@positive_option
@reading_options
def check(settings: Settings, data: str, proof: str | None, origin: bool, time_limit: float | None) -> Answer:
    """Can a hyperplane separate the two classes? With proof.

    If not, the few rows that make it impossible are named by their lines, and the coefficients of a logistic
    regression that diverge. All of it is exact.

    Exit code: 0 separable, 1 not, 3 undecided within the time limit.
    """
    from ..report.data import data_report
    from ..report.verdict import verdict_report, verdict_text
    from ..separation.verdict import separability
    from .proofs import write_proof
    from .sides import two_sided

    sheet = settings.sheet(data)
    examples, sides = two_sided(sheet, settings.positive)
    verdict = separability(examples, through_origin=origin, time_limit=time_limit, threads=settings.threads)
    report: dict[str, Any] = {
        "data": data_report(sheet, sides.positive, sides.classes),
        "verdict": verdict_report(verdict, sheet, time_limit),
        "proof": None,
    }
    if proof is not None and verdict.separable is not None:
        report["proof"] = write_proof(proof, verdict.proof, verdict.check(), sheet)
    elif proof is not None:
        settings.note(f"note: {proof} is not written: there is nothing to prove yet")
    report["next"] = _next(settings, data, verdict, proof, origin)
    return Answer(report, verdict_text, {True: 0, False: 1, None: 3}[verdict.separable])


def _next(settings: Settings, data: str, verdict: Any, proof: str | None, origin: bool) -> list[dict[str, Any]]:
    from ..separation.sorting import MOST_COLUMNS
    from .proofs import verify_step

    steps: list[dict[str, Any]] = []
    if verdict.separable is None:
        return [{"why": "Give it more time: a longer --time-limit", "command": None}]
    if verdict.kind == "separable":
        margin = settings.again("margin", data, offset="0" if origin else None)
        steps.append({"why": "The largest margin, and the bound on a perceptron's mistakes", "command": margin})
    else:
        steps.append({"why": "Which labels to doubt", "command": settings.again("suspects", data, origin=origin)})
    if verdict.kind != "overlapping" and verdict.examples.n_columns <= MOST_COLUMNS:
        clinic = settings.again("clinic", data, origin=origin)
        steps.append({"why": "What a logistic regression can still say", "command": clinic})
    if proof is None:
        written = settings.again("check", data, origin=origin, proof="proof.json")
        steps.append({"why": "A proof that anyone can check", "command": written})
    else:
        steps.append(verify_step(settings, proof, data))
    return steps
