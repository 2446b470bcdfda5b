"""The labels of CSV text, as they come: what they are is known in the end.

int64 if all are whole numbers, float64 if all are numbers, else text as it is written.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..options import Options
from .category_checks import NUMBER, all_numbers, matches, not_written_so
from .columns import LabelColumn
from .csv_fields import coded, floats_of, not_finite, trimmed_texts
from .csv_lines import CsvLines

_KINDS = ("int", "float", "text")


class CsvLabels:
    """The label's column. `kind` is what all labels seen so far can be: "int", "float" or "text"."""

    def __init__(self, place: int, name: str, options: Options) -> None:
        self.place, self.name = place, name
        self.meant = name in options.text
        self.kind = "text" if self.meant else "int"
        self._wrong: dict[str, InputError] = {}
        self._odd: tuple[InputError, str] | None = None
        self._some_number, self._all_numbers, self._as_numbers = False, True, False

    def see(self, lines: CsvLines, array: Any) -> None:
        """See some more of them."""
        if self.meant:
            return
        texts, codes = coded(array)
        trimmed, missing = trimmed_texts(texts)
        used = np.bincount(codes[codes >= 0], minlength=len(texts)) > 0
        there, number = used & ~missing, matches(trimmed, NUMBER)
        self._some_number |= bool((there & number).any())
        if not number[there].all():
            self.kind = "text"
            if self._odd is None:
                row = int(np.flatnonzero(np.append(there & ~number, False)[codes])[0])
                value = trimmed[int(codes[row])].as_py()
                self._odd = lines.error(row, self.place, not_written_so(value, self.name)), value
            self._all_numbers &= all_numbers(trimmed.filter(_mask(there)))
            return
        if self._all_numbers and self.kind == "text":
            self._all_numbers = all_numbers(trimmed.filter(_mask(there)))
        if self.kind == "int" and not matches(trimmed, "[+-]?[0-9]+")[there].all():
            self.kind = "float"
        if self.kind == "text":
            return
        for kind in _KINDS[:2]:
            if kind not in self._wrong and (error := self._beyond(kind, lines, trimmed, codes, there)) is not None:
                self._wrong[kind] = error

    def join(self, other: "CsvLabels") -> None:
        """See what another saw of the rows behind these."""
        self._as_numbers |= self.kind != "text" and other._as_numbers
        self.kind = max(self.kind, other.kind, key=_KINDS.index)
        self._wrong = {**other._wrong, **self._wrong}
        self._odd = self._odd or other._odd
        self._some_number |= other._some_number
        self._all_numbers &= other._all_numbers

    def _beyond(
        self, kind: str, lines: CsvLines, texts: Any, codes: NDArray[Any], there: NDArray[np.bool_]
    ) -> InputError | None:
        """The error for the first label that is beyond what this kind holds, if there is one."""
        if kind == "float":
            values = np.append(floats_of(texts), 0.0)[codes]
            infinite = np.isinf(values)
            return not_finite(lines, int(np.argmax(infinite)), self.place) if infinite.any() else None
        if self.kind != "int":
            return None
        written = [text if is_there else "0" for text, is_there in zip(texts.to_pylist(), there, strict=True)]
        big = [i for i, text in enumerate(written) if len(text.lstrip("+-0")) > 19 or abs(_integer(text)) >= 2**63]
        if not big:
            return None
        row = int(np.flatnonzero(np.isin(codes, big))[0])
        what = f"label {shown(written[codes[row]])} is beyond 2**63; expected a smaller number"
        return lines.error(row, self.place, what)

    def check_steady(self) -> None:
        """Raises `InputError` for text, where labels were given as numbers before."""
        if self.kind == "text" and self._as_numbers and self._odd is not None:
            raise self._odd[0]

    def check(self) -> None:
        """Raises `InputError` for a label that is out of range, or hardly what was meant."""
        if self.kind in self._wrong:
            raise self._wrong[self.kind]
        if self.kind == "text" and self._odd is not None and self._some_number and self._all_numbers:
            raise self._odd[0]

    def column(self, array: Any) -> LabelColumn:
        """Some labels, as what all are so far; floats, though they may be whole numbers all of them."""
        kind = "text" if self.kind in self._wrong else self.kind
        self._as_numbers |= kind != "text"
        texts, codes = coded(array)
        trimmed, missing = trimmed_texts(texts)
        codes = np.where(np.append(missing, False)[codes], -1, codes)
        gone = np.flatnonzero(codes < 0)
        if kind == "text":
            return LabelColumn(self.place, np.array([*texts.to_pylist(), ""], dtype=object)[codes], gone)
        if kind == "int":
            used = np.bincount(codes[codes >= 0], minlength=len(texts)) > 0
            numbers = [
                _integer(text) if is_used else 0 for text, is_used in zip(trimmed.to_pylist(), used, strict=True)
            ]
            return LabelColumn(self.place, np.array([*numbers, 0], dtype=np.int64)[codes], gone)
        values = np.append(floats_of(trimmed), 0.0)[codes]
        return LabelColumn(self.place, np.where(np.isnan(values), 0.0, values), gone)


def _mask(which: NDArray[np.bool_]) -> Any:
    import pyarrow as pa

    return pa.array(which.tolist(), pa.bool_())


def _integer(text: str) -> int:
    # Without leading zeros, of which there may be more than Python converts.
    return int((text.lstrip("+-0") or "0") if text[0] != "-" else "-" + (text.lstrip("-0") or "0"))
