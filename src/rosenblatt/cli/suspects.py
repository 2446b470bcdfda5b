"""`rosenblatt suspects`: how few mistakes a hyperplane can make, and which labels to doubt."""

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
@click.option("-n", "--most", metavar="N", type=click.IntRange(0), default=20, show_default=True, help="Rows to list.")
@click.option("--origin", is_flag=True, help="Ask for hyperplanes through the origin only.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the search begins.")
@proof_option
@time_limit_option(10.0)
@positive_option
@reading_options
def suspects(
    settings: Settings, data: str, most: int, origin: bool, seed: int, proof: str | None, time_limit: float
) -> Answer:
    """The fewest mistakes possible, and the labels to doubt.

    To find the fewest is NP-hard, so the answer is a bracket: so many mistakes are enough, so many are needed. It is
    often one number. Rows are listed by how much they stand in the way.

    Exit code: 0.
    """
    from ..report.data import data_report
    from ..report.mistakes import mistakes_report, mistakes_text
    from ..separation.mistakes.least_mistakes import least_mistakes
    from .proofs import write_proof
    from .sides import two_sided

    sheet = settings.sheet(data)
    examples, sides = two_sided(sheet, settings.positive)
    found = least_mistakes(examples, through_origin=origin, time_limit=time_limit, threads=settings.threads, seed=seed)
    report: dict[str, Any] = {
        "data": data_report(sheet, sides.positive, sides.classes),
        "mistakes": mistakes_report(found, sheet, most),
        "proof": None if proof is None else write_proof(proof, found.proof, found.check(), sheet),
    }
    report["next"] = _next(settings, data, found, proof, origin)
    return Answer(report, mistakes_text)


def _next(settings: Settings, data: str, found: Any, proof: str | None, origin: bool) -> list[dict[str, Any]]:
    from .proofs import verify_step

    steps: list[dict[str, Any]] = []
    if not found.upper:
        margin = settings.again("margin", data, offset="0" if origin else None)
        steps.append({"why": "The margin of the best hyperplane", "command": margin})
    if proof is not None:
        steps.append(verify_step(settings, proof, data))
    return steps
