// Any bytes as svmlight or VW text, under a coverage-guided fuzzer: no crash, no hang, and laws that hold for every text.
//
//   - Blocks, pieces and threads never change what is read, nor where a fault is found.
//   - What is read is sound CSR: rows that rise, columns within bounds, finite values.
//   - A number is the double that strtod gives for it.
//
// The first byte chooses the language, its options and how the text is cut. `make fuzz` builds and runs it.
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../src/core/svmlight.hpp"
#include "../src/core/vw.hpp"

using namespace rosenblatt;

namespace {

void law(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "law broken: %s\n", what);
    std::abort();
}

template <class T>
bool same(const Growing<T>& a, const Growing<T>& b) {
    return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), size_t(a.size()) * sizeof(T)) == 0);
}

template <class Language>
void check_sound(const LineReader<Language>& r, int64_t d) {
    const Gathered& g = r.gathered;
    const int64_t n = g.labels.size();
    law(g.starts.size() == n + 1 && g.lines.size() == n && g.columns.size() == g.values.size(), "sizes");
    law(g.starts.data()[0] == 0 && g.starts.data()[n] == g.values.size(), "starts");
    for (int64_t i = 0; i < n; ++i) {
        law(g.starts.data()[i] <= g.starts.data()[i + 1], "starts rise");
        law(i == 0 || g.lines.data()[i - 1] < g.lines.data()[i], "lines rise");
        for (int64_t p = g.starts.data()[i]; p < g.starts.data()[i + 1]; ++p) {
            law(p == g.starts.data()[i] || g.columns.data()[p - 1] < g.columns.data()[p], "columns rise");
            law(g.columns.data()[p] >= -1 && g.columns.data()[p] < d, "columns within bounds");
        }
    }
}

template <class Language>
void check_cuts(const Language& language, const char* text, size_t size, unsigned cut) {
    // A block for all of it; and small ones, now and then read by two threads, which take long to start.
    LineReader<Language> whole(language, 1, int64_t(size) + 1), parts(language, cut % 32 == 31 ? 2 : 1, 1 + cut % 61);
    whole.feed(text, int64_t(size));
    whole.finish();
    for (size_t from = 0; from < size;) {
        // A copy of just this block, so that a look beyond its end is seen.
        const size_t length = std::min(size - from, size_t{1} + (cut * 31 + from * 17) % (size / 2 + 2));
        const std::vector<char> block(text + from, text + from + length);
        parts.feed(block.data(), int64_t(length));
        from += length;
    }
    parts.finish();
    law(whole.fault.has_value() == parts.fault.has_value(), "a fault in both or in none");
    if (whole.fault) {
        const Fault &a = *whole.fault, &b = *parts.fault;
        law(a.what == b.what && a.line == b.line && a.column == b.column && a.text == b.text, "the same fault");
        return;
    }
    const Gathered &a = whole.gathered, &b = parts.gathered;
    law(same(a.values, b.values) && same(a.labels, b.labels) && same(a.columns, b.columns), "the same numbers");
    law(same(a.starts, b.starts) && same(a.lines, b.lines) && a.least == b.least && a.most == b.most, "the same rows");
    int64_t d = whole.gathered.most;  // svmlight: columns are one less than indices
    if (language.hash_bits) d = int64_t{1} << language.hash_bits;
    if constexpr (std::is_same_v<Language, Vw>)
        if (!language.hash_bits) {
            d = int64_t(whole.language.names.list().size());
            law(whole.language.names.list() == parts.language.names.list(), "the same names");
        }
    check_sound(whole, d);
}

void check_number(const char* text, size_t size) {
    std::string line(text, size);
    line = line.substr(0, line.find('\0')) + "\n";
    const char* p = line.c_str();
    double value = 0;
    const Numeral read = parse_decimal(p, line.c_str() + line.size(), value);
    if (read == Numeral::none) return;
    const std::string number(line.c_str(), p);  // alone: strtod reads hexadecimals too
    char* end = nullptr;
    const double expected = std::strtod(number.c_str(), &end);
    law(*end == '\0', "a number is one for strtod, too");
    law(std::isinf(expected) == (read == Numeral::overflow), "overflow");
    law(read == Numeral::overflow || std::memcmp(&value, &expected, sizeof value) == 0, "strtod's double");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const unsigned choice = data[0], cut = choice >> 2;
    const char* text = reinterpret_cast<const char*>(data + 1);
    --size;
    switch (choice & 3) {
        case 0: check_cuts(Svmlight{true, cut % 3 ? 0 : 7}, text, size, cut); break;
        case 1: check_cuts(Svmlight{false, 0}, text, size, cut); break;
        case 2: check_cuts(Vw{cut % 3 ? 0 : 7, cut % 2 == 0, {}}, text, size, cut); break;
        default: check_number(text, size);
    }
    return 0;
}
