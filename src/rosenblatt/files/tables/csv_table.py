"""The columns of CSV and TSV text: what each holds, seen over all rows that have come.

A column is numbers if every field that is not missing is one, by the grammar in `category_checks.py`; or true and
false; else it is text. The first part says what a column is; where a later one disagrees, it is text, and the table is
begun again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..formats import format_of
from ..opening import InputFile
from ..options import Options
from .arrow import numpy_of, pyarrow_for
from .category_checks import NUMBER, TextChecks, join_checks, matches, to_take_as_text
from .columns import Column, text_column
from .csv_fields import check_integers, coded, floats_of, not_finite, numbers_column, parsed, trimmed_texts
from .csv_header import sample_size
from .csv_labels import CsvLabels
from .csv_lines import CsvLines
from .header_evidence import MISSING, may_be_number
from .label_column import label_place
from .part import Assumed, TablePart
from .places import check_words
from .words import word_column

_TRUTH = "(?i:true|false)"


def csv_format(opened: InputFile, options: Options) -> str:
    """Which of both it is, "tsv" or "csv". Raises `InputError` for options that mean nothing there."""
    pyarrow_for(opened.name)
    format = "tsv" if (options.reading.format or format_of(opened)) == "tsv" else "csv"
    options.refuse(opened.name, format.upper(), format)
    return format


class CsvTable:
    """The columns of a table, from its first rows on.

    names
        Those of the columns.
    kinds
        What each is: "numbers", "truth", "text" or "words"; None before the first part.
    is_known
        Whether all rows have been seen already, and what they hold was judged.
    """

    def __init__(self, lines: CsvLines, options: Options) -> None:
        self.table, self.names, self.options = lines.name, lines.columns, options
        self.place = label_place(lines, options)
        self.words = check_words(lines, options, self.place)
        sample = lines.head(sample_size(len(lines.columns)))
        if not sample:
            raise InputError(
                f"{lines.name}: no rows; expected at least one below line 1 (--no-header if that is a row)"
            )
        others = {self.place, *self.words, *(j for j, name in enumerate(self.names) if name in options.text)}
        numeric = [j not in others and all(map(may_be_number, one)) for j, one in enumerate(zip(*sample, strict=False))]
        self.numeric = (numeric + [False] * len(self.names))[: len(self.names)]
        name = self.names[self.place] if self.place is not None else ""
        self.labels = None if self.place is None else CsvLabels(self.place, name, self.options)
        self.kinds: list[str | None] = [None] * len(self.names)
        self._has_values = [False] * len(self.names)
        self.checks: dict[int, TextChecks] = {}
        self._wrong: dict[int, InputError] = {}
        self.is_known = False

    def check_values(self) -> None:
        """Raises `InputError` for a label or a number that is none, or a label that is text after numbers."""
        if self.labels is not None:
            self.labels.check_steady()
        self._check_range()

    def _check_range(self) -> None:
        if self.labels is not None:
            self.labels.check()
        for j, kind in enumerate(self.kinds):
            if kind == "numbers" and j in self._wrong:
                raise self._wrong[j]

    def check(self) -> None:
        """Raises `InputError` for values that are none, and for columns of text that are hardly meant to be it."""
        self._check_range()
        for one in self.checks.values():
            one.check(self.table)

    def join(self, other: Any, table: str) -> None:
        """See what another saw of the rows behind these, where columns are of the same kinds."""
        if self.labels is not None and other.labels is not None:
            self.labels.join(other.labels)
        self._wrong = {**other._wrong, **self._wrong}
        join_checks(self.checks, other.checks, table)

    def kinds_of_values(self) -> dict[int, str]:
        """What the columns are in which there is any value."""
        return {j: kind for j, kind in enumerate(self.kinds) if kind is not None and self._has_values[j]}

    def forget_rows(self) -> None:
        """Keep no rows in memory."""
        for one in self.checks.values():
            one.forget_rows()

    def part(self, lines: CsvLines, assumed: Assumed) -> TablePart:
        """Some rows."""
        numeric = [
            is_numeric and j not in assumed.kinds and kind in (None, "numbers")
            for j, (is_numeric, kind) in enumerate(zip(self.numeric, self.kinds, strict=True))
        ]
        arrays, self.numeric = parsed(lines, numeric, self.options, MISSING)
        n, labels, columns = len(arrays[0]), None, []
        if self.labels is not None and self.place is not None:
            if not self.is_known:
                self.labels.see(lines, arrays[self.place])
            labels = self.labels.column(arrays[self.place])
        for j in range(len(arrays)):
            array, arrays[j] = arrays[j], None  # it is not needed twice
            if j != self.place and self.names[j] not in self.options.leave_out:
                columns.append(self._column(lines, j, array, assumed))
        return TablePart(lines, columns, labels, n, may_count=True)

    def _column(self, lines: CsvLines, j: int, array: Any, assumed: Assumed) -> Column:
        """A column of numbers, of categories or of words."""
        import pyarrow as pa
        import pyarrow.compute as pc

        name, options = self.names[j], self.options
        if pa.types.is_floating(array.type):
            column, wrong = numbers_column(lines, j, array, options, MISSING)
            self._has_values[j] |= column.missing().size < len(array)  # NaN among blanks is none
            self._see(j, "numbers", wrong)
            return column
        texts, codes = coded(array)
        trimmed, missing = trimmed_texts(texts)
        codes = np.where(np.append(missing, False)[codes], -1, codes)
        hashed = options.reading.hash_bits is not None
        if j in self.words:
            self.kinds[j] = "words"
            return word_column(lines, j, texts, codes, hashed)
        before = self.kinds[j] or assumed.kinds.get(j)
        kind = "text" if name in options.text else _kind(before, trimmed, missing)
        if before not in (None, kind):
            now = "text" if self._has_values[j] else kind
            why = self._odd_one(lines, j, before, trimmed, codes)
            raise assumed.but(why, kinds={**assumed.kinds, j: now})
        self._has_values[j] |= not missing.all()
        if kind == "numbers":
            values = np.append(floats_of(trimmed), np.nan)[codes]
            infinite = np.isinf(values)
            wrong = not_finite(lines, int(np.argmax(infinite)), j) if infinite.any() else None
            self._see(j, kind, wrong or check_integers(lines, j, trimmed, codes))
            return Column(j, name, np.where(infinite, np.nan, values))
        self._see(j, kind)
        if kind == "truth":
            truth = numpy_of(pc.starts_with(trimmed, "t", ignore_case=True))
            return Column(j, name, np.append(truth.astype(np.float64), np.nan)[codes])
        if not self.is_known:
            if j not in self.checks:
                meant = name in options.text or options.is_weight(name, j)
                self.checks[j] = TextChecks(j, name, hashed, meant, trims=True)
            self.checks[j].add(lines, texts, codes)
        return text_column(j, name, texts, codes)

    def _see(self, j: int, kind: str, wrong: InputError | None = None) -> None:
        self.kinds[j] = kind
        if wrong is not None:
            self._wrong.setdefault(j, wrong)

    def _odd_one(self, lines: CsvLines, j: int, before: str | None, texts: Any, codes: NDArray[Any]) -> InputError:
        """The error for the first value of a part that is not like those before, to those who cannot begin again."""
        other = ~matches(texts, NUMBER if before == "numbers" else _TRUTH)
        row = int(np.flatnonzero(np.append(other, False)[codes])[0])
        held = "numbers" if before == "numbers" else "true and false"
        return lines.error(
            row,
            j,
            f"{shown(texts[int(codes[row])].as_py())}, where the rows before hold {held}; expected the same here, or"
            f" {to_take_as_text(self.names[j])}, or a file, which can be read twice",
        )


def _kind(before: str | None, texts: Any, missing: NDArray[np.bool_]) -> str:
    """What the values of a part are; missing ones go with what there was before."""
    if before == "text":
        return "text"
    if missing.all():
        return before or "numbers"
    if (missing | matches(texts, NUMBER)).all():
        return "numbers"
    return "truth" if (missing | matches(texts, _TRUTH)).all() else "text"
