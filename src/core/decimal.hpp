// Decimal text to the nearest double, exactly, in ASCII and in no locale.
//
//   number = [ '+' | '-' ] ( digits [ '.' [ digits ] ] | '.' digits ) [ ( 'e' | 'E' ) [ '+' | '-' ] digits ]
//
// Up to 19 digits are gathered in an integer m. If m < 2^53 and the power of ten is at most 10^22, both are doubles
// without an error, and one multiplication or division rounds once, correctly (Clinger 1990). All else goes to
// std::from_chars. The text must be followed by some byte that no number holds (a newline, say).
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>

namespace rosenblatt {

enum class Numeral { good, none, overflow };

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// How many of the next eight bytes are digits, up to the first that is none, and their value. No loop, so no branch to
// foresee: numbers differ in length. Bytes that are no digit show a bit; those before them are moved up against the
// end, as behind leading zeros; and pairs, fours and eights of digits are joined by a multiplication each.
inline int leading_digits(const char* p, uint64_t& value) {
    uint64_t v;
    std::memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    const uint64_t high = 0xF0F0F0F0F0F0F0F0, threes = 0x3030303030303030;
    const uint64_t other = ((v & high) ^ threes) | (((v + 0x0606060606060606) & high) ^ threes);
    const int count = other ? __builtin_ctzll(other) / 8 : 8;
    if (count == 0) return 0;
    v <<= 64 - 8 * count;
    v = (v & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
    v = (v & 0x00FF00FF00FF00FF) * 6553601 >> 16;
    value = (v & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
    return count;
}

// All digits at p, which moves behind them: m is m·10^count + their value, modulo 2^64.
inline void take_digits(const char*& p, const char* last, uint64_t& m) {
    static constexpr uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    uint64_t some = 0;
    if (last - p >= 8) {
        const int count = leading_digits(p, some);
        if (count == 0) return;
        m = m * powers[count] + some;
        p += count;
        if (count < 8) return;
    }
    while (is_digit(*p)) m = m * 10 + uint64_t(*p++ - '0');
}

namespace decimal {

// What the fast path leaves: [begin, end) is a number by the grammar above.
inline Numeral nearest(const char* begin, const char* end, bool negative, bool small, double& value) {
    const auto [at, error] = std::from_chars(begin, end, value);
    if (error == std::errc() && at == end) {
        if (value > std::numeric_limits<double>::max()) return Numeral::overflow;
    } else if (small) {
        value = 0;  // below half of the least subnormal
    } else {
        return Numeral::overflow;
    }
    if (negative) value = -value;
    return Numeral::good;
}

}  // namespace decimal

// Reads a number at p, and moves p behind it. `last` is the end of what may be looked at, eight bytes at a time.
inline Numeral parse_decimal(const char*& p, const char* last, double& value) {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char* q = p;
    const bool negative = *q == '-';
    if (negative || *q == '+') ++q;
    const char* const begin = q;
    uint64_t m = 0;
    if (is_digit(*q)) {
        m = uint64_t(*q++ - '0');  // most numbers begin with one digit and a point
        if (*q != '.') take_digits(q, last, m);
    }
    int64_t digits = q - begin, exponent = 0;
    if (*q == '.') {
        const char* const point = ++q;
        take_digits(q, last, m);
        exponent = point - q;
        digits -= exponent;
    }
    if (digits == 0) return Numeral::none;
    if (*q == 'e' || *q == 'E') {
        const char* e = q + 1;
        const bool down = *e == '-';
        if (down || *e == '+') ++e;
        if (!is_digit(*e)) return Numeral::none;
        int64_t n = 0;
        for (; is_digit(*e); ++e) n = n < (int64_t{1} << 40) ? n * 10 + (*e - '0') : n;
        exponent += down ? -n : n;
        q = e;
    }
    p = q;
    if (digits <= 19 && m < (uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
        value = double(m);
        value = exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
        if (negative) value = -value;
        return Numeral::good;
    }
    // Where the number lies, for what from_chars calls out of range: below 10^(digits + exponent).
    return decimal::nearest(begin, q, negative, digits + exponent < 0, value);
}

}  // namespace rosenblatt
