"""Judging: how well a way of learning does on rows that it has not seen.

The whole of it, with whatever it chooses, is repeated on the rows that are not held out, and what it learnt there
predicts the others. In folds each row is held out once, by one of the models, so all rows judge.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..data.evaluation import Evaluation
from ..data.examples import Examples
from ..data.labels import predicted_codes
from ..data.tally import evaluate
from ..errors import InputError
from ..runs.run import Run
from .build import model_of_run

Floats = NDArray[np.float64]
Teach = Callable[[Examples, Floats | None], Run]
"""What learns from these rows, with their sample weights if there are any."""


def judge(examples: Examples, part: NDArray[np.int64], teach: Teach, weight: Floats | None = None) -> Evaluation:
    """What `teach` learns from all rows but one part, asked about that part; of every part in turn.

    `part` is the fold of each row, 0 …, that holds it out; −1: it is only learnt from.
    """
    held = np.flatnonzero(part >= 0)
    predicted = np.empty(examples.n_rows, np.int64)
    scores = np.empty(examples.n_rows) if examples.classes.size == 2 else None
    counts = np.zeros(examples.classes.size)
    for fold in range(int(part.max()) + 1):
        learnt, asked = np.flatnonzero(part != fold), np.flatnonzero(part == fold)
        own = examples.subset(learnt)
        run = teach(own, None if weight is None else np.ascontiguousarray(weight[learnt]))
        if run.status.name == "non-finite":
            raise InputError(f"{run.status.reason}, while judging; {run.status.advice}")
        found = model_of_run(run, run.state, run.status).decision_function(
            examples.subset(asked).rows, run.plan.threads
        )
        predicted[asked] = predicted_codes(found)
        if scores is not None:
            scores[asked] = found
        counts += np.bincount(own.codes.astype(np.int64), minlength=counts.size)
    classes, folds = examples.classes, int(part.max()) + 1
    return evaluate(
        classes[examples.codes.astype(np.int64)[held]],
        classes[predicted[held]],
        classes,
        scores=None if scores is None else scores[held],
        training=dict(zip(classes.tolist(), counts.tolist(), strict=True)),
        folds=part[held] if folds > 1 else None,
    )
