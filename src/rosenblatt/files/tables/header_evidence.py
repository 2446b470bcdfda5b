"""Does line 1 of a table hold names, or is it a row? Judged by its cells and those below; where that is not clear, not.

For names speak: text over a column of numbers; the name of a label; an empty cell over a column that counts the rows,
as pandas and R write one; 0, 1, 2, … over a whole table, as pandas names the columns of an array. For a row speak: a
number over numbers; a cell that occurs again in its own column; a mark of a missing value. Numbers that count up (2019,
2020, 2021) may be either, unless the rows below do the same. Where one side alone speaks, it is believed; so are
names over two or more columns of numbers, if they outnumber the cells that occur again and no more speaks for a row.

Where neither does, text is left that does not occur again. If line 1 were a row, its value would be a new one with
probability about (s + 1)/(n + 1), s of the n values below occurring once (Good and Turing); line 1 holds names if the
product over its cells is at most 1/50. Good, I. J. (1953), Biometrika 40, 237-264.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from ...errors import plural, shown
from .category_checks import NUMBER

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
"""Fields that are missing values, blanks around them aside."""
LABELS = ("label", "class", "target", "y")
"""The names by which a label's column is found, whatever their case."""

_number = re.compile(NUMBER)
_plain = re.compile("0|[1-9][0-9]{0,8}")
_OVER = " stands over numbers"
_RARELY = 50  # how much rarer a row must be that looks like this


@dataclass(frozen=True)
class Line1:
    """Whether line 1 holds names (None: it is not clear), why, and whether that is plain to see."""

    header: bool | None
    why: str
    plain: bool = True

    def in_words(self) -> str:
        """What it is, and why."""
        return f"line 1 {'holds names' if self.header else 'is a row'}: {self.why}"


def judged(line: Sequence[str], below: Sequence[Sequence[str]]) -> Line1:
    """What line 1 is, to go by its cells and the rows below it."""
    cells = [cell.strip(" \t") for cell in line]
    rows = [[cell.strip(" \t") for cell in row] for row in below]
    columns = [[row[j] for row in rows if j < len(row) and row[j] not in MISSING] for j in range(len(cells))]
    numbers = {j: cell for j, cell in enumerate(cells) if _number.fullmatch(cell)}
    if not rows:
        return _alone(cells, numbers)
    names, again, new = _texts(cells, columns)
    index = not cells[0] and len(rows) > 1 and len(columns[0]) == len(rows) and _by_one(columns[0])
    if index:
        names.append("an empty cell stands over a column that counts the rows")
    may_be, is_pandas = _like_names(numbers, cells, columns, rows)
    if is_pandas:
        names.append("0, 1, 2, … are how pandas names columns")
    like = again | {j for j in numbers if not may_be and _like_a_row(cells[j], columns[j])}
    gone = [cell for cell, column in zip(cells, columns, strict=True) if cell and cell in MISSING and column]
    row = _row_words(len(like), gone, len(cells))
    rare = bool(new) and _RARELY * prod(s + 1 for s, _ in new) <= prod(n + 1 for _, n in new)
    over = sum(name.endswith(_OVER) for name in names)
    if over >= 2 and over > len(again) > 0 and like == again and not gone:
        return Line1(True, f"{names[0]}, and so do {over - 1} more", plain=False)
    if names and row:
        return Line1(None, f"{names[0]}, but {row}")
    if names:
        return Line1(True, names[0])
    if row and rare and not gone and like == again and len(again) <= len(new):
        return Line1(None, f"{row}, but {len(new)} of them occur{'s' if len(new) == 1 else ''} nowhere else")
    if row:
        return Line1(False, row)
    if rare and len(set(cells)) == len(cells):
        return Line1(True, "its cells do not occur again below", plain=False)
    if may_be:
        return Line1(None, f"{_some(list(numbers.values()))} may be names or numbers")
    return Line1(None, "its cells are text, and so are those below")


def _texts(cells: Sequence[str], columns: Sequence[Sequence[str]]) -> tuple[list[str], set[int], list[tuple[int, int]]]:
    """What speaks for names; the cells that occur again; and of text that does not, the s and n above."""
    names: list[str] = []
    again: set[int] = set()
    new: list[tuple[int, int]] = []
    for j, (cell, column) in enumerate(zip(cells, columns, strict=True)):
        others = [value for value in column if value != cell]
        if cell in MISSING:
            continue
        if len(others) < len(column) and not (_number.fullmatch(cell) and _are_numbers(column)):
            again.add(j)
        if _number.fullmatch(cell):
            continue
        if others and _are_numbers(others):
            names.append(f"{shown(cell)}{_OVER}")
        elif cell.lower() in LABELS and len(others) == len(column):
            names.append(f"{shown(cell)} is the name of a label")
        elif others and len(others) == len(column):
            new.append((list(Counter(column).values()).count(1), len(column)))
    return names, again, new


def _like_names(
    numbers: Mapping[int, str], cells: Sequence[str], columns: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> tuple[bool, bool]:
    """Whether the numbers of line 1 may be names, and whether they are those of pandas."""
    texts = list(numbers.values())
    if not texts or not all(map(_plain.fullmatch, texts)):
        return False, False
    alike = 2 * sum(_count_up([row[j] for j in numbers if j < len(row)]) for row in rows) >= len(rows)
    if texts == [str(k) for k in range(len(texts))] and len(texts) == len(cells) >= 4:
        return True, not alike
    years = len(set(texts)) == len(texts) and all(
        1800 <= int(text) <= 2100 and _outside(int(text), columns[j]) for j, text in numbers.items()
    )
    return years or (_count_up(texts) and not alike) or (not cells[0] and texts == ["0"] == cells[1:]), False


def _count_up(texts: Sequence[str]) -> bool:
    """Whether whole numbers rise in equal steps, or are many and rise."""
    if len(texts) < 2 or not all(map(_plain.fullmatch, texts)):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(texts)}
    return min(steps) > 0 and (len(texts) >= 5 or (len(steps) == 1 and (len(texts) >= 3 or steps == {1})))


def _by_one(texts: Sequence[str]) -> bool:
    return all(map(_plain.fullmatch, texts)) and all(int(b) - int(a) == 1 for a, b in pairwise(texts))


def _outside(number: int, column: Sequence[str]) -> bool:
    """Whether a number is below or above all those of a column."""
    values = [float(text) for text in column if _number.fullmatch(text)]
    return not values or number < min(values) or number > max(values)


def _like_a_row(number: str, column: Sequence[str]) -> bool:
    """Whether a number stands over numbers, or is written as no name is, with a sign, a point or an exponent."""
    return bool(column) and (_are_numbers(column) or not number.isdigit())


def _are_numbers(column: Sequence[str]) -> bool:
    return bool(column) and all(map(_number.fullmatch, column))


def _alone(cells: Sequence[str], numbers: Mapping[int, str]) -> Line1:
    """Of a line that is all there is."""
    texts = list(numbers.values())
    there = [cell for cell in cells if cell not in MISSING]
    if any(not text.isdigit() for text in texts) or (texts and len(texts) == len(there) and not _count_up(texts)):
        return Line1(False, f"{_some(texts)} {'is a number' if len(texts) == 1 else 'are numbers'}")
    return Line1(True, "nothing stands below it", plain=False)


def _row_words(like: int, gone: Sequence[str], of: int) -> str:
    if like:
        return f"{like} of its {plural(of, 'cell')} look{'s' if like == 1 else ''} like those below"
    return f"{shown(gone[0])} stands for a missing value" if gone else ""


def _some(texts: Sequence[str]) -> str:
    return ", ".join(map(shown, texts[:3])) + (", …" if len(texts) > 3 else "")


def may_be_number(text: str) -> bool:
    """Whether a field is a number, or missing."""
    text = text.strip(" \t")
    return text in MISSING or _number.fullmatch(text) is not None
