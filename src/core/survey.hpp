// What one pass over all rows says of some weights.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace rosenblatt {

// The least margin of each output against the rest (of two classes, or if `joint` of all, one in all: the lead of a
// row's class over its strongest rival), the rows predicted wrong (each counted as often as its weight says), and R², if
// it is to be measured.
struct Survey {
    std::vector<double> least;
    int64_t errors = 0;
    double radius2 = 0;

    void join(const Survey& o) {
        for (size_t k = 0; k < least.size(); ++k) least[k] = std::min(least[k], o.least[k]);
        errors += o.errors;
        radius2 = std::max(radius2, o.radius2);
    }
};

// What is wrong with a CSR matrix, and where.
struct Flaw {
    std::string what;  // empty: nothing. "unsorted": sound, but with indices out of order or twice in a row
    int64_t row = -1, value = 0;
};

}  // namespace rosenblatt
