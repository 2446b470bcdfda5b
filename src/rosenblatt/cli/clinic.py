"""`rosenblatt clinic`: what is wrong with a logistic regression that diverges."""

from typing import Any

import click

from .framework import Answer, Settings, command, data_argument
from .questions import TwoClassData, question_options
from .remedies import of_time


@command
@data_argument
@click.option("--origin", is_flag=True, help="The model has no offset (intercept).")
@question_options(10.0, counts=True)
def clinic(settings: Settings, data: str, origin: bool, proof: str | None, time_limit: float) -> Answer:
    """Is the logistic regression's estimate finite? If not, why?

    It is not under complete separation (separable data) and quasi-complete separation (quasi-separable); it is where
    the classes overlap (Albert and Anderson 1984). Which coefficients are infinite, in R's terms; the estimates of the
    others in the limit; the rows responsible, and the fewest rows whose removal changes that. Columns that depend on
    earlier ones are dropped, as R's glm does, and named with what they equal. All but the estimates is exact.

    Ctrl-C ends it with what is known so far.

    Exit code: 0, or 3 if nothing is settled within the time limit, 130 or 143 if it was interrupted.
    """
    from ..report.clinic import clinic_text
    from ..separation.clinic.logistic_clinic import logistic_clinic

    subject = TwoClassData.of(settings, data, origin)
    with settings.searching("examining the logistic regression", time_limit) as onlooker:
        found = logistic_clinic(
            subject.examples, counts=subject.counts, through_origin=origin, time_limit=time_limit,
            threads=settings.threads, text=subject.text, progress=onlooker,
        )  # fmt: skip
        report: dict[str, Any] = {
            "data": subject.report,
            "clinic": found.to_dict(),
            "proof": subject.proof(proof, found, onlooker, found.verdict.separable is not None),
        }
    more = of_time(time_limit, onlooker.interrupted is not None)
    report["next"] = _next(subject, found, proof if report["proof"] else None, origin, more)
    return subject.answer(report, clinic_text, 3 if found.kind == "undecided" else 0, onlooker)


def _next(
    subject: TwoClassData, found: Any, proof: str | None, origin: bool, more: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    from ..report.terms import to_leave_out
    from ..report.words import next_steps

    of_time_alone = {"give-more-time", "unsettled-coefficients", "run-again"}
    advice = [key for key in found.advice if key not in of_time_alone]
    steps = [*(more if of_time_alone.intersection(found.advice) else []), *next_steps(advice, "command")]
    if found.kind == "undecided":
        return steps
    if found.kind == "overlapping" and not steps and found.converged and not found.nearly_dependent:
        steps = next_steps(["fit-it"], "command")
    if names := to_leave_out(found.nearly_dependent, subject.report):
        names = [*subject.settings.reading.leave_out, *names]
        why = "Ask again without the columns that rounding alone keeps apart"
        steps.insert(0, subject.step(why, "clinic", origin=origin, leave_out=names))
    if proof is None:
        steps.append(subject.step("A proof that anyone can check", "clinic", origin=origin, proof="proof.json"))
    return steps + subject.verify_step(proof)
