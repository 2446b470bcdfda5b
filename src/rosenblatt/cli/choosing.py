"""`train --rule auto`: which rule learns, found out by rows held out; and what a model that was chosen goes on with."""

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ..errors import InputError, plural
from .class_weights import repeated
from .ending import TerminatedError
from .named import is_example, plan_of_example
from .settings import Settings

if TYPE_CHECKING:
    from ..data.source import Source
    from ..learning.progress import Progress
    from ..models.model import Model
    from ..runs.choice import Choice
    from ..runs.run import Run

AUTO, USUAL = "auto", "perceptron"
ONE_RULE = (
    "readout", "epochs", "order", "tol", "patience", "eta", "schedule", "batch_size", "beta", "C", "multiclass",
    "scale", "step_tol", "start", "offset", "trace", "trace_file", "trace_rounds", "trace_class", "require_clean",
)  # fmt: skip
"""The options that say how one rule learns, or ask about its run: there is nothing to choose then."""


def rule_for(data: str, asked: dict[str, Any], typed: set[str], resumed: bool) -> tuple[str, str | None]:
    """The rule to learn by, or "auto"; and a line that says why nothing is chosen, where that is not plain."""
    fixing = [f"--{name.replace('_', '-')}" for name in ONE_RULE if name in typed and not _left_open(name, asked)]
    if "rule" in typed:
        if asked["rule"] == AUTO and resumed:
            raise InputError("--resume goes on as before, and --rule auto chooses anew: expected one of them")
        if asked["rule"] == AUTO and fixing:
            raise InputError(
                f"{fixing[0]} is an option of one rule, and --rule auto chooses among several: leave one of them out,"
                " or name the rule, as in --rule perceptron"
            )
        if asked["rule"] != AUTO:
            _known(asked["rule"])  # before a long file is read
        return asked["rule"], None
    if resumed:
        return asked["rule"] if asked["rule"] != AUTO else USUAL, None
    if is_example(data) and plan_of_example(data):
        return USUAL, None  # its plan says how it is meant
    if fixing:
        said = f"{fixing[0]} is an option of one rule, so the rule is {USUAL}; without it train chooses by itself"
        return USUAL, said
    return AUTO, None


def _known(rule: str) -> None:
    from .. import rules

    try:
        rules.get(rule)
    except InputError as error:
        raise InputError(f"{error}; or {AUTO}, which chooses") from None


def _left_open(name: str, asked: dict[str, Any]) -> bool:
    """Whether an option has a value that candidates may have, too."""
    return (name == "offset" and asked["offset"] in (0, 1)) or (name == "start" and asked["start"] == "zero")


def chosen_then(model: "Model") -> dict[str, Any]:
    """What a model that was chosen was learnt by, in the words of the options; nothing of other models."""
    if model.choice is None:
        return {}
    plan = model.choice.plan()
    own = {"epochs": plan.pop("max_epochs"), "offset": 1.0 if model.parameters.get("fit_intercept", True) else 0.0}
    return {**plan, **own, "tol": "never"}


def chosen_run(
    source: "Source",
    asked: dict[str, Any],
    settings: Settings,
    stopped: list[int],
    watch: "Callable[[Progress], bool]",
    marks: Iterable[int],
    weights: Any = None,
    chosen: "Callable[[Choice], Any] | None" = None,
) -> tuple["Run", "Choice"]:
    """Choose, and learn the chosen one. A signal that comes while choosing ends it: there is nothing to keep yet."""
    from ..learning.choose import choose, most_epochs
    from .progress import working_line

    said, epochs = "", most_epochs(source)
    with ExitStack() as line:
        tell = line.enter_context(working_line(settings.shows_progress))
        tell("choosing: measuring the columns")

        def racing(epoch: int, running: int) -> None:
            nonlocal said
            if stopped:
                kind = TerminatedError if stopped[0] == signal.SIGTERM else KeyboardInterrupt
                raise kind("while choosing: nothing was learnt yet, and nothing is written")
            now = f"choosing: epoch {epoch} of at most {epochs}, {plural(running, 'candidate')}"
            if now != said:
                tell(now)
            said = now

        def learning(progress: "Progress") -> bool:
            line.close()  # the table of the run begins
            return watch(progress)

        return choose(
            source, seed=asked["seed"], offset=asked["offset"], sample_weight=weights, threads=settings.threads,
            callback=learning, racing=racing, chosen=chosen, marks=marks,
        )  # fmt: skip


def alone(
    settings: Settings, data: str, target: str, choice: "Choice", offset: float, classes: int, by_class: Any = None
) -> dict[str, Any]:
    """The command that learns the chosen one without choosing, to the same bits; into a file of its own."""
    plan, (stem, ending) = choice.plan(), os.path.splitext(target)
    own = {
        "rule": plan["rule"],
        "beta": None if plan["beta"] is None else f"{plan['beta']:g}",
        "scale": None if plan["scale"] == "none" else plan["scale"],
        "multiclass": plan["multiclass"] if classes > 2 and plan["multiclass"] != "ovr" else None,
        "epochs": plan["max_epochs"],
        "tol": "never",
        "seed": plan["seed"] or None,
        "offset": None if offset else 0,
        "class_weight": repeated(by_class),
        "model": f"{stem}.{plan['rule']}{ending}",
    }
    return {"why": "Learn this one without choosing, to the same bits", "command": settings.again("train", data, **own)}
