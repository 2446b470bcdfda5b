"""`rosenblatt suspects`: how few mistakes a hyperplane can make, and which labels to doubt."""

from typing import Any

import click

from ..errors import plural
from .framework import Answer, Settings, command, data_argument
from .questions import TwoClassData, question_options, with_commands_words


@command
@data_argument
@click.option("-n", "--most", metavar="N", type=click.IntRange(0), default=20, show_default=True, help="Rows to list.")
@click.option("--origin", is_flag=True, help="Ask for hyperplanes through the origin only.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the search begins.")
@question_options(10.0)
def suspects(
    settings: Settings, data: str, most: int, origin: bool, seed: int, proof: str | None, time_limit: float
) -> Answer:
    """The fewest mistakes possible, and the labels to doubt.

    To find the fewest is NP-hard, so the answer is a bracket: so many mistakes are enough, so many are needed. It is
    often one number. Rows are listed by how much they stand in the way.

    Ctrl-C ends it with the bracket so far.

    Exit code: 0, or 130 or 143 if it was interrupted.
    """
    from ..report.mistakes import mistakes_text
    from ..separation.mistakes.least_mistakes import least_mistakes

    subject = TwoClassData.of(settings, data, origin)
    with settings.searching("looking for the fewest mistakes", time_limit) as onlooker:
        found = least_mistakes(
            subject.examples, through_origin=origin, time_limit=time_limit, threads=settings.threads, seed=seed,
            progress=onlooker,
        )  # fmt: skip
        report: dict[str, Any] = {
            "data": subject.report,
            "mistakes": with_commands_words(found.to_dict(most), found.status),
            "proof": subject.proof(proof, found, onlooker),
        }
    steps = []
    if not found.upper:
        steps.append(subject.step("The margin of the best hyperplane", "margin", offset="0" if origin else None))
    else:
        why = "Look at the rows listed here, correct the labels that are wrong, and ask again"
        steps.append(subject.step(why, "check", origin=origin))
    if (count := len(found.suspects)) > most:
        steps.append(subject.step(f"All {plural(count, 'row')} to look at", "suspects", most=count, origin=origin))
    report["next"] = steps + subject.verify_step(proof)
    return subject.answer(report, mistakes_text, 0, onlooker)
