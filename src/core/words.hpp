// Sentences to words: which words each has, and how often.
//
//   word      = letters { apostrophe letters }      letters, marks and digits; an apostrophe, ' or ’, only within
//
// ASCII is known here. What another character is, the caller says: the text that it is folded to, or nothing if it
// separates words. So the tables of Unicode are in one place, and that is not this one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "names.hpp"

namespace rosenblatt {

constexpr uint32_t kCodePoints = 0x110000;
constexpr uint32_t kApostrophe = 0x2019;

// The next character, past ASCII, of UTF-8 text; what is none is one byte long, and U+FFFD.
inline uint32_t next_code(const unsigned char*& p, const unsigned char* end) {
    const uint32_t first = *p++;
    const int more = first >= 0xF0 && first < 0xF5 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
    if (more == 0 || first >= 0xF5 || end - p < more) return 0xFFFD;
    uint32_t code = first & (0x3Fu >> more);
    for (int k = 0; k < more; ++k) {
        if ((p[k] & 0xC0) != 0x80) return 0xFFFD;
        code = code << 6 | (p[k] & 0x3Fu);
    }
    p += more;
    return code < kCodePoints ? code : 0xFFFD;
}

// The characters past ASCII that a text has, rising.
inline std::vector<uint32_t> codes_past_ascii(const char* text, int64_t size) {
    std::vector<bool> seen(kCodePoints);
    const auto* p = reinterpret_cast<const unsigned char*>(text);
    for (const auto* const end = p + size; p < end;) {
        if (*p < 0x80) {
            ++p;
        } else {
            seen[next_code(p, end)] = true;
        }
    }
    std::vector<uint32_t> found;
    for (uint32_t code = 0x80; code < kCodePoints; ++code)
        if (seen[code]) found.push_back(code);
    return found;
}

// The words of each sentence in CSR form, each once; columns are places in `words`, which are sorted as bytes are.
struct WordCounts {
    std::vector<std::string> words;
    std::vector<int64_t> starts{0};
    std::vector<int32_t> columns;
    std::vector<double> counts;

    // Sentence i is from offsets[i] to offsets[i + 1]. `folded[k]` is what the character codes[k] becomes.
    void read(const char* text, const int64_t* offsets, int64_t n, const std::vector<uint32_t>& codes, const std::vector<std::string>& folded) {
        std::vector<int32_t> place(codes.empty() ? 0 : kCodePoints, -1);
        for (size_t k = 0; k < codes.size(); ++k) place[codes[k]] = int32_t(k);
        const auto* const bytes = reinterpret_cast<const unsigned char*>(text);
        for (int64_t i = 0; i < n; ++i) {
            bool within = false;  // an apostrophe came after letters
            const unsigned char *p = bytes + offsets[i], *end = bytes + offsets[i + 1];
            while (p < end) {
                const unsigned char c = *p;
                const uint32_t code = c < 0x80 ? (++p, c) : next_code(p, end);
                if ((code == '\'' || code == kApostrophe) && !word_.empty() && !within) {
                    within = true;
                    continue;
                }
                const bool upper = code - 'A' < 26u, letter = upper || code - 'a' < 26u || code - '0' < 10u;
                const std::string* other = code < 0x80 || place[code] < 0 ? nullptr : &folded[size_t(place[code])];
                if (!letter && (other == nullptr || other->empty())) {
                    finish_word();
                    within = false;
                    continue;
                }
                if (within) word_.push_back('\'');
                within = false;
                if (letter) {
                    word_.push_back(char(upper ? code + 32 : code));
                } else {
                    word_ += *other;
                }
            }
            finish_word();
            starts.push_back(int64_t(columns.size()));
        }
        sort();
    }

   private:
    Names names_;
    std::vector<int64_t> last_;  // where each word was counted last
    std::string word_;

    void finish_word() {
        if (word_.empty()) return;
        const auto [number, fresh] = names_.number(word_);
        word_.clear();
        if (fresh) last_.push_back(-1);
        int64_t& last = last_[size_t(number)];
        if (last >= starts.back()) {  // in this very sentence
            ++counts[size_t(last)];
            return;
        }
        last = int64_t(columns.size());
        columns.push_back(number);
        counts.push_back(1);
    }

    void sort() {
        const auto& list = names_.list();
        std::vector<int32_t> order(list.size()), rank(list.size());
        for (size_t k = 0; k < order.size(); ++k) order[k] = int32_t(k);
        std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return list[size_t(a)] < list[size_t(b)]; });
        for (size_t k = 0; k < order.size(); ++k) {
            rank[size_t(order[k])] = int32_t(k);
            words.push_back(list[size_t(order[k])]);
        }
        std::vector<std::pair<int32_t, double>> row;
        for (size_t i = 0; i + 1 < starts.size(); ++i) {
            row.clear();
            const auto first = size_t(starts[i]), last = size_t(starts[i + 1]);
            for (size_t k = first; k < last; ++k) row.emplace_back(rank[size_t(columns[k])], counts[k]);
            std::sort(row.begin(), row.end());
            for (size_t k = first; k < last; ++k) columns[k] = row[k - first].first, counts[k] = row[k - first].second;
        }
    }
};

}  // namespace rosenblatt
