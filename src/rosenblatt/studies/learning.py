"""What a study learns: a run with its log, another in a fixed order that may come back, and the model it saves."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..data.examples import Examples
from ..data.hyperplane import Hyperplane
from ..data.rows import matrix_of
from ..learning.learn import learn
from ..learning.progress import Progress
from ..models.build import model_of_run
from ..models.model import Model
from ..report.text import percent
from ..runs.choice import Choice
from ..runs.run import Run
from ..runs.state import State

PLAN = ("rule", "batch_size", "eta", "schedule", "max_epochs", "tol", "patience", "start", "beta", "C", "multiclass")
"""What a study takes of how to learn, beside offset, order and seed."""
VISITS = 1_000_000  # rows that a run may meet
_FEWEST, _MOST = 10, 10_000  # epochs at least and at most, whatever the rows
_UNLIKE = 10  # times as large makes columns differ in size


def epochs_for(n_rows: int) -> int:
    """How many epochs a study's run may take."""
    return max(_FEWEST, min(_MOST, VISITS // max(1, n_rows)))


def learnt(examples: Examples, separable: bool, given: dict[str, Any]) -> tuple[Run, Hyperplane | None]:
    """A run with its log, and the hyperplane after its first epoch, if there is one by then.

    It goes on until an epoch is clean if there is a separator, else until the average gets no better.
    """
    first: list[State] = []

    def keep(progress: Progress) -> None:
        if progress.finished and not first:
            first.append(progress.state())

    plan: dict[str, Any] = {
        "max_epochs": epochs_for(examples.n_rows),
        "tol": None if separable else 1e-3,
        "readout": ("averaged", "last", "pocket"),
        "log": True,
        **given,
    }
    if examples.n_outputs > 1:
        return learn(examples, **{**plan, "readout": ("averaged", "last"), "log": False}), None
    run = learn(examples, **plan, callback=keep)
    W, b = first[0].read("last") if first and run.epochs > 1 else (np.zeros((1, 1)), np.zeros(1))
    return run, Hyperplane(W[:, 0], float(b[0])) if W.any() else None


def cycle_of(run: Run, question: Examples, given: dict[str, Any]) -> Run | None:
    """A run whose weights came back, if there is one: rows in a fixed order repeat themselves for ever then."""
    if run.status.name == "loop":
        return run
    if run.plan.order == "cyclic":
        return None
    epochs = min(1000, VISITS // 5 // max(1, question.n_rows))
    if not epochs:
        return None
    found = learn(question, **{**given, "order": "cyclic", "max_epochs": epochs, "tol": None})
    return found if found.status.name == "loop" else None


def beside_a_guess(run: Run, choice: Choice | None) -> str | None:
    """What to say of a run that does no better than the most common class, or was cut short; and what does better."""
    positive = int((run.examples.labels > 0).sum())
    guess = min(positive, run.source.n_rows - positive)
    best = _better(choice)
    if not guess or run.survey(run.plan.readout)[1] < guess:
        cut = run.status.name == "budget" and best
        return f"the run of the {run.rule.name} ends at its budget; to predict, take {best}" if cut else None
    said = f"what was learnt gets {guess} rows wrong or more, no fewer than a guess at the most common class"
    rows = matrix_of(run.examples.rows)
    if not hasattr(rows, "indptr"):
        sizes = np.maximum(rows.max(axis=0), -rows.min(axis=0))
        if sizes.max() / _UNLIKE > sizes[sizes > 0].min(initial=np.inf):
            said += "; columns differ in size, which the perceptron minds"
            said += "" if best else ": divide each by its spread, and study it again"
    return f"{said}; to predict, take {best}" if best else said


def _better(choice: Choice | None) -> str:
    """The model that was chosen, if it is better than a guess."""
    if choice is None or choice.most_common is None or (choice.best.accuracy or 0) <= choice.most_common:
        return ""
    right, guess = percent(choice.best.accuracy), percent(choice.most_common)
    return f"the best linear model, which gets {right} of the rows held out right, a guess {guess}"


def model_of(run: Run, given: dict[str, Any]) -> Model:
    """The model of a run, with what was asked in the words of the estimator."""
    made = model_of_run(run, run.state, run.status, facts=True)
    own = {"rule": run.rule.name, "readout": run.plan.readout, "order": run.plan.order, "random_state": given["seed"]}
    return replace(made, parameters={**own, "offset": given["offset"], "max_iter": run.plan.max_epochs})
