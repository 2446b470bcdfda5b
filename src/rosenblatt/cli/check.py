"""`rosenblatt check`: is there a separating hyperplane?"""

from typing import Any

import click

from .framework import Answer, Settings, command, data_argument
from .questions import PATIENCE, TwoClassData, question_options
from .remedies import of_time


@command
@data_argument
@click.option("--origin", is_flag=True, help="Ask for hyperplanes through the origin only.")
@question_options(counts=True, stream=True)
def check(settings: Settings, data: str, proof: str | None, origin: bool, time_limit: float | None) -> Answer:
    """Can a hyperplane separate the two classes? With proof.

    If not, the few rows that make it impossible are named by their lines. Of a logistic regression it says whether
    there is complete separation (separable), quasi-complete separation or overlap, and which coefficients diverge.
    All of it is exact. Which coefficients diverge is given up after 10 s, or when --time-limit ends; the verdict
    stands without it.

    Ctrl-C ends it with what is known so far.

    Exit code: 0 separable, 1 not, 3 undecided within the time limit, 130 or 143 interrupted.
    """
    from ..report.verdict import verdict_text
    from ..separation.separability import separability

    subject = TwoClassData.of(settings, data, origin)
    asked = "looking for a separating hyperplane, or a proof that there is none"
    with settings.searching(asked, time_limit) as onlooker:
        verdict = separability(
            subject.examples, through_origin=origin, time_limit=time_limit, threads=settings.threads, progress=onlooker
        )
        report: dict[str, Any] = {
            "data": subject.report,
            "verdict": verdict.to_dict(subject.text, onlooker.watch(PATIENCE)),
            "proof": subject.proof(proof, verdict, onlooker, verdict.separable is not None),
        }
    report["next"] = _next(
        subject, verdict, report["proof"] and proof, origin, time_limit, onlooker.interrupted is not None
    )
    return subject.answer(report, verdict_text, {True: 0, False: 1, None: 3}[verdict.separable], onlooker)


def _next(
    subject: TwoClassData,
    verdict: Any,
    proof: str | None,
    origin: bool,
    time_limit: float | None,
    interrupted: bool,
) -> list[dict[str, Any]]:
    if verdict.separable is None:
        return of_time(time_limit, interrupted)
    if verdict.kind == "separable":
        why = "The largest margin, and the bound on a perceptron's mistakes"
        steps = [subject.step(why, "margin", offset="0" if origin else None)]
    elif subject.sheet.reading.counts or subject.settings.stream:
        steps = []  # suspects knows of rows alone, and of rows in memory
    else:
        steps = [subject.step("Which labels to doubt", "suspects", origin=origin)]
    if verdict.kind != "overlapping" and not subject.settings.stream:
        # Quasi-separable data are what statisticians have, whose model does not converge; the others may have slips.
        clinic = subject.step("What a logistic regression can still say", "clinic", origin=origin)
        steps.insert(0 if verdict.kind == "quasi-separable" else len(steps), clinic)
    if proof is None:
        steps.append(subject.step("A proof that anyone can check", "check", origin=origin, proof="proof.json"))
    return steps + subject.verify_step(proof)
