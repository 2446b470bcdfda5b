"""`rosenblatt margin`: the largest margin, bracketed and certified."""

import math
from typing import Any

import click

from .framework import Answer, Settings, command, data_argument
from .questions import PATIENCE, TwoClassData, question_options, with_commands_words
from .remedies import of_time


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
@question_options(counts=True, stream=True)
def margin(
    settings: Settings, data: str, offset: float | str, rel_gap: float, proof: str | None, time_limit: float | None
) -> Answer:
    """The largest margin: bounds, and the rows that hold it.

    With --offset RHO or 0 the margin is the one that the perceptron's theorem speaks of: at most (R'/margin)^2
    updates.

    Ctrl-C ends it with the bounds so far.

    Exit code: 0 there is a margin, 1 no hyperplane separates the rows, 3 undecided within the time limit, 130 or 143
    interrupted.
    """
    from ..report.margin import margin_text
    from ..separation.margin.max_margin import max_margin

    subject = TwoClassData.of(settings, data, offset == 0)
    with settings.searching("looking for the largest margin", time_limit) as onlooker:
        best = max_margin(
            subject.examples, offset=offset, rel_gap=rel_gap, time_limit=time_limit, threads=settings.threads,
            progress=onlooker,
        )  # fmt: skip
        verdict = best.verdict
        report: dict[str, Any] = {
            "data": subject.report,
            "margin": with_commands_words(best.to_dict(), best.status),
            "verdict": None if verdict is None else verdict.to_dict(subject.text, onlooker.watch(PATIENCE)),
            "proof": subject.proof(proof, best, onlooker, best.separable is not None),
        }
    report["next"] = _next(
        subject, best.separable, offset, report["proof"] and proof, time_limit, onlooker.interrupted is not None
    )
    return subject.answer(report, margin_text, {True: 0, False: 1, None: 3}[best.separable], onlooker)


def _next(
    subject: TwoClassData,
    separable: bool | None,
    offset: float | str,
    proof: str | None,
    time_limit: float | None,
    interrupted: bool,
) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    if separable is None:
        return of_time(time_limit, interrupted)
    if not separable and (subject.sheet.reading.counts or subject.settings.stream):
        pass  # suspects knows of rows alone, and of rows in memory
    elif not separable:
        steps.append(subject.step("Which labels to doubt", "suspects", origin=offset == 0))
    elif offset == "free":
        steps.append(subject.step("How many mistakes a perceptron with an offset can make", "margin", offset="1"))
    if proof is None:
        own = {"offset": None if offset == "free" else _typed(offset), "proof": "proof.json"}
        steps.append(subject.step("A proof that anyone can check", "margin", **own))
    return steps + subject.verify_step(proof)


def _typed(offset: float | str) -> str:
    return offset if isinstance(offset, str) else repr(offset).removesuffix(".0")
