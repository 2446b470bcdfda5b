// Is this CSR matrix what it claims to be? Asked before anything reads through its indices.
#pragma once

#include <cstdint>
#include <string>

#include "learner.hpp"

struct Flaw {
    std::string what;  // empty: sound. "unsorted": sound, but with indices out of order or twice in a row
    int64_t row = -1, value = 0;
};

template <class I, class P>
Flaw examine_typed(const RowsView& v, int64_t starts_size, int64_t stored) {
    const I* columns = static_cast<const I*>(v.columns);
    const P* starts = static_cast<const P*>(v.starts);
    if (v.n < 0 || v.d < 0 || starts_size != v.n + 1) return {"length of indptr", -1, starts_size};
    if (starts[0] != 0) return {"first indptr", 0, int64_t(starts[0])};
    for (int64_t i = 0; i < v.n; ++i)
        if (starts[i + 1] < starts[i]) return {"falling indptr", i, int64_t(starts[i + 1])};
    if (int64_t(starts[v.n]) > stored) return {"last indptr", v.n - 1, int64_t(starts[v.n])};
    bool sorted = true;
    for (int64_t i = 0; i < v.n; ++i) {
        int64_t last = -1;
        for (int64_t p = int64_t(starts[i]); p < int64_t(starts[i + 1]); ++p) {
            const int64_t j = int64_t(columns[p]);
            if (j < 0 || j >= v.d) return {"column", i, j};
            sorted &= j > last;
            last = j;
        }
    }
    return {sorted ? "" : "unsorted", -1, 0};
}

inline Flaw examine(const RowsView& v, int64_t starts_size, int64_t stored) {
    if (v.columns64) return v.starts64 ? examine_typed<int64_t, int64_t>(v, starts_size, stored) : examine_typed<int64_t, int32_t>(v, starts_size, stored);
    return v.starts64 ? examine_typed<int32_t, int64_t>(v, starts_size, stored) : examine_typed<int32_t, int32_t>(v, starts_size, stored);
}
