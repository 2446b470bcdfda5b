"""`train --test`, `--holdout`, `--folds`: how well what is learnt does on rows that it has not seen."""

import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, plural
from ..report.text import word
from .answers import Answer
from .choosing import AUTO
from .class_weights import repeated, sample_weights
from .ending import TerminatedError
from .outputs import FILE
from .settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..data.examples import Examples
    from ..files.sheet import Sheet
    from ..models.model import Model
    from ..models.predictions import Predictions
    from ..runs.choice import Choice
    from ..runs.run import Run

SHARE = 0.2  # that is advised to be held out


def judging_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """--test, --holdout and --folds; they arrive as `test`, `holdout`, `folds`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS = (
    click.option("--test", metavar="FILE", type=FILE, help="Judge the model by the rows of this file."),
    click.option(
        "--holdout", metavar="SHARE|N", type=float,
        help="Judge by this share of the rows, or so many: a model that learns from the others only predicts them.",
    ),
    click.option(
        "--folds", metavar="K", type=int,
        help="Judge by all rows: each is held out once, in one of K parts. Learns K times more.",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Judging:
    """By which rows it is judged, if by any."""

    test: str | None
    holdout: float | None
    folds: int | None

    def __post_init__(self) -> None:
        given = [f"--{name}" for name in ("test", "holdout", "folds") if getattr(self, name) is not None]
        if len(given) > 1:
            raise InputError(f"{given[0]} and {given[1]} both say which rows judge: expected one of them")
        held, folds = self.holdout, self.folds
        if held is not None and not (0 < held < 1 or (held > 1 and held.is_integer())):
            raise InputError(
                f"--holdout {held:g}: expected a share between 0 and 1, such as 0.2, or a number of rows above 1"
            )
        if folds is not None and folds < 2:
            raise InputError(f"--folds {folds}: expected 2 or more")

    @property
    def repeats(self) -> bool:
        """Whether all is learnt again on a part of the rows."""
        return self.holdout is not None or self.folds is not None

    def check(self, resumed: bool, started: bool, repeatable: bool = False, streamed: str = "") -> None:
        """Raises `InputError` for what cannot be judged: a model that has seen the rows held out.

        `repeatable`: the command may be given again until the run has ended, so that it must mean the same each time.
        `streamed`: the option by which rows are not in memory.
        """
        if streamed and self.repeats:
            why = f"--holdout and --folds need all rows in memory, and {streamed} leaves them on the disk"
            by_itself = " (choosing a rule holds out rows by itself)" if streamed == "--stream" else ""
            raise InputError(f"{why}: expected --test FILE, or none of them{by_itself}")
        if repeatable and self.repeats:
            raise InputError(
                "--resume auto goes on with one run, and --holdout and --folds learn several: expected one of them,"
                " or --test FILE"
            )
        if (resumed and not repeatable and self.test is not None) or (resumed and self.repeats):
            raise InputError("--resume goes on from a model that is judged by rosenblatt predict: leave the option out")
        if started and self.repeats:
            raise InputError(
                "--start MODEL may have learnt from the rows held out: expected --start zero or random, or --test FILE"
            )

    def read(
        self, settings: Settings, sheet: "Sheet", examples: "Examples"
    ) -> Callable[["Model"], dict[str, Any]] | None:
        """Read the test file, as `predict` reads: what judges a model by it; None where there is none."""
        if self.test is None:
            return None
        if settings.stream:
            return partial(_in_parts, settings, self.test)
        from ..files.matching import matched
        from ..models.predictions import Predictions

        own = settings.sheet_like(sheet.reading, examples.feature_names, self.test)
        rows, notes = matched(own, examples.feature_names, examples.n_columns, sheet.reading)
        for text in notes:
            settings.note(f"note: {text}")

        def judge(model: "Model") -> dict[str, Any]:
            predictions = Predictions(model, settings.threads)
            predictions.add(rows, own.labels)
            return _found(settings, predictions, own.name)

        return judge

    def by_rows_held_out(
        self,
        examples: "Examples",
        teach: "Callable[[Examples, NDArray[np.float64] | None], Run]",
        settings: Settings,
        seed: int,
        weight: "NDArray[np.float64] | None",
    ) -> dict[str, Any] | None:
        """Learn without some of the rows, and ask about them; None where nothing of the kind is asked for."""
        if not self.repeats:
            return None
        import numpy as np

        from ..data.splits import folds_of, held_out_of
        from ..models.judging import judge
        from .progress import working_line

        codes, classes = examples.codes, examples.classes
        if self.folds is not None:
            part = folds_of(codes, classes, self.folds, seed)
            counts = np.bincount(codes.astype(np.int64), minlength=classes.size)
            if counts.min() < self.folds:
                least = word(classes.tolist()[int(counts.argmin())])
                rows = plural(int(counts.min()), "row")
                settings.note(f"note: class {least} has {rows}, fewer than folds: not every fold judges it")
        else:
            part = np.where(held_out_of(codes, classes, self.holdout or 0.0, seed), 0, -1)
        done = 0
        with working_line(settings.shows_progress) as tell:

            def taught(own: "Examples", its: "NDArray[np.float64] | None") -> "Run":
                nonlocal done
                done += 1
                of = f" {done} of {self.folds}" if self.folds is not None else ""
                tell(f"judging{of}: learning from {plural(own.n_rows, 'row')}")
                return teach(own, its)

            found = judge(examples, part, taught, weight)
        return found.to_dict("folds" if self.folds is not None else "holdout")


def teacher(
    asked: dict[str, Any], choices: dict[str, Any], settings: Settings, stopped: list[int]
) -> "Callable[[Examples, NDArray[np.float64] | None], Run]":
    """What learns from other rows as the command does from all: it chooses, if that does; or by the same plan.

    Balanced classes are balanced anew, for those of the rows held out are not to be known.
    """
    by_class = choices.pop("class_weight")

    def ends(*progress: Any) -> bool:
        if stopped:
            kind = TerminatedError if stopped[0] == signal.SIGTERM else KeyboardInterrupt
            raise kind("while judging: nothing is written")
        return False

    def teach(rows: "Examples", own: "NDArray[np.float64] | None") -> "Run":
        from ..learning.choose import choose
        from ..learning.learn import learn

        weight, _ = sample_weights(rows, own, by_class, "the rows to judge by")
        if asked["rule"] == AUTO:
            plan = {"seed": asked["seed"], "offset": asked["offset"], "threads": settings.threads}
            return choose(rows, **plan, sample_weight=weight, callback=ends, racing=ends)[0]
        return learn(rows, **{**choices, "log": False, "sample_weight": weight}, callback=ends)

    return teach


def by_the_choice(choice: "Choice | None") -> dict[str, Any] | None:
    """What the rows say that the choice was made by."""
    return None if choice is None or choice.evaluation is None else choice.evaluation.to_dict("choosing")


def _in_parts(settings: Settings, test: str, model: "Model") -> dict[str, Any]:
    """Judge a model by a file that may be larger than memory, too: as `predict` reads."""
    from .predicting import Predicting

    predicting = Predicting(settings, model, test, in_sight=False)
    for _ in predicting.blocks():
        pass
    return _found(settings, predicting.predictions, predicting.to_dict()["data"]["name"])


def _found(settings: Settings, predictions: "Predictions", name: str) -> dict[str, Any]:
    """What the predictions of a test file say."""
    from ..models.predictions import unknown_labels

    found = predictions.evaluation()
    if found is None:
        raise InputError(f"{name}: labels without end, most of them no class of the model")
    for text in unknown_labels(found):
        settings.note(f"note: {text}")
    return found.to_dict("training" if predictions.recognised() else "test", name)


def advised(settings: Settings, data: str, model: str, asked: dict[str, Any], by_class: Any) -> dict[str, Any]:
    """The command that judges a chosen model by rows that choose nothing."""
    own = {
        "holdout": SHARE,
        "seed": asked["seed"] or None,
        "offset": None if asked["offset"] else 0,
        "class_weight": repeated(by_class),
        "model": model,
    }
    why = "Judge it by rows that choose nothing, which takes twice as long"
    return {"why": why, "command": settings.again("train", data, **own)}
