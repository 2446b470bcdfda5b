"""Checks of columns of text: what looks like something else would become a thousand columns without a word said.

A column of text is made into categories, one column each. That is wrong for numbers with a slip among them (`l2.5`),
for numbers written otherwise than the grammar has it (`1,5`, `0x10`, `1_0`), for dates, and for sentences. Each is
refused by the first value that shows it, unless the column is said to be text (`text=`, `--text`).
"""

import shlex
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from .arrow import numpy_of
from .columns import MOST_CATEGORIES, TableOrigin

NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""A number as it is written in text: ASCII, a decimal point, no separators; the same for every format of text."""

# Numbers of other customs: hexadecimal, other digits, a decimal comma, separators of thousands, units, infinity.
_OTHER_NUMBER = (
    r"(?i:[$€£¥]?[+\-−]?[$€£¥]?(?:0x[0-9a-f]+|0b[01]+|0o[0-7]+"
    r"|(?:\p{Nd}+(?:[,_'’٫٬]\p{Nd}+)*\.?\p{Nd}*|\p{Nd}{1,3}(?:\.\p{Nd}{3})+,\p{Nd}+|\.\p{Nd}+)(?:[ed][+\-−]?\p{Nd}+)?f?"
    r"|inf(?:inity)?|nan(?:\(.*\))?|∞)[%$€£¥]?)"
)
_DATE = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4})"
    r"(?:[ T][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]*)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]*)?)?"

_FEW = 20  # as many numbers may well be categories
_CODES = 5  # beside as many, one word is no slip
_LONGEST = 4096  # characters of a category
_WORDS = 4  # in a value, on average: sentences


def matches(texts: Any, pattern: str) -> NDArray[np.bool_]:
    """Which of the texts, an Arrow array, are matched from end to end."""
    import pyarrow.compute as pc

    return numpy_of(pc.match_substring_regex(texts, f"^(?:{pattern})$"))


def to_take_as_text(name: str) -> str:
    """What to say so that a column is taken as text."""
    option = f"--text {shlex.quote(name)} (text=[{name!r}])" if len(name) < 40 and name.isprintable() else "text="
    return f"{option} to take it as text"


def to_take_words(name: str) -> str:
    """What to say so that a column's sentences become words."""
    option = f"--words {shlex.quote(name)} (words=[{name!r}])" if len(name) < 40 and name.isprintable() else "--words"
    return f"{option} makes a feature of each word"


def text_without_words(name: str) -> str:
    """What to do about a column that is text and no category."""
    return f"holds text; expected numbers or categories: {to_take_words(name)}, or leave it out"


class TextChecks:
    """The values of a column of text, as they come: whether they are meant as categories is seen in the end.

    place, name
        The column's position and name.
    hashed
        Whether its features are hashed: then there may be any number of them, and the first ones are looked at.
    meant
        Whether somebody says that they are categories, or cares for nothing else.
    trims
        Whether blanks around a value mean nothing.
    """

    def __init__(self, place: int, name: str, hashed: bool, meant: bool, trims: bool) -> None:
        self.place, self.name, self.hashed, self.meant, self.trims = place, name, hashed, meant, trims
        self.counts: dict[str, int] = {}
        self._odd: tuple[Callable[[str], InputError], str] | None = None
        """The first value that is no number: the error for its place, and the value."""

    def add(self, origin: TableOrigin, texts: Any, codes: NDArray[Any]) -> None:
        """Values of some more rows, by the number of each row's; −1 is missing.

        Raises `InputError` for more categories than there may be, unless they are hashed, or longer ones.
        """
        import pyarrow.compute as pc

        if len(texts) > MOST_CATEGORIES and not self.hashed:
            raise too_many(origin.name, f"column {shown(self.name)} has {len(texts)}")
        long = numpy_of(pc.utf8_length(texts)) > _LONGEST
        if long.any() and (rows := np.flatnonzero(np.append(long, False)[codes])).size:
            length = len(texts[int(codes[rows[0]])].as_py())
            what = f"a value of {length} characters; expected categories of at most {_LONGEST}: leave it out, or"
            raise origin.error(int(rows[0]), self.place, f"{what} {to_take_words(self.name)}")
        if self.meant:
            return
        if self._odd is None:
            other = ~matches(self._judged(texts), NUMBER)
            if (rows := np.flatnonzero(np.append(other, False)[codes])).size:
                row = int(rows[0])
                value = self._judged(texts)[int(codes[row])].as_py()
                self._odd = partial(origin.error, row, self.place), value
        counts = np.bincount(codes[codes >= 0], minlength=len(texts)).tolist()
        if self.hashed and len(self.counts) > MOST_CATEGORIES:
            return
        for text, many in zip(texts.to_pylist(), counts, strict=True):
            if many:
                self.counts[text] = self.counts.get(text, 0) + many
        if len(self.counts) > MOST_CATEGORIES and not self.hashed:
            raise too_many(origin.name, f"column {shown(self.name)} has {len(self.counts)} so far")

    def forget_rows(self) -> None:
        """Keep no part of the table in memory to say where a value stands."""
        if self._odd is not None:
            self._odd = partial(_error_at, str(self._odd[0](""))), self._odd[1]

    def join(self, other: "TextChecks", table: str) -> None:
        """See what another saw of the rows behind these. Raises `InputError` for more categories than there may be."""
        self._odd = self._odd or other._odd
        if self.hashed and len(self.counts) > MOST_CATEGORIES:
            return
        for text, many in other.counts.items():
            self.counts[text] = self.counts.get(text, 0) + many
        if len(self.counts) > MOST_CATEGORIES and not self.hashed:
            raise too_many(table, f"column {shown(self.name)} has {len(self.counts)} so far")

    def check(self, table: str) -> None:
        """Raises `InputError` where text is hardly meant as categories."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.meant or not self.counts:
            return
        texts = self._judged(pa.array(list(self.counts), pa.large_string()))
        counts = np.array(list(self.counts.values()))
        rows, distinct = int(counts.sum()), counts.size
        where = f"{table}: column {shown(self.name)}:"
        for what, pattern in (("dates", _DATE), ("times", _TIME)):
            if matches(texts, pattern).all():
                raise InputError(f"{where} {cannot_be_features(what)}")
        hint, number = to_take_as_text(self.name), matches(texts, NUMBER)
        numbers = int(np.count_nonzero(number))
        if numbers == distinct and numbers > _FEW:
            raise InputError(f"{where} holds numbers as text; convert them to numbers, or {hint}")
        if self._odd is not None:
            error, value = self._odd
            if all_numbers(texts):
                raise error(not_written_so(value, self.name))
            written = numpy_of(pc.match_substring_regex(texts, "[.eE]"))
            share = int(counts[number].sum()) / rows
            if (share >= 0.5 and (numbers > _FEW or (written & number).any())) or (share >= 0.9 and numbers > _CODES):
                raise error(f"{shown(value)}, where other rows hold numbers; expected a number, or {hint}")
        words = numpy_of(pc.count_substring(texts, " ")).mean() + 1
        if distinct > _FEW and 2 * distinct > rows and words >= _WORDS:
            raise InputError(
                f"{where} holds sentences ({distinct} different values in {rows} rows, {words:.0f} words each);"
                f" expected numbers or categories: {to_take_words(self.name)}, or leave it out"
            )

    def _judged(self, texts: Any) -> Any:
        import pyarrow.compute as pc

        return pc.utf8_trim(texts, characters=" \t") if self.trims else texts


def join_checks(checks: dict[int, TextChecks], others: Mapping[int, TextChecks], table: str) -> None:
    """Join those of each column with what others saw of the rows behind."""
    for j, other in others.items():
        if j in checks:
            checks[j].join(other, table)
        else:
            checks[j] = deepcopy(other)  # which is added to from now on


def _error_at(place: str, what: str) -> InputError:
    return InputError(place + what)


def all_numbers(texts: Any) -> bool:
    """Whether all texts are numbers, by whatever custom they are written."""
    return bool(matches(texts, _OTHER_NUMBER).all())


def not_written_so(value: str, name: str) -> str:
    """What to say of a number that is not written as the grammar has it."""
    return f"{shown(value)} is not a number; expected one such as 1.5 or -2e-3, or {to_take_as_text(name)}"


def too_many(table: str, what: str) -> InputError:
    """The error for more categories than there may be."""
    return InputError(
        f"{table}: more than {MOST_CATEGORIES} different values in columns of text ({what}); leave such columns"
        " out, or use --hash-bits (hash_bits=)"
    )


def cannot_be_features(what: str) -> str:
    """What to do about a column that is neither numbers nor categories."""
    example = {
        "dates": ", e.g. days since a day that matters",
        "times": ", e.g. seconds since midnight",
        "durations": ", e.g. seconds",
        "lists": ", a column each",
        "structs": ", a column each",
    }
    return f"holds {what}; turn it into numbers first{example.get(what, '')}, or leave it out"
