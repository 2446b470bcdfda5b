"""Line 1 of a table, for the slow reader: names, a row, or not clear. Shares nothing with the fast one.

Cells are without blanks around them; missing ones below count for nothing. Each cell of line 1 over its column:

- text over numbers only (itself aside): for names. The name of a label that does not occur again: for names.
- a cell that occurs again in its column, unless all of it is numbers: for a row. A mark of a missing value that is not
  empty, over a column that is not: for a row.
- a number over numbers, or one with a sign, a point or an exponent over anything: for a row; but not if the numbers of
  line 1 may be names: whole ones, that rise by equal steps (three, or two by 1) or rise (five), unless half of the rows
  below do so too; or different years, 1800 to 2100, each below or above all numbers of its column.
- an empty first cell over whole numbers that rise by 1, two or more: for names.
- all cells are 0, 1, 2, …, four or more: for names, but if half of the rows below rise so too, for nothing.

One side alone is right. Both: not clear, except that text over numbers in two columns or more, and in more than have a
cell that occurs again, means names if nothing else is for a row. But text that occurs again beside at least as much new
text is not clear either, if that is rare; and if nothing speaks, new text means names if it is rare and no cell is
there twice. New text is rare if the product of (1 + values that occur once)/(1 + values) over its columns is at most
1/50.

A line alone is a row if it has a number that is no plain digits, or nothing but numbers that do not rise so.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from .sheet import NUMBER

MISSING = frozenset(("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"))
LABELS = frozenset(("label", "class", "target", "y"))


def holds_names(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool | None:
    """Whether line 1 does; None: it is not clear."""
    first = [cell.strip(" \t") for cell in first]
    below = [[cell.strip(" \t") for cell in record] for record in below]
    at = [j for j, cell in enumerate(first) if NUMBER.fullmatch(cell)]
    if not below:
        some = [cell for cell in first if cell not in MISSING]
        odd = any(not first[j].isdigit() for j in at)
        return not (odd or (at and len(at) == len(some) and not _rise([first[j] for j in at])))
    columns = [
        [record[j] for record in below if len(record) > j and record[j] not in MISSING] for j in range(len(first))
    ]
    named, doubtful = _numbers_as_names(first, at, columns, below)
    for_names, over, for_a_row, again, new, chance = named, 0, 0, 0, 0, Fraction(1)
    for j, (cell, column) in enumerate(zip(first, columns, strict=True)):
        rest = [value for value in column if value != cell]
        number = j in at
        if cell == "":
            whole = len(column) == len(below) > 1 and all(map(_whole, column))
            if j == 0 and whole and all(int(column[i + 1]) == int(column[i]) + 1 for i in range(len(column) - 1)):
                for_names = True
        elif cell in MISSING:
            for_a_row += bool(column)
        elif number and column and _all_numbers(column):
            for_a_row += not doubtful
        else:
            if len(rest) < len(column):
                again += 1
            elif number and column and not cell.isdigit():
                for_a_row += not doubtful
            if number:
                continue
            over += _all_numbers(rest)
            if _all_numbers(rest) or (len(rest) == len(column) and cell.lower() in LABELS):
                for_names = True
            elif rest and len(rest) == len(column):
                new += 1
                once = sum(column.count(value) == 1 for value in column)
                chance *= Fraction(1 + once, 1 + len(column))
    rare = new > 0 and 50 * chance <= 1
    if over > max(again, 1) and not for_a_row:
        return True
    if for_names:
        return None if for_a_row or again else True
    if for_a_row or again:
        return None if rare and not for_a_row and again <= new else False
    return True if rare and len({*first}) == len(first) else None


def _numbers_as_names(
    first: Sequence[str], at: Sequence[int], columns: Sequence[Sequence[str]], below: Sequence[Sequence[str]]
) -> tuple[bool, bool]:
    """Whether numbers are names for certain, and whether they may be."""
    numbers = [first[j] for j in at]
    if not numbers or not all(map(_whole, numbers)):
        return False, False
    rising = sum(_rise([record[j] for j in at if j < len(record)]) for record in below)
    if len(at) == len(first) > 3 and all(cell == str(j) for j, cell in enumerate(first)):
        return 2 * rising < len(below), True
    years = len({*numbers}) == len(numbers)
    for j in at:
        values = [float(value) for value in columns[j] if NUMBER.fullmatch(value)]
        inside = bool(values) and min(values) <= int(first[j]) <= max(values)
        years = years and 1800 <= int(first[j]) <= 2100 and not inside
    series = first[0] == "" and list(first[1:]) == ["0"]
    return False, years or series or (_rise(numbers) and 2 * rising < len(below))


def _rise(texts: Sequence[str]) -> bool:
    if not all(map(_whole, texts)):
        return False
    steps = [int(texts[i + 1]) - int(texts[i]) for i in range(len(texts) - 1)]
    if not steps or any(step < 1 for step in steps):
        return False
    return len(texts) > 4 or (len(texts) > 2 and len({*steps}) == 1) or steps == [1]


def _whole(text: str) -> bool:
    return re.fullmatch("[0-9]{1,9}", text) is not None and (text == "0" or text[0] != "0")


def _all_numbers(texts: Sequence[str]) -> bool:
    return len(texts) > 0 and all(NUMBER.fullmatch(text) for text in texts)
