"""Exact numbers as text: every number has one written form, and no reader rounds it.

"-12", "5/2", "0x1.999999999999ap-4" (as float.hex writes a float64), and beyond 4000 digits in hexadecimal.
"""

import math
import re
import sys
from fractions import Fraction
from typing import Any

from ..errors import InputError, shown

_DECIMAL_DIGITS = 4000  # Python's own limit on reading decimals is 4300
_LONG = 10**_DECIMAL_DIGITS
_SHORT_BITS = 1900  # of a number that has fewer than 600 digits
MOST_BITS = 2**19  # of a numerator or denominator
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
_HEX = re.compile(r"-?0x[1-9a-f][0-9a-f]*(/0x[1-9a-f][0-9a-f]*)?")
_FLOAT = re.compile(r"0x0\.0p\+0|-?0x[01]\.[0-9a-f]{13}p[+-][0-9]{1,4}")


def fraction(value: Any) -> Fraction:
    """A number of Python's or NumPy's, exactly, in Python's own integers."""
    return Fraction(value.item() if hasattr(value, "item") else value)


def exact_text(value: Fraction) -> str:
    """An exact number as text: a float64's hex form where that is shorter than the integer or ratio.

    >>> exact_text(Fraction(-5, 2)), exact_text(Fraction(0.1)), exact_text(Fraction(10) ** 4000)[:8]
    ('-5/2', '0x1.999999999999ap-4', '0xd1ba83')
    """
    parts = (abs(value.numerator), value.denominator)[: 1 + (value.denominator > 1)]
    if max(parts) < _LONG:
        text = "/".join(map(_decimal, parts))
        if len(text) > 20 and abs(value) <= sys.float_info.max and Fraction(rounded := float(value)) == value:
            text = min(text, abs(rounded).hex(), key=len)
    else:
        text = "/".join(map(hex, parts))
    return "-" * (value < 0) + text


def exact(text: Any) -> Fraction:
    """The number that a text holds. Raises `InputError` unless it is written as `exact_text` or float.hex write it.

    >>> exact("-5/2"), exact("0x1.8000000000000p+1")
    (Fraction(-5, 2), Fraction(3, 1))
    """
    if type(text) is not str:
        raise InputError(f"number {shown(text)}: expected a string like '-12', '5/2' or a float's hex form")
    if len(text) > MOST_BITS // 2 + 8:  # two parts in hexadecimal, and signs
        raise InputError(f"number {shown(text[:60])}: too long")
    if _FLOAT.fullmatch(text):
        try:
            value = float.fromhex(text)
        except OverflowError:
            value = math.inf
        if math.isfinite(value) and value.hex() == text:
            return Fraction(value)
    elif (decimal := _DECIMAL.fullmatch(text)) or _HEX.fullmatch(text):
        parts = text.lstrip("-").split("/")
        p, q = [*(_from_decimal(part) if decimal else int(part, 16) for part in parts), 1][:2]
        long = max(len(part) for part in parts) > _DECIMAL_DIGITS if decimal else max(p, q) < _LONG
        lowest = len(parts) == 1 or (q > 1 and math.gcd(p, q) == 1)
        if not long and lowest and (p or text == "0"):
            return Fraction(-p if text[0] == "-" else p, q)
    raise InputError(f"number {shown(text)}: not in its one canonical form")


def _decimal(value: int) -> str:
    """str(value), in pieces: the interpreter may have been told to refuse more than 640 digits at a time."""
    if value.bit_length() < _SHORT_BITS:
        return str(value)
    high, low = divmod(value, 10**600)
    return _decimal(high) + f"{low:0600d}" if high else str(low)


def _from_decimal(digits: str) -> int:
    value = 0
    for first in range(0, min(len(digits), _DECIMAL_DIGITS + 1), 600):
        piece = digits[first : first + 600]
        value = value * 10 ** len(piece) + int(piece)
    return value
