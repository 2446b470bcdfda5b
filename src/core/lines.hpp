// Text to rows, line by line, on all cores.
//
// Text comes from somewhere in blocks cut anywhere. A thread takes the next block, up to its last newline; reads it by
// itself; and waits for its turn to add what it found to the rest: so the result does not depend on blocks or threads. No
// thread ever waits for all others, because there may be fewer processors than threads. A `Language` says what a line
// means: it has
//     void line(Cursor&, Piece&) const    one line, whose last byte is its newline; notes a fault, or adds a row
//     void join(Piece&)                   to be called in the order of the text; what it keeps of a piece beyond rows
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "growing.hpp"
#include "names.hpp"
#include "team.hpp"

namespace rosenblatt {

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
    std::vector<double> labels, weights;  // weights in a language that has them
    std::vector<int64_t> ends, lines;
    Names names;                           // of columns, in a language that has them
    size_t count = 0;                      // of values and columns in use
    int64_t line = 0;                      // lines so far
    int64_t least = INT64_MAX, most = -1;  // index
    std::optional<Fault> fault;

    void clear(int64_t most_items) {
        values.reserve(most_items);
        columns.reserve(most_items);
        labels.clear(), weights.clear(), ends.clear(), lines.clear(), names.clear(), fault.reset();
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
    Growing<double> values, labels, weights;
    Growing<int32_t> columns;
    Growing<int64_t> starts, lines;
    int64_t least = INT64_MAX, most = -1;  // index

    Gathered() { starts.push(0); }

    void append(const Piece& piece, int64_t line) {
        const int64_t items = values.size(), rows = labels.size(), more = int64_t(piece.labels.size());
        values.resize(items + int64_t(piece.count));
        columns.resize(items + int64_t(piece.count));
        labels.resize(rows + more);
        lines.resize(rows + more);
        starts.resize(rows + more + 1);
        std::copy_n(piece.values.data(), piece.count, values.data() + items);
        std::copy_n(piece.columns.data(), piece.count, columns.data() + items);
        std::copy(piece.labels.begin(), piece.labels.end(), labels.data() + rows);
        weights.resize(weights.size() + int64_t(piece.weights.size()));
        std::copy(piece.weights.begin(), piece.weights.end(), weights.data() + weights.size() - int64_t(piece.weights.size()));
        for (int64_t i = 0; i < more; ++i) {
            lines.data()[rows + i] = line + piece.lines[size_t(i)];
            starts.data()[rows + i + 1] = items + piece.ends[size_t(i)];
        }
        least = std::min(least, piece.least);
        most = std::max(most, piece.most);
    }
};

template <class Language>
class LineReader {
   public:
    // Puts up to so many bytes there; how many, 0 at the end.
    using Source = std::function<int64_t(char*, int64_t)>;

    LineReader(Language language, int threads, int64_t block = int64_t{1} << 20)
        : language(std::move(language)), threads_(std::max(threads, 1)), block_(block) {}

    // Text in memory. Bytes behind its last newline wait for more.
    void feed(const char* p, int64_t size) {
        feed_from(
            [&](char* to, int64_t room) {
                const int64_t count = std::min(room, size);
                std::memcpy(to, p, size_t(count));
                p += count, size -= count;
                return count;
            },
            size);
    }

    // Text from a source, to its end; about `bytes` of it.
    void feed_from(const Source& source, int64_t bytes) {
        if (fault) return;
        Reading now(source);
        const int64_t wanted = std::min<int64_t>(threads_, bytes / block_ + 1);
        std::vector<std::thread> others;
        others.reserve(size_t(wanted));
        try {
            while (int64_t(others.size()) + 1 < wanted)
                others.emplace_back([&] {
                    if (ready_to_throw()) work(now);
                });
        } catch (const std::exception&) {
            // The system has no more threads or memory to give: go on with those we have.
        }
        work(now);
        for (std::thread& other : others) other.join();
        if (now.out_of_memory) throw std::bad_alloc();
    }

    // The end of the text, which need not be a newline.
    void finish() {
        if (!rest_.empty()) feed("\n", 1);
    }

    // Another text comes next: its lines are counted anew.
    void begin_file() { line_ = 0, begun_ = false; }

    Language language;
    Gathered gathered;
    std::optional<Fault> fault;

   private:
    // What the threads of one call share.
    struct Reading {
        explicit Reading(const Source& source) : source(source) {}
        const Source& source;
        std::mutex taking, adding;
        std::condition_variable turned;
        int64_t taken = 0, turn = 0;  // blocks
        bool over = false;            // no more blocks: under `taking`
        bool stop = false;            // nothing more is added: under `adding`
        bool out_of_memory = false;
    };

    void work(Reading& now) {
        Growing<char> text;
        Piece piece;
        while (true) {
            int64_t number = -1;
            bool first = false, failed = false;
            {
                const std::lock_guard<std::mutex> hold(now.taking);
                if (now.over) return;
                try {
                    take(now, text);
                    first = !begun_;
                    begun_ |= text.size() > 0;
                } catch (const std::bad_alloc&) {
                    failed = now.over = true;
                }
                number = now.taken++;
            }
            try {
                if (!failed) read(text, first, piece);
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            std::unique_lock<std::mutex> hold(now.adding);
            now.turned.wait(hold, [&] { return now.turn == number; });
            try {
                if (!now.stop && !failed) add(piece);
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            now.out_of_memory |= failed;
            now.stop |= failed || fault.has_value();
            ++now.turn;
            const bool stop = now.stop;
            hold.unlock();
            now.turned.notify_all();
            if (stop) {
                const std::lock_guard<std::mutex> last(now.taking);
                now.over = true;
            }
        }
    }

    // The next lines: what was left over, and a block up to its last newline. A line that is too long comes in part.
    void take(Reading& now, Growing<char>& text) {
        text.resize(int64_t(rest_.size()));
        std::copy(rest_.begin(), rest_.end(), text.data());
        rest_.clear();
        int64_t whole = 0;
        while (whole == 0 && !now.over && text.size() <= kLongestLine) {
            const int64_t known = text.size();
            text.resize(known + block_);
            const int64_t count = now.source(text.data() + known, block_);
            text.resize(known + count);
            now.over = count < block_;
            whole = text.size();
            while (whole > known && text.data()[whole - 1] != '\n') --whole;
            if (whole == known) whole = 0;
        }
        if (whole == 0 && text.size() > kLongestLine) return;
        rest_.assign(text.data() + whole, size_t(text.size() - whole));
        text.resize(whole);
    }

    void read(const Growing<char>& text, bool first, Piece& piece) const {
        const char *p = text.data(), *end = p + text.size();
        piece.clear((end - p) / Language::kShortestItem + 1);
        if (p < end && end[-1] != '\n') {
            piece.fault = Fault{"long", 1, kLongestLine + 1, ""};
            return;
        }
        // A mark of byte order, at the very beginning.
        if (first && end - p > 3 && std::memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;
        while (p < end && !piece.fault) {
            ++piece.line;
            Cursor at{p, p, end};
            language.line(at, piece);
            p = static_cast<const char*>(std::memchr(at.p, '\n', size_t(end - at.p))) + 1;
            // Whatever else is wrong with it: how the text was cut must not decide which fault is found.
            if (p - at.begin > kLongestLine) piece.fault = Fault{"long", piece.line, kLongestLine + 1, ""};
        }
    }

    void add(Piece& piece) {
        if (piece.fault) {
            fault = piece.fault;
            fault->line += line_;
            return;
        }
        language.join(piece);
        gathered.append(piece, line_);
        line_ += piece.line;
    }

    int threads_;
    int64_t block_;  // bytes
    int64_t line_ = 0;
    bool begun_ = false;
    std::string rest_;  // of a line that has not ended
};

}  // namespace rosenblatt
