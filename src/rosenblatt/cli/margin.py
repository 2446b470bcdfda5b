"""`rosenblatt margin`: the largest margin, bracketed and certified."""

import math
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


def _offset(_: click.Context, parameter: click.Parameter, value: str) -> float | str:
    """`free`, `radius`, or a number ρ ≥ 0."""
    if value in ("free", "radius"):
        return value
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise click.BadParameter(f"{value!r} is not 'free', 'radius' or a number >= 0", param=parameter)
    return number


@command
@data_argument
@click.option(
    "--offset",
    callback=_offset,
    metavar="free|radius|RHO",
    default="free",
    show_default=True,
    help="A free offset; one of scale RHO (the augmented margin, which bounds a perceptron's mistakes); 0: none.",
)
@click.option(
    "--rel-gap", metavar="GAP", type=click.FloatRange(min=0), default=1e-6, show_default=True,
    help="How far apart the bounds may be, relatively.",
)  # fmt: skip
@proof_option
@time_limit_option()
@positive_option
@reading_options
def margin(
    settings: Settings, data: str, offset: float | str, rel_gap: float, proof: str | None, time_limit: float | None
) -> Answer:
    """The largest margin: bounds, and the rows that hold it.

    With --offset RHO or 0 the margin is the one that the perceptron's theorem speaks of: at most (R'/margin)^2
    updates.

    Exit code: 0 there is a margin, 1 no hyperplane separates the rows, 3 undecided within the time limit.
    """
    from ..report.data import data_report
    from ..report.margin import margin_report, margin_text
    from ..report.verdict import verdict_report
    from ..separation.margin.max_margin import max_margin
    from .proofs import write_proof
    from .sides import two_sided

    sheet = settings.sheet(data)
    examples, sides = two_sided(sheet, settings.positive)
    best = max_margin(examples, offset=offset, rel_gap=rel_gap, time_limit=time_limit, threads=settings.threads)
    report: dict[str, Any] = {
        "data": data_report(sheet, sides.positive, sides.classes),
        "margin": margin_report(best, sheet),
        "verdict": None if best.verdict is None else verdict_report(best.verdict, sheet, time_limit),
        "proof": None,
    }
    if proof is not None and best.separable is not None:
        report["proof"] = write_proof(proof, best.proof, best.check(), sheet)
    elif proof is not None:
        settings.note(f"note: {proof} is not written: there is nothing to prove yet")
    report["next"] = _next(settings, data, best.separable, offset, proof)
    return Answer(report, margin_text, {True: 0, False: 1, None: 3}[best.separable])


def _next(
    settings: Settings, data: str, separable: bool | None, offset: float | str, proof: str | None
) -> list[dict[str, Any]]:
    from .proofs import verify_step

    steps: list[dict[str, Any]] = []
    if separable is None:
        return [{"why": "Give it more time: a longer --time-limit", "command": None}]
    if not separable:
        doubted = settings.again("suspects", data, origin=offset == 0)
        steps.append({"why": "Which labels to doubt", "command": doubted})
    elif offset == "free":
        bounded = settings.again("margin", data, offset="1")
        steps.append({"why": "How many mistakes a perceptron with an offset can make", "command": bounded})
    if proof is not None:
        steps.append(verify_step(settings, proof, data))
    return steps
