"""What came of `train`: the model to be saved, and the report."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .resuming import ESTIMATORS

if TYPE_CHECKING:
    from ..files.sheet import Sheet
    from ..models.model import Model
    from ..runs.choice import Choice
    from ..runs.run import Run
    from ..runs.status import Status


def model_of(
    run: "Run",
    end: "Status",
    sheet: "Sheet",
    asked: dict[str, Any],
    earlier: "Model | None",
    choice: "Choice | None",
    most_common: str,
    margin: bool,
) -> "Model":
    """The model, with what was asked in the words of the estimator, and how the file was read; and with its margin."""
    from ..models.build import as_chosen, model_of_run

    made = model_of_run(run, run.state, end, facts=margin, earlier=earlier)
    parameters = {word: asked[name] for name, word in ESTIMATORS.items()}
    parameters["tol"] = None if asked["tol"] == "never" else asked["tol"]
    parameters |= {"shuffle": run.plan.order == "shuffled", "fit_intercept": asked["offset"] != 0}
    start = asked["start"] if earlier is None else earlier.provenance.get("start", "zero")
    # What the estimator has no parameter for.
    more = {
        "start": start if start != "zero" else None,
        "step_tol": asked["step_tol"],
        "most_common": most_common,  # what `predict` sets beside it
    }
    known = {name: value for name, value in more.items() if value is not None}
    provenance = {**made.provenance, "data": sheet.name, **known}
    made = replace(made, parameters=parameters, reading=sheet.reading, provenance=provenance)
    return made if choice is None else as_chosen(made, choice, asked["offset"])


def report_of(run: "Run", made: "Model", sheet: "Sheet", target: str, first_wrong: int | None) -> dict[str, Any]:
    """What became of a run, and of the model; `first_wrong` rows were predicted wrong in the first epoch."""
    from ..report.plain import plain_values
    from ..runs.progressive import tells_of_new_rows

    counts, start, n = sheet.class_counts(), made.provenance.get("start", "zero"), int(sheet.rows.n)
    wrong = None if made.vote is not None or run.source.gone else run.survey(run.plan.readout)[1]
    most_common = n - max(counts.values())
    known, end = run.to_dict(), made.status.facing("command")
    if known["bound"] is not None and known["bound"]["margin_upper"]:
        end = end.without("margin-upper")  # the bound says it
    if wrong is not None:
        end = end.without("predicted-wrong").without("check")  # they are the headline, and a step
    return {
        "data": sheet.to_dict(classes=counts),
        "model": target,
        **known,
        "status": end.name,
        "reason": end.reason,
        "advice": end.advice,
        "start": start,
        "seed": run.plan.seed if run.plan.order == "shuffled" or start == "random" else None,
        "predicted_wrong": {
            "first_epoch": first_wrong,
            "tells_of_new_rows": first_wrong is not None and tells_of_new_rows(first_wrong, n),
            "training": wrong,
            "most_common": most_common,
            "beats_most_common": None if wrong is None or not most_common else wrong < most_common,
        },
        "margin": plain_values(made.facts.get("margin")),
        "margin_upper_bound": plain_values(made.facts.get("margin_upper_bound")),
        "choice": None if made.choice is None else made.choice.to_dict(),
    }
