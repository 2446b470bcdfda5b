"""Tables in parts: a survey settles what the features are; then each part becomes its rows.

Without a survey parts come as each would be by itself, in the columns and with the levels that it has: that is enough
for a model that judges rows and finds its features by name. To learn, columns must stay what they are: there numbers
alone can do without.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any, Protocol

from ...errors import InputError, shown
from ..opening import BytesReadCallback
from ..options import Options
from ..reading import Reading
from ..sheet import Sheet
from ..tables.narrowing import Narrowed, narrowed
from ..tables.part import Assumed, RefutedError, TablePart
from ..tables.sheet import Settled, check_asked, settled
from ..tables.tally import ColumnTally, Tally
from .input import Input, Layout
from .table_seen import FirstFile, Known, TableAgreed, TableSeen


class Columns(Protocol):
    """What a reader knows of the columns of a table, and sees of them part by part."""

    is_known: bool
    names: tuple[str, ...]

    def join(self, other: Any, table: str) -> None:
        """See what another saw of the rows behind these."""

    def forget_rows(self) -> None:
        """Keep no rows in memory."""

    def check_values(self) -> None:
        """Raises `InputError` for values that are none, or not what those before were."""

    def check(self) -> None:
        """Raises `InputError` for values that are none, and columns that are hardly what they look like."""


class TableInput(Input):
    """A table that a reader gives in parts, by `_parts`."""

    def __init__(self, name: str, format: str, options: Options, paths: Sequence[str], again: bool) -> None:
        if twice := next((path for i, path in enumerate(paths) if path in paths[:i]), None):
            raise InputError(f"{twice}: it is twice among the files; expected each of them once")
        self.name, self.format, self.options, self.again = name, format, options, again
        self.paths = tuple(paths)
        self.columns: Columns | None = None
        self._assumed = Assumed()
        self._settled: Settled | None = None
        self._surveyed: int | None = None
        self._layout: Layout | None = None
        self._running: Iterator[tuple[str, TablePart]] | None = None
        self._ahead: tuple[str, TablePart] | None = None
        self._first_file: FirstFile | None = None

    @abstractmethod
    def _parts(self, assumed: Assumed, progress: BytesReadCallback | None) -> Iterator[tuple[str, TablePart]]:
        """The rows in parts, each with the name of its file.

        It sets `columns` anew before the first one, unless those that it has are known.
        """

    def _notes(self) -> list[str]:
        """What to say of the table, whatever its rows hold."""
        return []

    def _reading(self, reading: Reading) -> Reading:
        """How it was read, with what the reader of its format knows."""
        return reading

    def _details(self) -> tuple[str, ...]:
        return ()

    @property
    def layout(self) -> Layout:
        """What the whole is."""
        assert self._layout is not None, "known when all parts have come"
        return self._layout

    def survey(self, progress: BytesReadCallback | None = None) -> None:
        """See all rows, if they can be read again; else see from the first ones that nothing takes a survey."""
        if self._settled is not None or self._layout is not None:
            return
        if not self.again:
            self._peek(progress)
            return
        assumed = Assumed()
        while True:
            try:
                tally, files, assumed = self._tally(assumed, progress)
                found = settled(tally, self.format, self.options, self._notes())
                break
            except RefutedError as error:
                assumed = error.known
            except InputError:
                if self.columns is not None:
                    self.columns.check()  # what a column is, is judged before what its rows lack
                raise
        assert self.columns is not None
        self.columns.is_known = True
        self._assumed, self._surveyed = assumed, tally.rows
        self._settle(found, files)
        self._settled = found

    def look(self, known: Known, progress: BytesReadCallback | None = None) -> TableSeen:
        """See all rows, and settle nothing: the whole may be more files than these."""
        self._first_file, assumed = known.first, known.assumed
        is_steady, sparse, refuted, fault = None, None, None, None
        tally, files = None, dict.fromkeys(self.paths, 0)

        def meet(found: Tally, rows: Narrowed) -> None:
            nonlocal is_steady, sparse
            if is_steady is None:
                is_steady = self._takes_survey(found.columns) is None
            if is_steady and sparse is None and rows.n:
                with suppress(InputError):  # which is said of the whole, too
                    sparse = settled(replace(found, numbers=None), self.format, self.options).sparse

        while True:
            try:
                self.columns = None
                tally, files, assumed = self._sum(assumed, progress, meet)
            except RefutedError as error:
                refuted, assumed = refuted or str(error.why), error.known
                if is_steady is None:  # nobody can tell that a survey is needed before the first rows have come
                    is_steady = True
                if not known.steady:
                    continue
                fault = refuted
            except InputError as error:
                fault = str(error)
            break
        if self.columns is not None:
            self.columns.forget_rows()
        return TableSeen(
            tuple(files.items()), known, self._beginning(), tally, self.columns, assumed, is_steady, sparse, refuted,
            tuple(self._notes()), tuple(self._notes_behind()), self._details(), fault,
        )  # fmt: skip

    def take_over(self, whole: Layout, how: TableAgreed) -> None:
        """Be some files of a whole of which all is known: rows come in its columns."""
        self._layout = replace(whole, files=tuple(one for one in whole.files if one[0] in self.paths))
        self._settled, self._assumed, self.columns = how.settled, how.assumed, deepcopy(how.columns)

    def _beginning(self) -> FirstFile | None:
        """What others have to be like, if these files are the first; None if that is not known."""
        return None if self.columns is None else FirstFile(self.paths[0], self.columns.names)

    def _notes_behind(self) -> list[str]:
        """What to say of the table, if there are other files before these."""
        return []

    def _tally(self, assumed: Assumed, progress: BytesReadCallback | None) -> tuple[Tally, dict[str, int], Assumed]:
        """That of all rows, how many each file has, and what turned out to be so."""
        tally, files, assumed = self._sum(assumed, progress)
        if tally is None or self.columns is None:
            raise InputError(f"{self.name}: no rows; expected at least one")
        self.columns.check()
        check_asked(self.name, tally.names, self.options)
        return tally, files, assumed

    def _sum(
        self,
        assumed: Assumed,
        progress: BytesReadCallback | None,
        met: Callable[[Tally, Narrowed], None] = lambda *_: None,
    ) -> tuple[Tally | None, dict[str, int], Assumed]:
        """The same, and nothing is checked of it yet; `met` is given each part."""
        tally: Tally | None = None
        files = dict.fromkeys(self.paths, 0)
        hashed = self.options.reading.hash_bits is not None
        for name, part in self._parts(assumed, progress):
            if not part.n:
                continue
            rows = narrowed(part, self.options, assumed)
            found = Tally.of(rows, self.options)
            met(found, rows)
            tally = replace(found, table=self.name) if tally is None else tally.followed_by(found, hashed)
            assumed = tally.assumed
            files[name] = files.get(name, 0) + rows.n
            assert self.columns is not None
            self.columns.forget_rows()
        return tally, files, assumed

    def sheets(self, progress: BytesReadCallback | None = None) -> Iterator[Sheet]:
        """The rows, some at a time."""
        if self._settled is None:
            yield from self._unsurveyed(progress)
            return
        seen, files = 0, dict.fromkeys(self.paths, 0)
        try:
            for name, part in self._parts(self._assumed, progress):
                if not part.n:
                    continue
                rows = narrowed(part, self.options, self._assumed)
                seen, files[name] = seen + rows.rows, files.get(name, 0) + rows.n
                if rows.n:
                    yield replace(self._made(self._settled, rows), notes=(), details=())
        except RefutedError:
            seen = -1
        if seen != self._surveyed if self._surveyed is not None else seen < 0 or files != dict(self.layout.files):
            raise InputError(
                f"{self.name}: other rows than when it was read before; expected a file that stays as it is"
            )

    def _made(self, how: Settled, rows: Narrowed) -> Sheet:
        sheet = how.sheet(rows)
        return replace(sheet, reading=self._reading(sheet.reading))

    def _settle(self, found: Settled, files: dict[str, int]) -> None:
        whole, bits = found.whole, found.whole.reading.hash_bits
        self._layout = Layout(
            2**bits if bits else len(found.names),
            self._reading(whole.reading),
            whole.feature_names,
            files=tuple(files.items()),
            notes=whole.notes,
            details=self._details(),
            levels=whole.levels,
            hashed=whole.hashed,
        )

    def _peek(self, progress: BytesReadCallback | None) -> None:
        """The first rows of what can be read once alone. Raises `InputError` if what they hold takes a survey."""
        if self._running is None:
            self._running = self._parts(Assumed(), progress)
            self._ahead = next(self._running, None)
            if self._ahead is not None and self._ahead[1].n:
                rows = _narrowed(self._ahead[1], self.options, Assumed())
                if (what := self._takes_survey(Tally.of(rows, self.options).columns)) is not None:
                    raise InputError(f"{self.name}: {what} would take a pass of its own, and it can be read once alone")

    def _takes_survey(self, columns: Sequence[ColumnTally]) -> str | None:
        """What cannot be known before all rows were seen, and what to give instead; None: nothing."""
        reading = self.options.reading
        if self.options.labels != "needed":
            return None
        if self.options.missing == "mean" and reading.fill is None:
            return "the means of its columns (--missing zero or drop)"
        if reading.hash_bits is not None:
            return None if self.options.coding == "levels" else "the reference levels (--coding levels)"
        for column in columns:
            if column.kind == "text":
                return f"the values of column {shown(column.name)} (--hash-bits, or --leave-out)"
            if column.kind == "words":
                return f"the words of column {shown(column.name)} (--hash-bits, or --leave-out)"
        return None

    def _unsurveyed(self, progress: BytesReadCallback | None) -> Iterator[Sheet]:
        """The parts, each as it would be by itself, but for the kinds of columns: those are the first part's."""
        if not self.again:
            self._peek(progress)
        running, self._running = self._running or self._parts(Assumed(), progress), None
        ahead, self._ahead = self._ahead, None
        assumed, tally, first, files = Assumed(), None, None, dict.fromkeys(self.paths, 0)
        hashed = self.options.reading.hash_bits is not None
        for name, part in _all(ahead, running):
            if not part.n:
                continue
            rows = _narrowed(part, self.options, assumed)
            found = Tally.of(rows, self.options)
            assumed = found.assumed
            if tally is None and self.again and self._takes_survey(found.columns) is not None:
                self.survey(progress)
                yield from self.sheets(progress)
                return
            assert self.columns is not None
            self.columns.check_values()
            self.columns.forget_rows()
            if rows.n:
                how = settled(replace(found, numbers=None), self.format, self.options)
                first = first or how
                yield replace(self._made(replace(how, sparse=first.sparse), rows), notes=(), details=())
            files[name] = files.get(name, 0) + rows.n
            tally = replace(found, table=self.name) if tally is None else _followed(tally, found, hashed)
        if tally is None or self.columns is None:
            raise InputError(f"{self.name}: no rows; expected at least one")
        self.columns.check()
        check_asked(self.name, tally.names, self.options)
        try:
            whole = settled(tally, self.format, self.options, self._notes())
        except RefutedError as error:
            raise error.why from None
        self._settle(whole, files)


def _narrowed(part: TablePart, options: Options, assumed: Assumed) -> Narrowed:
    try:
        return narrowed(part, options, assumed)
    except RefutedError as error:
        raise error.why from None


def _followed(tally: Tally, found: Tally, hashed: bool) -> Tally:
    try:
        return tally.followed_by(found, hashed)
    except RefutedError as error:
        raise error.why from None


def _all(
    ahead: tuple[str, TablePart] | None, others: Iterator[tuple[str, TablePart]]
) -> Iterator[tuple[str, TablePart]]:
    """All parts, the first of which may be there already."""
    if ahead is not None:
        yield ahead
    try:
        yield from others
    except RefutedError as error:
        raise error.why from None
