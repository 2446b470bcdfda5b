"""`rosenblatt clinic`: what is wrong with a logistic regression that diverges."""

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
@click.option("--origin", is_flag=True, help="The model has no offset (intercept).")
@proof_option
@time_limit_option(10.0)
@positive_option
@reading_options
def clinic(settings: Settings, data: str, origin: bool, proof: str | None, time_limit: float) -> Answer:
    """Is the logistic regression's estimate finite? If not, why?

    Which coefficients are infinite, the estimates of the others in the limit, the rows responsible, and the fewest
    rows whose removal changes that. All but the estimates is exact.

    Exit code: 0, or 3 if nothing is settled within the time limit.
    """
    from ..report.clinic import clinic_report, clinic_text, steps
    from ..report.data import data_report
    from ..separation.clinic.logistic_clinic import logistic_clinic
    from .proofs import verify_step, write_proof
    from .sides import two_sided

    sheet = settings.sheet(data)
    examples, sides = two_sided(sheet, settings.positive)
    found = logistic_clinic(examples, through_origin=origin, time_limit=time_limit, threads=settings.threads)
    report: dict[str, Any] = {
        "data": data_report(sheet, sides.positive, sides.classes),
        "clinic": clinic_report(found, sheet),
        "proof": None,
    }
    if proof is not None and found.verdict.separable is not None:
        report["proof"] = write_proof(proof, found.proof, found.check(), sheet)
    elif proof is not None:
        settings.note(f"note: {proof} is not written: there is nothing to prove yet")
    report["next"] = [{"why": text, "command": None} for text in steps(report["clinic"])]
    if report["proof"]:
        report["next"].append(verify_step(settings, str(proof), data))
    if found.kind == "undecided":
        report["next"].append({"why": "Give it more time: a longer --time-limit", "command": None})
    return Answer(report, clinic_text, 3 if found.kind == "undecided" else 0)
