"""The best linear model of a study: chosen by rows held out, where that is within the study's time.

Whether it is, is told by the numbers that the candidates may meet and not by the clock: the same data give the same
report.
"""

from typing import Any, NamedTuple

from ..data.examples import Examples
from ..errors import InputError
from ..learning.candidates import candidates_for
from ..learning.choose import choose
from ..learning.race import FEW, format_for
from ..models.build import as_chosen, model_of_run
from ..models.model import Model
from ..runs.choice import Choice

_DENSE, _SPARSE = 250_000_000, 50_000_000  # numbers that are met in a second, at least, on one or two cores
_STATE = 200_000_000  # weights of all candidates together, with what some keep beside each


class Best(NamedTuple):
    """What was chosen, the model that was learnt by it on all rows, and how many of these it gets wrong."""

    choice: Choice
    model: Model
    wrong: int


def best_of(examples: Examples, seed: int, offset: Any, threads: int, limit: float) -> Best:
    """The best of the candidates. Raises `InputError` where there is nothing to choose, or it would take too long."""
    if examples.n_outputs == 1 and (examples.labels == examples.labels[0]).all():
        raise InputError("all rows are of one class, so there is nothing to choose by")
    met, kept = effort(examples)
    per_second = _SPARSE if examples.rows.is_sparse else _DENSE
    if met > per_second * limit or kept > _STATE:
        size = f"{examples.n_rows} rows × {examples.n_columns} columns"
        raise InputError(f"{size} are too many to choose by along the way: rosenblatt train chooses on them alone")
    run, choice = choose(examples, seed=seed, offset=offset, threads=threads)
    if run.status.name == "non-finite":
        raise InputError(str(run.status))
    model = as_chosen(model_of_run(run, run.state, run.status, facts=True), choice, offset)
    return Best(choice, model, run.survey(run.plan.readout)[1])


def effort(examples: Examples) -> tuple[float, float]:
    """Numbers that the candidates meet at most, and weights that they keep."""
    stored, outputs = float(examples.rows.arrays[0].size), examples.n_outputs
    form = format_for(examples.n_rows, max(stored, examples.n_columns) * outputs)
    tried = candidates_for(
        bool(examples.rows.is_sparse), examples.n_columns, examples.classes.size, examples.n_rows < FEW
    )
    learners = form.folds * len(tried)
    return learners * form.epochs * stored * outputs, 4.0 * learners * examples.n_columns * outputs
