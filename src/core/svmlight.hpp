// The text format of SVMlight and LIBSVM: a row to a line.
//
//   file  = [ BOM ] line { ( LF | CRLF ) line }
//   line  = blanks [ row ] [ '#' anything ]                   a line without a row is passed over
//   row   = label { blanks1 item } blanks                     a row may have no item: it is all zeros
//   item  = index ':' number | 'qid' ':' digits               qid is passed over
//   label = number           (decimal.hpp)
//   index = digits           up to 2147483647, rising within a row
//   blanks = { ' ' | TAB }
//
// Whether the first feature is 0 or 1 is for the caller to say, or to ask once all is read: columns are given from 0
// for files that count from 1, and −1 stands for index 0.
#pragma once

#include "decimal.hpp"
#include "hashing.hpp"
#include "lines.hpp"

namespace rosenblatt {

struct Svmlight {
    bool zero_allowed = true;
    int hash_bits = 0;  // 0: columns are indices
    static constexpr int64_t kShortestItem = 4;

    void line(Cursor& at, Piece& piece) const {
        skip_blanks(at);
        if (at_end(at.p) || *at.p == '#') return;
        const char* token = at.p;
        double label = 0;
        if (const char* what = number(at, label, "label", "label overflow")) return piece.fail(at, token, what);
        const size_t first = piece.count;
        size_t count = first;
        double* const values = piece.values.data();
        int32_t* const columns = piece.columns.data();
        int64_t before = -1;
        while (true) {
            skip_blanks(at);
            token = at.p;
            if (!is_digit(*token)) {
                if (at_end(token) || *token == '#') break;
                if (!skip_qid(at)) return piece.fail(at, token, "item");
                continue;
            }
            uint64_t digits = 0;
            const char* p = token;
            take_digits(p, at.last, digits);
            if (*p != ':') return piece.fail(at, token, "item");
            const int64_t index = p - token <= 10 ? int64_t(digits) : long_index(token);
            if (index > INT32_MAX) return piece.fail(at, token, "index");
            if (index <= before) return piece.fail(at, token, "order");
            if (index == 0 && !zero_allowed) return piece.fail(at, token, "zero");
            if (before < 0) piece.least = std::min(piece.least, index);
            before = index;
            at.p = p + 1;
            if (const char* what = number(at, values[count], "value", "value overflow")) return piece.fail(at, p + 1, what);
            columns[count++] = hash_bits ? hashed_column(index, hash_bits) : int32_t(index - 1);
        }
        piece.count = count;
        piece.most = std::max(piece.most, before);
        if (hash_bits) piece.tidy(first);
        piece.end_row(label);
    }

    void join(Piece&) {}

   private:
    static const char* number(Cursor& at, double& value, const char* none, const char* overflow) {
        const Numeral read = parse_decimal(at.p, at.last, value);
        if (read == Numeral::none || !(is_blank(*at.p) || at_end(at.p) || *at.p == '#')) return none;
        return read == Numeral::overflow ? overflow : nullptr;
    }

    // More digits than a sum modulo 2^64 may be trusted with: leading zeros, or too large.
    static int64_t long_index(const char* p) {
        while (*p == '0') ++p;
        int64_t index = 0;
        for (; is_digit(*p); ++p) index = std::min<int64_t>(index * 10 + (*p - '0'), int64_t{1} << 40);
        return index;
    }

    static bool skip_qid(Cursor& at) {
        if (std::memcmp(at.p, "qid:", std::min<size_t>(4, size_t(at.last - at.p))) != 0 || at.last - at.p < 5 || !is_digit(at.p[4])) return false;
        const char* p = at.p + 4;
        while (is_digit(*p)) ++p;
        if (!(is_blank(*p) || at_end(p) || *p == '#')) return false;
        at.p = p;
        return true;
    }
};

}  // namespace rosenblatt
