"""The figures of `rosenblatt plot`: of data, which are settled or learnt first, of a model, and of a proof."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InputError, plural
from .framework import Settings
from .kinds import model_in
from .named import examples_in, plan_of_example

if TYPE_CHECKING:
    from ..data.examples import Examples
    from ..files.sheet import Sheet
    from ..runs.run import Run

Learning = Callable[[], "tuple[Run, Mapping[str, Any]]"]
"""What gives a run on the data, learnt when it is first asked for, and what the data are."""
KINDS = ("separation", "margins", "readouts", "mistakes", "theorem", "loss")
"""What can be drawn of data."""


@dataclass(frozen=True)
class Drawn:
    """A figure, what it says in a line, what it is of, and the exit code."""

    kind: str
    title: str
    figure: Any
    data: Mapping[str, Any] | None
    exit: int = 0


def figure_of_data(
    settings: Settings, sheet: "Sheet", kind: str, origin: bool, time_limit: float, learning: Learning
) -> Drawn:
    """Settle the data, or learn from them, and draw it."""
    if kind == "separation" and (settings.positive is not None or _classes(sheet) == 2):
        return _settled(settings, sheet, origin, time_limit)
    run, report = learning()
    from .. import plots

    if kind == "theorem":
        from ..separation.margin.max_margin import max_margin

        best = max_margin(run.examples, offset=run.plan.offset, time_limit=time_limit, threads=settings.threads)
        if not best.separable:
            why = "no hyperplane separates the rows" if best.separable is False else "it was not settled in time"
            raise InputError(f"{sheet.name}: {why}, and --kind theorem sets a run beside one that does; try another")
        display: Any = plots.TheoremDisplay.from_run(run, best)
    else:
        made = {
            "separation": plots.SeparationDisplay, "margins": plots.MarginDistributionDisplay,
            "readouts": plots.ReadoutsDisplay, "mistakes": plots.MistakesDisplay, "loss": plots.LossDisplay,
        }  # fmt: skip
        display = made[kind].from_run(run)  # type: ignore[attr-defined]
    return Drawn(kind, f"{kind.capitalize()}, of a run: {how(run)}", display.figure_, report)


def animation_of_data(target: str, learning: Learning) -> Drawn:
    """Write the animation of a run on the data; what it is of."""
    from ..plots import animate

    run, report = learning()
    animate(run, target)
    return Drawn("animation", f"A run, step by step: {how(run)}", None, report)


def how(run: "Run") -> str:
    """How a run ended, in a few words."""
    return f"{run.status.name}, {plural(run.epochs, 'epoch')}, {plural(run.updates, 'update')}"


def _settled(settings: Settings, sheet: "Sheet", origin: bool, time_limit: float) -> Drawn:
    from ..plots import SeparationDisplay
    from ..separation.margin.max_margin import max_margin
    from .sides import two_sided

    examples, sides = two_sided(sheet, settings.positive)
    offset: Any = 0 if origin else "free"
    best = max_margin(examples, offset=offset, time_limit=time_limit, threads=settings.threads)
    display = SeparationDisplay.from_margin(best)
    report = sheet.to_dict(sides.positive, sides.classes)
    return Drawn("separation", display.title, display.figure_, report, 3 if best.separable is None else 0)


def learnt(settings: Settings, sheet: "Sheet", origin: bool) -> tuple["Run", Mapping[str, Any]]:
    """A run on the data, with a log: as `train` learns them, of a worked example as it is meant."""
    from ..learning.learn import learn
    from .sides import two_sided

    plan: dict[str, Any] = {"order": "shuffled", "tol": 1e-3, "readout": ("averaged", "last", "voted")}
    if sheet.format == "example" and (meant := plan_of_example(sheet.name)):
        plan = {"readout": ("last", "averaged", "voted"), **meant}
    if origin:
        plan["offset"] = 0
    if settings.positive is not None:
        examples, sides = two_sided(sheet, settings.positive)
        report = sheet.to_dict(sides.positive, sides.classes)
    else:
        examples, report = examples_in(sheet), sheet.to_dict()
    return learn(examples, log=True, threads=settings.threads, **plan), report


def figure_of_model(settings: Settings, file: str, form: str, data: str | None, kind: str | None) -> Drawn:
    """Its weights; or with data its hyperplane on them, or how far their rows are from it."""
    from .. import plots
    from ..files.matching import matched
    from ..files.reading import Reading

    found = model_in(file, form)
    if data is None:
        if kind is not None:
            raise InputError(f"{file}: a model without data: its weights are drawn; expected DATA, or no --kind")
        display: Any = plots.WeightsDisplay.from_estimator(found, first=1 if form == "liblinear" else 0)
        return Drawn("weights", display.title, display.figure_, None)
    if kind not in (None, "separation", "margins"):
        raise InputError(f"--kind {kind} is drawn of a run on DATA; of a model expected separation or margins")
    reading = found.reading or Reading()
    sheet = settings.sheet_for(found, data)
    rows, notes = matched(sheet, found.feature_names, found.n_features_in_, reading)
    for text in notes:
        settings.note(f"note: {text}")
    made = plots.MarginDistributionDisplay if kind == "margins" else plots.SeparationDisplay
    display = made.from_estimator(found, rows, sheet.labels)
    return Drawn(kind or "separation", display.title, display.figure_, sheet.to_dict())


def figure_of_proof(settings: Settings, file: str, data: str | None, kind: str | None) -> Drawn:
    """What it claims, on the data that it holds for."""
    from ..plots import SeparationDisplay
    from ..proof.proof import Proof
    from ..proof.verify import verify
    from .proofs import as_read, positive_of
    from .sides import two_sided

    if data is None:
        raise InputError(f"{file}: a proof is drawn on its data; expected rosenblatt plot {file} DATA")
    if kind not in (None, "separation"):
        raise InputError(f"--kind {kind} is drawn of a run on DATA; of a proof expected separation")
    proof = Proof.read(file)
    sheet = as_read(settings, proof, data).sheet(data)
    examples, sides = two_sided(sheet, settings.positive or positive_of(proof, sheet.labels))
    check = verify(proof, _matrix(examples), examples.labels)
    if not check:
        raise InputError(f"{file}: does not hold for {sheet.name} ({check.reason}); expected the data it was made for")
    display = SeparationDisplay.from_proof(proof, examples)
    return Drawn("separation", display.title, display.figure_, sheet.to_dict(sides.positive, sides.classes))


def _matrix(examples: "Examples") -> Any:
    from ..data.rows import matrix_of

    return matrix_of(examples.rows)


def _classes(sheet: "Sheet") -> int:
    from ..data.classes import class_counts

    return len(class_counts(sheet.labels) or ())
