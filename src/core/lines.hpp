// Text to rows, line by line, on all cores.
//
// Text comes in blocks cut anywhere. Whole lines are cut into pieces, which threads read each by itself; what they found
// is joined in the order of the file, so the result does not depend on blocks or threads. A `Language` says what a line
// means: it has
//     void line(Cursor&, Piece&) const    one line, whose last byte is its newline; notes a fault, or adds a row
// and what it keeps of a piece beyond rows it joins itself (`join`).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "growing.hpp"
#include "names.hpp"
#include "team.hpp"

constexpr int64_t kLongestLine = int64_t{1} << 26;

// Where a line cannot be read: what is wrong, the place from 1, and the text there.
struct Fault {
    std::string what;
    int64_t line = 0, column = 0;
    std::string text;
};

// A line that is being read: p moves, `begin` is its first byte, `last` the end of the memory that may be looked at.
struct Cursor {
    const char* p;
    const char* begin;
    const char* last;
};

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline void skip_blanks(Cursor& at) {
    while (is_blank(*at.p)) ++at.p;
}
// Whether p is where a line or its text ends: LF or CRLF.
inline bool at_end(const char* p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

// The rows of some lines. Memory is kept from piece to piece.
struct Piece {
    Growing<double> values;
    Growing<int32_t> columns;
    std::vector<double> labels;
    std::vector<int64_t> ends, lines;
    Names names;                           // of columns, in a language that has them
    size_t count = 0;                      // of values and columns in use
    int64_t line = 0;                      // lines so far
    int64_t least = INT64_MAX, most = -1;  // index
    std::optional<Fault> fault;

    void clear(int64_t most_items) {
        values.reserve(most_items);
        columns.reserve(most_items);
        labels.clear(), ends.clear(), lines.clear(), names.clear(), fault.reset();
        count = 0, line = 0, least = INT64_MAX, most = -1;
    }

    void end_row(double label) {
        labels.push_back(label);
        ends.push_back(int64_t(count));
        lines.push_back(line);
    }

    // Columns of the row that began at `first` in rising order, each once: what comes twice is added up.
    void tidy(size_t first) {
        int32_t* const c = columns.data();
        double* const v = values.data();
        bool rising = true;
        for (size_t i = first + 1; i < count; ++i) rising &= c[i - 1] < c[i];
        if (rising) return;
        std::vector<std::pair<int32_t, double>> row;
        for (size_t i = first; i < count; ++i) row.emplace_back(c[i], v[i]);
        std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        count = first;
        for (const auto& [column, value] : row) {
            if (count > first && c[count - 1] == column) {
                v[count - 1] += value;
            } else {
                c[count] = column;
                v[count++] = value;
            }
        }
    }

    // A fault at the token that begins at `token`; of a control character within it, at that.
    void fail(const Cursor& at, const char* token, const char* what) {
        const char* end = token;
        while (!is_blank(*end) && *end != '#' && !at_end(end)) ++end;
        const char* stray = std::find_if(token, end, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; });
        if (stray != end) token = stray, end = stray + 1, what = "control";
        fault = Fault{what, line, token - at.begin + 1, std::string(token, size_t(std::min<int64_t>(end - token, 200)))};
    }
};

// All rows, in CSR form.
struct Gathered {
    Growing<double> values, labels;
    Growing<int32_t> columns;
    Growing<int64_t> starts, lines;
    int64_t least = INT64_MAX, most = -1;  // index

    Gathered() { starts.push(0); }
};

template <class Language>
class LineReader {
   public:
    LineReader(Language language, int threads, int64_t piece = int64_t{1} << 18)
        : language(std::move(language)), threads_(std::max(threads, 1)), piece_(piece) {}

    // How long the text is, if that is known: memory is asked for at once.
    void expect(int64_t bytes) { expected_ = bytes; }

    // A block of text. Bytes behind its last newline wait for the next block.
    void feed(const char* p, int64_t size) {
        if (fault) return;
        fed_ += size;
        if (!rest_.empty()) {
            const void* newline = std::memchr(p, '\n', size_t(size));
            const int64_t more = newline ? static_cast<const char*>(newline) - p + 1 : size;
            rest_.append(p, size_t(more));
            p += more, size -= more;
            if (!newline) return too_long(rest_.size());
            take(rest_.data(), rest_.data() + rest_.size());
            rest_.clear();
            if (fault) return;
        }
        int64_t whole = size;
        while (whole > 0 && p[whole - 1] != '\n') --whole;
        take(p, p + whole);
        if (fault) return;
        rest_.assign(p + whole, size_t(size - whole));
        too_long(rest_.size());
    }

    // The end of the text, which need not be a newline.
    void finish() {
        if (fault || rest_.empty()) return;
        rest_.push_back('\n');
        take(rest_.data(), rest_.data() + rest_.size());
        rest_.clear();
    }

    Language language;
    Gathered gathered;
    std::optional<Fault> fault;

   private:
    void too_long(size_t size) {
        if (int64_t(size) > kLongestLine) fault = Fault{"long", line_ + 1, kLongestLine + 1, ""};
    }

    // Whole lines.
    void take(const char* p, const char* end) {
        if (p == end) return;
        // A mark of byte order, at the very beginning.
        if (line_ == 0 && end - p > 3 && std::memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;
        size_t n = 0;
        for (const char* from = p; from < end; ++n) {
            const char* to = from + std::min(piece_, int64_t(end - from));
            to = static_cast<const char*>(std::memchr(to - 1, '\n', size_t(end - to + 1))) + 1;
            if (cuts_.size() <= n) cuts_.emplace_back(), pieces_.emplace_back();
            cuts_[n] = {from, to};
            from = to;
        }
        Team team(int(std::min<size_t>(size_t(threads_), n)));
        std::atomic<size_t> next{0};
        std::atomic<bool> out_of_memory{false};
        team.run([&](int) {
            try {
                for (size_t i = next.fetch_add(1); i < n; i = next.fetch_add(1)) read(cuts_[i].first, cuts_[i].second, pieces_[i]);
            } catch (const std::bad_alloc&) {
                out_of_memory = true;
            }
        });
        if (out_of_memory) throw std::bad_alloc();
        join(n, team);
    }

    void read(const char* p, const char* end, Piece& piece) const {
        piece.clear((end - p) / Language::kShortestItem + 1);
        while (p < end && !piece.fault) {
            ++piece.line;
            Cursor at{p, p, end};
            language.line(at, piece);
            p = static_cast<const char*>(std::memchr(at.p, '\n', size_t(end - at.p))) + 1;
            // Whatever else is wrong with it: how the text was cut must not decide which fault is found.
            if (p - at.begin > kLongestLine) piece.fault = Fault{"long", piece.line, kLongestLine + 1, ""};
        }
    }

    void join(size_t n, Team& team) {
        for (size_t i = 0; i < n; ++i)
            if (pieces_[i].fault) {
                fault = pieces_[i].fault;
                for (size_t before = 0; before < i; ++before) fault->line += pieces_[before].line;
                fault->line += line_;
                return;
            }
        struct Place {
            int64_t items, rows, line;
        };
        std::vector<Place> at(n + 1);
        at[0] = {gathered.values.size(), gathered.labels.size(), line_};
        for (size_t i = 0; i < n; ++i) {
            Piece& piece = pieces_[i];
            language.join(piece);
            gathered.least = std::min(gathered.least, piece.least);
            gathered.most = std::max(gathered.most, piece.most);
            at[i + 1] = {at[i].items + int64_t(piece.count), at[i].rows + int64_t(piece.labels.size()), at[i].line + piece.line};
        }
        if (fed_ < expected_) {
            // As in what was read so far, and a little more.
            const double share = 1.02 * double(expected_) / double(fed_);
            const auto in_all = [&](int64_t so_far) { return int64_t(share * double(so_far)) + 1024; };
            gathered.values.expect(in_all(at[n].items));
            gathered.columns.expect(in_all(at[n].items));
            gathered.labels.expect(in_all(at[n].rows));
            gathered.lines.expect(in_all(at[n].rows));
            gathered.starts.expect(in_all(at[n].rows));
            expected_ = 0;
        }
        gathered.values.resize(at[n].items);
        gathered.columns.resize(at[n].items);
        gathered.labels.resize(at[n].rows);
        gathered.lines.resize(at[n].rows);
        gathered.starts.resize(at[n].rows + 1);
        std::atomic<size_t> next{0};
        team.run([&](int) {
            for (size_t i = next.fetch_add(1); i < n; i = next.fetch_add(1)) {
                const Piece& piece = pieces_[i];
                std::copy_n(piece.values.data(), piece.count, gathered.values.data() + at[i].items);
                std::copy_n(piece.columns.data(), piece.count, gathered.columns.data() + at[i].items);
                std::copy(piece.labels.begin(), piece.labels.end(), gathered.labels.data() + at[i].rows);
                for (size_t row = 0; row < piece.labels.size(); ++row) {
                    gathered.lines.data()[at[i].rows + int64_t(row)] = at[i].line + piece.lines[row];
                    gathered.starts.data()[at[i].rows + int64_t(row) + 1] = at[i].items + piece.ends[row];
                }
            }
        });
        line_ = at[n].line;
    }

    int threads_;
    int64_t piece_;                    // bytes
    int64_t expected_ = 0, fed_ = 0;  // bytes
    int64_t line_ = 0;
    std::string rest_;  // of a line that has not ended
    std::vector<std::pair<const char*, const char*>> cuts_;
    std::deque<Piece> pieces_;
};
