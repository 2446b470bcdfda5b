"""`rosenblatt clinic`: what is wrong with a logistic regression that diverges."""

from typing import Any

import click

from .framework import Answer, Settings, command, data_argument
from .questions import TwoClassData, question_options


@command
@data_argument
@click.option("--origin", is_flag=True, help="The model has no offset (intercept).")
@question_options(10.0, counts=True)
def clinic(settings: Settings, data: str, origin: bool, proof: str | None, time_limit: float) -> Answer:
    """Is the logistic regression's estimate finite? If not, why?

    Which coefficients are infinite, the estimates of the others in the limit, the rows responsible, and the fewest
    rows whose removal changes that. All but the estimates is exact.

    Exit code: 0, or 3 if nothing is settled within the time limit.
    """
    from ..report.clinic import clinic_text
    from ..report.words import next_steps
    from ..separation.clinic.logistic_clinic import logistic_clinic

    subject = TwoClassData.of(settings, data, origin)
    found = logistic_clinic(
        subject.examples, counts=subject.sheet.weights, through_origin=origin, time_limit=time_limit,
        threads=settings.threads,
    )  # fmt: skip
    report: dict[str, Any] = {
        "data": subject.report,
        "clinic": found.to_dict(),
        "proof": subject.proof(proof, found, found.verdict.separable is not None),
    }
    report["next"] = next_steps(found.advice, "command") + subject.verify_step(proof if report["proof"] else None)
    return Answer(report, clinic_text, 3 if found.kind == "undecided" else 0)
