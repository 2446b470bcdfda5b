"""Checks of columns of text: what looks like something else would become a thousand columns without a word said.

A column of text is made into categories, one column each. That is wrong for numbers with a slip among them (`l2.5`),
for numbers written otherwise than the grammar has it (`1,5`, `0x10`, `1_0`), for dates, and for sentences. Each is
refused by the first value that shows it, unless the column is said to be text (`text=`, `--text`).
"""

import shlex
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from .arrow import numpy_of
from .columns import MOST_CATEGORIES, TableOrigin, column_error

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


def check_categories(origin: TableOrigin, column: int, texts: Any, codes: NDArray[Any]) -> None:
    """Raises `InputError` where text is hardly meant as categories. Codes of missing values are −1."""
    import pyarrow.compute as pc

    counts = np.bincount(codes[codes >= 0], minlength=len(texts))
    used, rows = counts > 0, int(counts.sum())
    distinct = int(np.count_nonzero(used))
    if not rows:
        return
    for what, pattern in (("dates", _DATE), ("times", _TIME)):
        if (matches(texts, pattern) | ~used).all():
            raise column_error(origin, column, cannot_be_features(what))
    hint = to_take_as_text(origin.columns[column])
    number = matches(texts, NUMBER) & used
    numbers = int(np.count_nonzero(number))
    if numbers == distinct and numbers > _FEW:
        raise column_error(origin, column, f"holds numbers as text; convert them to numbers, or {hint}")
    if numbers < distinct:
        check_numbers(origin, column, texts, codes)
        written = numpy_of(pc.match_substring_regex(texts, "[.eE]"))
        share = int(counts[number].sum()) / rows
        if (share >= 0.5 and (numbers > _FEW or (written & number).any())) or (share >= 0.9 and numbers > _CODES):
            row, value = _first(used & ~number, texts, codes)
            raise origin.error(row, column, f"{value}, where other rows hold numbers; expected a number, or {hint}")
    words = numpy_of(pc.count_substring(texts, " "))[used].mean() + 1
    if distinct > _FEW and 2 * distinct > rows and words >= _WORDS:
        raise column_error(
            origin,
            column,
            f"holds sentences ({distinct} different values in {rows} rows, {words:.0f} words each); expected numbers or"
            f" categories: {to_take_words(origin.columns[column])}, or leave it out",
        )


def check_numbers(origin: TableOrigin, column: int, texts: Any, codes: NDArray[Any]) -> None:
    """Raises `InputError` if all are numbers, but some are not written as the grammar has it."""
    used = np.bincount(codes[codes >= 0], minlength=len(texts)) > 0
    wrong = used & ~matches(texts, NUMBER)
    if wrong.any() and (matches(texts, _OTHER_NUMBER) | ~used).all():
        row, value = _first(wrong, texts, codes)
        hint = to_take_as_text(origin.columns[column])
        raise origin.error(row, column, f"{value} is not a number; expected one such as 1.5 or -2e-3, or {hint}")


def _first(which: NDArray[np.bool_], texts: Any, codes: NDArray[Any]) -> tuple[int, str]:
    """The first row with one of these texts, and the text."""
    row = int(np.flatnonzero(np.append(which, False)[codes])[0])
    return row, shown(texts[int(codes[row])].as_py())


def check_sizes(origin: TableOrigin, column: int, texts: Any, codes: NDArray[Any], hashed: bool) -> None:
    """Raises `InputError` for more categories than there may be, unless they are hashed, or longer ones."""
    import pyarrow.compute as pc

    if len(texts) > MOST_CATEGORIES and not hashed:
        raise too_many(origin.name, f"column {shown(origin.columns[column])} has {len(texts)}")
    long = numpy_of(pc.utf8_length(texts)) > _LONGEST
    if (rows := np.flatnonzero(np.append(long, False)[codes])).size:
        length = len(texts[int(codes[rows[0]])].as_py())
        what = f"a value of {length} characters; expected categories of at most {_LONGEST}: leave it out, or"
        what += f" {to_take_words(origin.columns[column])}"
        raise origin.error(int(rows[0]), column, what)


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
