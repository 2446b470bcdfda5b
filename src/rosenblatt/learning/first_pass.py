"""Learning from rows as they arrive, while a file is read for the first time; or of a pipe, which is read once alone.

Rows come in order, so the order is cyclic; width and classes are those that have come so far. More columns are a wider
learner, for an absent feature has had weight 0 all along (transfer.py). A class that nobody expected makes nothing
of what was learnt, since it was not there to be told from: then a file is learnt from again when it has been
read, and of a pipe it is an error that says how to name all classes beforehand. So is an index 0 behind rows that
seemed to count from 1.

What has been learnt is a `State` in which the first epoch has met all of its rows. `learn` goes on from there, and so
gives the bits that it would have given without.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, rules
from ..data.labels import missing_labels
from ..data.source import CHUNK, Answer, Ints, Source, TakenRows, Visit
from ..errors import InputError, shown
from ..files.sheet import Sheet
from ..runs.plan import parameters_of, plan_of
from ..runs.state import State
from ..runs.status import Status
from .driver import Driver
from .learn import learn
from .progress import Progress
from .resume import conditions_of
from .setup import Setup
from .transfer import with_features

_WAITING = 2**26  # bytes of text, about, that wait for a second class
_PLAN = ("order", "batch_size", "eta", "schedule", "offset", "max_epochs", "tol", "patience", "step_tol", "seed",
         "readout", "multiclass", "threads", "scale")  # fmt: skip


class UnexpectedError(InputError):
    """Something came that was not expected from the rows before: what was learnt so far is of no use."""


def why_not(asked: dict[str, Any]) -> str | None:
    """Why a plan, in the words of `learn`, cannot be learnt while rows arrive; None if it can."""
    rule = rules.get(asked["rule"])
    if asked["order"] != "cyclic":
        return "rows arrive in their own order: {order:cyclic}"
    if asked["scale"] != "none":
        return "a scale is known when all rows have come: {scale:none}"
    if rule.surveyed or rule.unit != "one":
        return "the rule asks all rows beforehand: use another {rule}"
    if asked["offset"] == "radius":
        return "the radius is known when all rows have come: give {offset} a number"
    if asked["readout"] not in ("last", "averaged") or asked.get("log"):
        return "votes and the pocket need the rows again: {readout:averaged}, or last"
    if asked["start"] is not None:
        return "it begins at zero: leave {start} out"
    return None


class Arriving(Source):
    """The rows that have just come."""

    in_memory = True
    feature_names = None

    def __init__(self, classes: NDArray[Any], columns: int, sparse: bool) -> None:
        self.classes, self.columns, self.sparse = classes, columns, sparse
        self.now: TakenRows | None = None

    @property
    def n_rows(self) -> int:
        """How many have come so far; none before the first."""
        return 0 if self.now is None else self.now.first_row + self.now.rows.n

    @property
    def n_columns(self) -> int:
        """How many features."""
        return self.columns

    @property
    def is_sparse(self) -> bool:
        """Whether rows come in CSR form."""
        return self.sparse

    def gather(self, numbers: Ints) -> TakenRows:
        """Rows that have just come."""
        from ..data.rows import matrix_of, rows_of

        assert self.now is not None
        places = numbers - self.now.first_row
        return TakenRows(rows_of(matrix_of(self.now.rows)[places]), self.now.labels[places], numbers=numbers)

    def take(self, visit: Visit) -> TakenRows:
        """All that have just come."""
        assert self.now is not None
        return self.now

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """Nothing: nobody can ask about all of them yet."""
        return iter(())

    def digest(self, *, every_row: bool = False) -> int:
        """None of its own."""
        return 0


class FirstPass:
    """Learns from one part after the other. `asked` are arguments of `learn`; `classes` are all labels, if known."""

    def __init__(
        self,
        asked: dict[str, Any],
        classes: Sequence[str] | None = None,
        callback: Callable[[Progress], Any] | None = None,
        marks: Iterable[int] = (),
    ) -> None:
        usual = {name: one.default for name, one in signature(learn).parameters.items()}
        self.asked = {**usual, **asked}
        self.rule = rules.get(self.asked["rule"])
        self.parameters = parameters_of(self.rule, self.asked["beta"], self.asked["C"])
        self.plan = plan_of(self.rule, **{name: self.asked[name] for name in _PLAN})
        self.given, self.callback, self.marks = classes, callback, iter(marks)
        self.classes: NDArray[Any] | None = None
        self.waiting: list[Sheet] = []
        self.held = 0
        self.driver: Driver | None = None
        self.base: int | None = None
        self.rows = 0
        self.end: Status | None = None
        self.wrong = 0

    def meet(self, sheet: Sheet) -> None:
        """Learn from a part. Raises `UnexpectedError` for what the rows before did not lead to expect."""
        if self.end is not None:
            return  # it ended within a part: stopped, or numbers that left float64
        if self.driver is None:
            self.waiting.append(sheet)
            self.held += int(np.asarray(sheet.rows.arrays[0]).nbytes)
            if not self._begin():
                return
            waiting, self.waiting = self.waiting, []
            for one in waiting:
                self._meet(one)
        else:
            self._meet(sheet)

    def _begin(self) -> bool:
        """Whether enough is known to begin: two classes."""
        seen = [np.unique(_labels(one)) for one in self.waiting]
        found = np.unique(np.concatenate(seen)) if self.given is None else _classes(self.given, seen[0])
        if found.size < 2:
            if self.held > _WAITING:
                raise UnexpectedError(f"{self.waiting[0].name}: all rows so far carry the label {found.tolist()[0]!r}")
            return False
        self.classes, rows = found, self.waiting[0].rows
        reading = self.waiting[0].reading
        if rows.is_sparse and reading.format == "svmlight" and reading.base is None and not reading.hash_bits:
            self.base = min(_least(one) for one in self.waiting) and 1
        source = Arriving(found, max(1, rows.d), rows.is_sparse)
        setup = Setup(source, self.rule, self.parameters, self.plan)
        self.driver = Driver(setup, None, False, self._told, self.marks)
        return True

    def _told(self, progress: Progress) -> Any:
        return None if self.callback is None or progress.finished else self.callback(progress)

    def _meet(self, sheet: Sheet) -> None:
        driver = self.driver
        assert driver is not None
        source = driver.source
        assert isinstance(source, Arriving)
        rows = self._rows(sheet, driver, source)
        weight = sheet.weights if sheet.weights is not None and (sheet.weights != 1).any() else None
        source.now = TakenRows(rows, self._coded(sheet), weight, self.rows)
        chunks = np.arange(self.rows // CHUNK, -(-(self.rows + rows.n) // CHUNK))
        self.rows += rows.n
        self.end = driver._visit(Visit(chunks, None), source.now, 1)
        self.wrong = driver.core.wrong

    def _rows(self, sheet: Sheet, driver: Driver, source: Arriving) -> _core.Rows:
        """The rows in the learner's columns, of which there may have to be more."""
        rows, shift = sheet.rows, self.base or 0
        if not rows.is_sparse:
            return rows
        if shift and _least(sheet) < shift:
            raise UnexpectedError(f"{sheet.name}: index 0, and none in the rows before")
        if rows.d - shift > source.columns:
            source.columns = max(rows.d - shift, 2 * source.columns)
            driver.core.widen(source.columns)
        values, columns, starts = (np.asarray(part) for part in rows.arrays)
        made, flaw, *_ = _core.Rows.sparse(
            values, columns - np.int32(shift), starts, rows.n, source.columns, owned=True
        )
        assert made is not None, flaw
        return made

    def _coded(self, sheet: Sheet) -> NDArray[Any]:
        """Labels as the core has them."""
        assert self.classes is not None
        labels = _labels(sheet)
        codes = np.searchsorted(self.classes, labels)
        strange = np.flatnonzero(self.classes[np.minimum(codes, self.classes.size - 1)] != labels)
        if strange.size:
            at = int(strange[0])
            known = ", ".join(str(label) for label in self.classes.tolist()[:6])
            expected = f"one of {known}" if self.given else f"{known} only, as in the rows before (--classes names all)"
            raise UnexpectedError(
                f"{sheet.place_of(at)}: the label is {shown(labels.tolist()[at])}; expected {expected}"
            )
        return 2 * codes.astype(np.int8) - 1 if self.classes.size == 2 else codes.astype(np.int32)

    def state(self, source: Source) -> State:
        """What was learnt, as a run over this source has it that is about to end its first epoch.

        The source is that of the rows that came, all of them; or one whose rows have gone.
        """
        driver = self.driver
        if driver is None or not np.array_equal(driver.source.classes, source.classes):
            raise UnexpectedError(f"{self.waiting[0].name if self.waiting else 'the input'}: one class only")
        found = with_features(driver.state(), source.n_columns)
        parameters = self.rule.absolute(self.parameters, 1.0)
        conditions = conditions_of(source, self.rule, parameters, self.plan, driver.largest)
        if source.gone:  # whatever comes next are other rows
            conditions |= {"digest": None, "weights_digest": None}
        return replace(found, conditions=conditions)


def _labels(sheet: Sheet) -> NDArray[Any]:
    if sheet.labels is None:
        raise InputError(f"{sheet.name}: no labels; say which column they are (label=, --label)")
    if missing_labels(sheet.labels).any():
        raise InputError(f"{sheet.name}: a label is missing; every row needs one")
    return sheet.labels


def _classes(given: Sequence[str], like: NDArray[Any]) -> NDArray[Any]:
    """Labels that are given as text, of the kind of those that come."""
    if like.dtype.kind == "O":
        return np.unique(np.array(given, dtype=object))
    try:
        return np.unique(np.array([float(text) for text in given]).astype(like.dtype))
    except ValueError:
        raise InputError(f"classes {shown(','.join(given))}: expected numbers, as the labels are") from None


def _least(sheet: Sheet) -> int:
    """The least column that a row has; 1 if none has any."""
    columns = np.asarray(sheet.rows.arrays[1])
    return int(columns.min()) if columns.size else 1
