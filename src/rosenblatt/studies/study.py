"""The study: everything that can be said of a data set, each part by the function that also answers it alone.

How long the run of a study learns is a number of rows met, not of seconds, so that the same data give the same run. The
clock has a say in one thing only: what a search did not settle in time is not known to the run either.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from ..choices import number, one_of, thread_count
from ..data.examples import Examples
from ..data.hyperplane import Hyperplane
from ..data.two_classes import aligned, each_against_rest, two_classes
from ..errors import InputError, shown
from ..files.door import framed
from ..files.reading import CODINGS
from ..files.recoding import Recoded, against_reference
from ..report.text import listed
from ..runs.audit import Audit
from ..runs.bounds import BoundComparison
from ..runs.run import Run
from ..separation.clinic.logistic_clinic import clinic_of
from ..separation.clinic.result import Clinic
from ..separation.margin.max_margin import max_margin
from ..separation.margin.result import MaxMargin
from ..separation.mistakes.least_mistakes import least_mistakes
from ..separation.mistakes.result import LeastMistakes
from ..separation.separability import separability
from ..separation.verdict import Verdict
from .best import Best, best_of
from .learning import PLAN, beside_a_guess, cycle_of, learnt, model_of
from .result import OneOfMany, Study

_MOST_CLASSES = 20  # that are each asked about against the rest
_SHARE = 0.25  # of the time limit, for brackets that more time may always narrow
_EXAMINED = 5_000_000  # numbers that the clinic is asked about
_REPLAYED = 30_000_000  # numbers that are replayed to check the theorem at every update

T = TypeVar("T")
Telling = Callable[[str], None]


@dataclass
class Parts:
    """What a study is made of, as far as it has come: how long each part took, and why some are missing."""

    limit: float
    threads: int
    tell: Telling
    seconds: dict[str, float] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str, doing: str) -> Iterator[None]:
        """Time a part, and say that it is being worked on."""
        self.tell(doing)
        begin = time.monotonic()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - begin

    def tried(self, name: str, doing: str, call: Callable[[], T]) -> T | None:
        """A part that may have nothing to say of these rows; the reason is noted."""
        with self.part(name, doing):
            try:
                return call()
            except InputError as error:
                self.notes[name] = str(error)
                return None


def study(
    X: Any,
    y: Any = None,
    *,
    positive: Any = None,
    name: str = "data",
    through_origin: bool = False,
    offset: float | str = 1.0,
    order: Any = "shuffled",
    seed: int = 0,
    time_limit: float = 20.0,
    threads: int | None = None,
    progress: Telling | None = None,
    coding: str | None = None,
    **plan: Any,
) -> Study:
    """Settle, choose, measure, learn and audit: the verdict, the best linear model, the margin, a run, the clinic.

    X, y
        Rows and labels of two or more classes, or `Examples` and no y.
    positive
        Of more than two classes, the one whose rows are asked about against the rest; None: the first that is not
        separable, for there is the most to say.
    name
        What the report calls the data.
    through_origin
        Whether the questions are about hyperplanes through the origin only, and offset is 0. Where all rows are of one
        class, only these questions make sense.
    offset, order, seed, **plan
        How the run learns, as for `learn`; the best linear model has only the offset and the seed of it.
    time_limit
        Seconds for each search, roughly.
    progress
        Called with what is being worked on, in a few words.
    coding
        What becomes of text in the questions; what learns has a feature for each level. "reference", the default,
        leaves out the most frequent one of each column, as `check`, `margin` and `clinic` do; "levels" leaves out none.

    >>> from rosenblatt import datasets
    >>> found = study(*datasets.get("four-on-a-line"))
    >>> found.verdict.kind, round(found.margin.margin, 6), found.run.status.name
    ('separable', 0.5, 'clean')
    """
    if unknown := set(plan) - set(PLAN):
        raise InputError(f"study takes no {', '.join(sorted(unknown))}; of how to learn it takes {', '.join(PLAN)}")
    limit, threads = number("time_limit", time_limit, above=0), thread_count(threads)
    parts = Parts(limit, threads, progress or (lambda doing: None))
    offset = 0 if through_origin else offset
    examples = _examples(X, y, through_origin)
    one_class = examples.n_outputs == 1 and bool((examples.labels == examples.labels[0]).all())
    origin = through_origin or one_class
    if one_class:
        parts.notes["data"] = "all rows are of one class, so the questions are about hyperplanes through the origin"
    as_learnt = one_of("coding", coding or "reference", CODINGS) == "levels"
    recoded = None if as_learnt else _recoded(examples, origin, parts)
    asked = examples if recoded is None else recoded.examples
    each, question, verdict = _questions(asked, positive, origin, parts)
    question = (
        question
        if recoded is None
        else replace(question, rows=examples.rows, feature_names=examples.feature_names, reading=examples.reading)
    )
    best_model = _best(examples, seed, offset, parts)
    margin, augmented = _margins(verdict, question, offset, parts)
    mistakes = None if verdict.separable is not False else _mistakes(verdict.examples, origin, parts)
    given = {**plan, "offset": offset, "order": order, "seed": seed, "threads": threads}
    with parts.part("training", "learning"):
        run, first = learnt(question, augmented is not None and augmented.separable is True, given)
        whole = run if not each else learnt(examples, all(one.separable for one in each), given)[0]
        model, wrong = model_of(whole, given), whole.survey(whole.plan.readout)[1]
        cycle = cycle_of(run, question, given) if verdict.separable is False else None
    if (said := beside_a_guess(run, None if best_model is None else best_model.choice)) is not None:
        parts.notes["training"] = said
    best = augmented.hyperplane if augmented is not None and augmented.separable else _widened(mistakes, recoded, run)
    theorem = _theorem(run, best, parts)
    clinic = _clinic(verdict, parts)
    return Study(
        name=name, examples=examples, question=question, verdict=verdict, each=each, margin=margin,
        augmented=augmented, mistakes=mistakes, run=run, first=first, cycle=cycle, theorem=theorem, clinic=clinic,
        model=model, model_wrong=wrong, best=best_model, seconds=parts.seconds, notes=parts.notes,
    )  # fmt: skip


def _recoded(examples: Examples, origin: bool, parts: Parts) -> Recoded | None:
    """The examples without the reference level of each column of text, and a note that says which these are."""
    found = against_reference(examples, origin)
    if found is not None:
        left = [f"{name}: {level}" for name, level in found.examples.reading.reference.items()]
        parts.notes["coding"] = (
            "the verdict, the margin, the mistakes and the logistic regression leave out one level of each text column,"
            f" its reference ({listed(left, 6)}); what learns has all levels"
        )
    return found


def _widened(mistakes: LeastMistakes | None, recoded: Recoded | None, run: Run) -> Hyperplane | None:
    """The hyperplane of the fewest mistakes among all levels: those that were left out weigh nothing."""
    plane = None if mistakes is None else mistakes.hyperplane
    if plane is None or recoded is None:
        return plane
    w = np.zeros(run.examples.n_columns)
    w[recoded.kept] = plane.w
    return Hyperplane(w, plane.b)


def _examples(X: Any, y: Any, origin: bool) -> Examples:
    """Rows and any labels; through the origin one class alone is a question, too."""
    if isinstance(X, Examples):
        if y is not None:
            raise InputError("Examples have their labels with them: leave out y")
        return X
    if y is None:
        raise InputError("labels are missing: study(X, y)")
    aligned(X, y)
    X = framed(X, y)
    return two_classes(X, y, "study") if origin else Examples.of(X, y)


def _questions(
    examples: Examples, positive: Any, origin: bool, parts: Parts
) -> tuple[tuple[OneOfMany, ...], Examples, Verdict]:
    """Of more than two classes, the verdict on each; the question that the study goes into, and its verdict."""

    def verdict_on(question: Examples) -> Verdict:
        return separability(question, through_origin=origin, time_limit=parts.limit, threads=parts.threads)

    with parts.part("verdict", f"settling whether a hyperplane separates, at most {parts.limit:g} s"):
        labels = examples.classes.tolist()
        if positive is not None:
            positive = _label(positive, labels)
        if examples.n_outputs == 1:
            question = examples if positive in (None, labels[-1]) else dict(each_against_rest(examples))[positive]
            return (), question, verdict_on(question)
        asked = [positive] if len(labels) > _MOST_CLASSES and positive is not None else labels[:_MOST_CLASSES]
        each = tuple(OneOfMany(label, verdict_on(one)) for label, one in each_against_rest(examples) if label in asked)
    if len(each) < len(labels):
        parts.notes["classes"] = f"only {len(each)} of {len(labels)} classes were asked about, each against the rest"
    focus = next((one for one in each if one.label == positive), None) or next(
        (one for one in each if not one.separable), each[-1]
    )
    return each, focus.verdict.examples, focus.verdict


def _label(asked: Any, labels: list[Any]) -> Any:
    """The label that is asked for."""
    for label in labels:
        with suppress(ValueError):  # an array is no label
            if asked == label:
                return label
    raise InputError(f"no row has the label {shown(asked)}; the labels are {shown(labels)}")


def _best(examples: Examples, seed: int, offset: Any, parts: Parts) -> Best | None:
    return parts.tried(
        "choice",
        "choosing the best linear model by rows held out",
        lambda: best_of(examples, seed, offset, parts.threads, parts.limit),
    )


def _margins(
    verdict: Verdict, learnt_from: Examples, offset: Any, parts: Parts
) -> tuple[MaxMargin | None, MaxMargin | None]:
    """The largest margin of all, and the one of the augmented space, where the run is, that its theorem speaks of."""
    if not verdict.separable:
        if verdict.separable is None:
            parts.notes["margin"] = "whether there is one was not settled in time"
        return None, None

    def largest(examples: Examples, scale: Any) -> MaxMargin:
        found = max_margin(examples, offset=scale, time_limit=parts.limit, threads=parts.threads)
        found.margin  # noqa: B018  # computed when it is asked for, and part of the time it takes
        return found

    doing = f"finding the largest margin, at most {parts.limit:g} s"
    plain = parts.tried("margin", doing, lambda: largest(verdict.examples, 0 if verdict.through_origin else "free"))
    same = verdict.through_origin and offset == 0 and verdict.examples.n_columns == learnt_from.n_columns
    return plain, plain if same else parts.tried("margin", doing, lambda: largest(learnt_from, offset))


def _mistakes(question: Examples, origin: bool, parts: Parts) -> LeastMistakes | None:
    limit = parts.limit * _SHARE
    return parts.tried(
        "mistakes",
        f"bracketing the fewest mistakes, at most {limit:g} s",
        lambda: least_mistakes(question, through_origin=origin, time_limit=limit, threads=parts.threads),
    )


def _theorem(run: Run, plane: Hyperplane | None, parts: Parts) -> Audit | BoundComparison | None:
    """The laws along the run, or at its end if it is long: against the largest margin, or the fewest mistakes."""
    if not run.rule.additive:
        parts.notes["theorem"] = f"the {run.rule.name} has other laws than the theorem's: run.audit checks them"
        return None
    if plane is None or (run.state.rho2 == 0 and plane.b):
        where = ", through the origin," if run.state.rho2 == 0 else ""
        parts.notes["theorem"] = f"there is no hyperplane{where} to compare the run with"
        return None
    values = run.examples.rows.arrays[0].size  # of sparse rows, those that are kept
    if run.updates * (values / run.source.n_rows + 64) <= _REPLAYED:
        return parts.tried("theorem", "checking the theorem at every update", lambda: run.audit(plane))
    parts.notes["theorem"] = f"{run.updates} updates are too many to follow one by one: it is checked at the end"
    return parts.tried("theorem", "checking the theorem at the end", lambda: run.against(plane))


def _clinic(verdict: Verdict, parts: Parts) -> Clinic | None:
    if verdict.kind == "undecided":
        parts.notes["clinic"] = "nothing is known of the logistic regression: the verdict is undecided"
        return None
    examples = verdict.examples
    if examples.n_rows * examples.n_columns > _EXAMINED:
        size = f"{examples.n_rows} rows × {examples.n_columns} columns"
        parts.notes["clinic"] = f"{size} are too many to examine along the way: rosenblatt clinic asks about them alone"
        return None
    limit, text = parts.limit * _SHARE, getattr(examples.reading, "text", None) or ()
    return parts.tried(
        "clinic", f"examining the logistic regression, at most {limit:g} s", lambda: clinic_of(verdict, limit, text)
    )
