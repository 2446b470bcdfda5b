// The text format of Vowpal Wabbit, as far as it is about classes: a row to a line.
//
//   line    = blanks [ [ label [ importance [ "0" ] ] ] [ tag ] { '|' [ space [ ':' scale ] ] { blanks1 feature } } ] blanks
//   feature = name [ ':' number ]         1 if there is none; times the scale of its namespace
//   label, importance, scale = number (decimal.hpp)   importance is the weight of the row, 0 or more; a base must be 0
//   tag     = [ "'" ] text, without a blank before '|' or with the quote: so "1|a" has a tag and no label
//   name, space = UTF-8 without blanks, ':' and '|'
//
// A feature is known by its name, "space^name" in a namespace; what comes twice in a row is added up. A line without a
// label has NaN for one. Columns are numbered in the order in which names first come, or hashed.
#pragma once

#include <limits>

#include "decimal.hpp"
#include "hashing.hpp"
#include "lines.hpp"

namespace rosenblatt {

struct Vw {
    int hash_bits = 0;  // 0: a column for each name
    bool keep_names = true;
    static constexpr int64_t kShortestItem = 2;

    Names names;

    void line(Cursor& at, Piece& piece) const {
        double label = std::numeric_limits<double>::quiet_NaN();
        double weight = 1;
        if (!head(at, piece, label, weight) || at_end(at.p)) return;
        const size_t first = piece.count;
        while (*at.p == '|')
            if (!space(at, piece)) return;
        piece.tidy(first);
        piece.end_row(label);
        piece.weights.push_back(weight);
    }

    // Columns by this piece's names become columns by the names of all.
    void join(Piece& piece) {
        if (hash_bits) {
            for (const std::string& name : piece.names.list()) names.number(name);
            return;
        }
        std::vector<int32_t> place;
        for (const std::string& name : piece.names.list()) place.push_back(names.number(name).first);
        size_t from = 0;
        for (size_t i = 0; i < piece.count; ++i) piece.columns.data()[i] = place[size_t(piece.columns.data()[i])];
        // Each row again in rising order; none has a column twice, so that no row gets shorter.
        const size_t count = piece.count;
        for (const int64_t end : piece.ends) {
            piece.count = size_t(end);
            piece.tidy(from);
            from = size_t(end);
        }
        piece.count = count;
    }

   private:
    static bool ends_word(const char* p) { return is_blank(*p) || at_end(p) || *p == '|'; }

    // What stands before the first '|'.
    static bool head(Cursor& at, Piece& piece, double& label, double& weight) {
        skip_blanks(at);
        if (at_end(at.p)) return true;
        for (int words = 0; *at.p != '|'; ++words) {
            const char* const token = at.p;
            const char* end = token;
            while (!ends_word(end)) ++end;
            if (at_end(token)) return piece.fail(at, token, "bar"), false;
            double value = 0;
            if (*token != '\'' && *end != '|') {
                const Numeral read = parse_decimal(at.p, at.last, value);
                const char* const wanted = words == 0 ? "label" : words == 1 ? "importance" : "head";
                if (read == Numeral::none || at.p != end) return piece.fail(at, token, words ? "head" : "label"), false;
                if (read == Numeral::overflow) return piece.fail(at, token, words == 0 ? "label overflow" : wanted), false;
                if ((words == 1 && value < 0) || (words == 2 && value != 0) || words > 2) return piece.fail(at, token, wanted), false;
                if (words == 0) label = value;
                if (words == 1) weight = value;
            }
            at.p = end;
            skip_blanks(at);
        }
        return true;
    }

    // '|', a namespace, and its features.
    bool space(Cursor& at, Piece& piece) const {
        const char* token = ++at.p;
        while (!ends_word(at.p) && *at.p != ':') ++at.p;
        std::string full(token, size_t(at.p - token));
        const size_t prefix = full.empty() ? 0 : full.size() + 1;
        if (prefix) full.push_back('^');
        double scale = 1;
        if (*at.p == ':' && value(at, scale)) return piece.fail(at, token, "scale"), false;
        while (true) {
            skip_blanks(at);
            if (at_end(at.p) || *at.p == '|') return true;
            token = at.p;
            while (!ends_word(at.p) && *at.p != ':') ++at.p;
            if (at.p == token) return piece.fail(at, token, "name"), false;
            full.resize(prefix);
            full.append(token, size_t(at.p - token));
            double x = 1;
            if (*at.p == ':')
                if (const char* what = value(at, x)) return piece.fail(at, at.p, what), false;
            x *= scale;
            if (!(x - x == 0)) return piece.fail(at, token, "value overflow"), false;
            if (hash_bits && !keep_names) {
                if (!is_text(full)) return piece.fail(at, token, "text"), false;
            } else {
                const auto [number, fresh] = piece.names.number(full);
                if (fresh && !is_text(full)) return piece.fail(at, token, "text"), false;
                piece.columns.data()[piece.count] = number;
            }
            if (hash_bits) piece.columns.data()[piece.count] = hashed_column(full, hash_bits);
            piece.values.data()[piece.count++] = x;
        }
    }

    // ':' and a number; or what is wrong with it, p at its first byte.
    static const char* value(Cursor& at, double& x) {
        const char* p = ++at.p;
        const Numeral read = parse_decimal(p, at.last, x);
        if (read == Numeral::none || !ends_word(p)) return "value";
        if (read == Numeral::overflow) return "value overflow";
        at.p = p;
        return nullptr;
    }
};

}  // namespace rosenblatt
