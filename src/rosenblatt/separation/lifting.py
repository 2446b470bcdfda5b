"""Square systems A·x = b in whole numbers, solved exactly, with a look at the watch between steps.

p-adic lifting (Dixon 1982): one inverse modulo a prime of a word, then as many digits of x to that base as it takes
(in the core, lifting.hpp). Fractions N_i/D with a common denominator come out of the digits (Wang 1981). They are
right, and not just likely, once A·N − D·b, which is 0 modulo p^K, is also too small to be another multiple of p^K:

    k·max|A|·max|N| + D·max|b| < p^K
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz, fmpz_mat, nmod_mat
from numpy.typing import NDArray

from .. import _core

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

PRIME = 1_152_921_504_606_846_697  # below 2^60; not near enough to it for sums of few powers of two to look like 0
_BITS = 59  # that a digit tells
_WORK = 20_000_000  # products between two looks at the watch: some hundredths of a second


class Solved(NamedTuple):
    """x = numerators/denominator, the denominator > 0."""

    numerators: list[int]
    denominator: int


def words_of(odd: Ints, shifts: Ints, words: int) -> Words:
    """odd·2^shift (shift ≥ 0) in two's complement, the lowest word first, for every entry of a table."""
    found = np.empty((*odd.shape, words), dtype=np.uint64)
    for w in range(words):
        up = shifts - 64 * w
        left = np.where((up >= 0) & (up < 64), odd << np.clip(up, 0, 63), 0)
        found[..., w] = np.where(up < 0, odd >> np.clip(-up, 0, 63), left).view(np.uint64)
    return found


def bits_of(odd: Ints, shifts: Ints) -> int:
    """Of the largest number odd·2^shift."""
    used = odd != 0
    if not used.any():
        return 1
    return int((np.frexp(np.abs(odd[used]).astype(np.float64))[1] + shifts[used]).max())


def inverse_modulo(residues: Words) -> Words | None:
    """The inverse modulo the prime; None if there is none."""
    k = residues.shape[0]
    try:
        inverse: Any = nmod_mat(k, k, residues.ravel().tolist(), PRIME).inv()
    except ZeroDivisionError:
        return None
    return np.array(list(map(int, inverse.entries())), dtype=np.uint64).reshape(k, k)


def solve(odd: Ints, shifts: Ints, sides: list[list[int]], tick: Callable[[], object]) -> list[Solved] | None:
    """X of A·x = b for each b of `sides`, where A = odd·2^shift, k × k; None if A is singular modulo the prime."""
    k, size = odd.shape[0], bits_of(odd, shifts)
    largest = max(abs(b) for side in sides for b in side).bit_length()
    words = (max(size + k.bit_length(), largest) + 2) // 64 + 1
    table = np.ascontiguousarray(words_of(odd, shifts, words))
    tick()
    inverse = inverse_modulo(_core.residues(table, PRIME))
    if inverse is None:
        return None
    tick()
    rest = _side_words(sides, words)
    room = size + k.bit_length() + 1, largest + 1
    steps = max(1, _WORK // (k * k * len(sides) * (words + 1)))
    modulus, x, known, trial = fmpz(1), fmpz_mat(1, len(sides) * k), 0, 8
    while True:
        while known < trial:
            tick()
            some = min(steps, trial - known)
            digits = _core.lift(table, inverse, rest, PRIME, some)
            x, modulus, known = x + _joined(digits) * modulus, modulus * fmpz(PRIME) ** some, known + some
        found = _fractions(x.entries(), modulus, k, room, tick)
        if found is not None:
            return found
        trial = known + max(4, known // 4)


def _side_words(sides: list[list[int]], words: int) -> Words:
    """Whole numbers of any size in two's complement."""
    text = b"".join(b.to_bytes(8 * words, "little", signed=True) for side in sides for b in side)
    return np.frombuffer(text, dtype="<u8").astype(np.uint64).reshape(len(sides), -1, words)


def _joined(digits: Words) -> fmpz_mat:
    """Σ digit_t·p^t: of two halves at a time, so that numbers of equal length are multiplied."""
    rows = [fmpz_mat(1, row.size, row.tolist()) for row in digits.reshape(digits.shape[0], -1)]
    power = fmpz(PRIME)
    while len(rows) > 1:
        pairs = [low + high * power for low, high in zip(rows[::2], rows[1::2], strict=False)]
        rows = pairs + (rows[-1:] if len(rows) % 2 else [])
        power = power * power
    return rows[0]


def _fractions(
    x: list[fmpz], modulus: fmpz, k: int, room: tuple[int, int], tick: Callable[[], object]
) -> list[Solved] | None:
    """N/D ≡ x modulo p^K for each right-hand side, small enough to be right; None if p^K is too small as yet."""
    bits, found = modulus.bit_length() - 1, []
    for first in range(0, len(x), k):
        denominator, values = fmpz(1), x[first : first + k]
        for value in values:
            scaled = _nearest(value * denominator, modulus)
            if 2 * scaled.bit_length() >= bits:
                tick()
                fraction = rational(scaled % modulus, modulus)
                if fraction is None:
                    return None
                denominator *= fraction[1]
        numerators = [_nearest(value * denominator, modulus) for value in values]
        longest = max(n.bit_length() for n in numerators)
        if max(longest + room[0], denominator.bit_length() + room[1]) + 1 >= bits:
            return None
        found.append(Solved(list(map(int, numerators)), int(denominator)))
    return found


def _nearest(value: fmpz, modulus: fmpz) -> fmpz:
    value %= modulus
    return value - modulus if 2 * value > modulus else value


def rational(value: fmpz, modulus: fmpz) -> tuple[fmpz, fmpz] | None:
    """n, q with n ≡ q·value modulo `modulus`, |n| and q > 0 well below its root; None if there are none.

    Euclid's algorithm stopped half way, many steps at a time with the leading bits alone (Lehmer 1938).

    >>> rational(fmpz(3 * pow(7, -1, 10007) % 10007), fmpz(10007))
    (3, 7)
    """
    a, b = modulus, value
    s, t = fmpz(0), fmpz(1)  # a ≡ ±s·value, b ≡ ±t·value
    half = modulus.bit_length() // 2
    sign = 1
    while b.bit_length() > half:
        u, v, w, z, odd = _leading_steps(a, b, half)
        if v == 0:
            q, r = divmod(a, b)
            a, b, s, t, sign = b, r, t, s + q * t, -sign
        else:
            a, b = (v * b - u * a, w * a - z * b) if odd else (u * a - v * b, z * b - w * a)
            s, t, sign = u * s + v * t, w * s + z * t, -sign if odd else sign
    if b.bit_length() + t.bit_length() > modulus.bit_length() - 16 and modulus.bit_length() > 64:
        return None  # as long as of a number at random
    return sign * b, t


def _leading_steps(a: fmpz, b: fmpz, half: int) -> tuple[int, int, int, int, bool]:
    """Steps of Euclid's algorithm on the leading 60 bits that are those of the whole numbers, as u, v, w, z ≥ 0."""
    shift = a.bit_length() - 60
    u, v, w, z, odd = 1, 0, 0, 1, False
    if shift <= 0 or b.bit_length() < half + 62:
        return u, v, w, z, odd
    x, y = int(a >> shift), int(b >> shift)
    while y:
        q, r = divmod(x, y)
        next_w, next_z = u + q * w, v + q * z
        # Both true quotients agree as long as the remainder and what is left stay clear of the cofactors (Collins).
        if r < next_z or y - r < next_z + z:
            break
        x, y, u, v, w, z, odd = y, r, w, z, next_w, next_z, not odd
    return u, v, w, z, odd
