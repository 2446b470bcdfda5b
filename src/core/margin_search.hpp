// Questions to the two searches for the largest margin, and the answer of the one for few rows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rows_view.hpp"

namespace rosenblatt {

// Asked at every step: whether to stop, because time is up or somebody wants it to end.
using Over = std::function<bool()>;

// Some rows of two classes, by number, with labels ±1 for all rows of the view.
struct SignedRows {
    RowsView view;
    const int8_t* y = nullptr;
    const int64_t* which = nullptr;
    int64_t count = 0;
};

// corral.hpp: a free offset, or one of scale rho (0: none); rows to begin with; and when to stop.
struct CorralOptions {
    bool free = false;
    double rho = 0;
    const int64_t* hint = nullptr;
    int64_t hints = 0, most_steps = 0;
    Over over;
};

// The rows on the margin and their multipliers, the hyperplane they make, and how the search for them ended.
struct Corral {
    std::string status;
    std::vector<int64_t> rows;
    std::vector<double> multipliers, w;
    double b = 0;
};

// descent.hpp: the right side c of each row's constraint, the offset's scale squared, and when to stop.
struct DescentOptions {
    const double* side = nullptr;
    double rho2 = 0;
    int64_t epochs = 0;
    double tolerance = 0;
    uint64_t seed = 0;
    Over over;
};

// What the descent moves: a multiplier for each row, and the hyperplane they make.
struct DescentPoint {
    double* beta = nullptr;
    double* w = nullptr;
    double b = 0;
};

}  // namespace rosenblatt
