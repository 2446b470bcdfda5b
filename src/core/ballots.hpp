// A log as a vote needs it.
#pragma once

#include <cstdint>

namespace rosenblatt {

// Rows that are put to the vote together.
constexpr int64_t kTile = 16;

// For each update the mistaken row (by number among the distinct ones), the output and its signed step, and how long the
// weights it made have lived (0: more belongs to the same change); and how long the start lived, for each output.
// Unless K outputs move together (`direct`), the updates of an output lie together.
struct Ballots {
    int64_t size = 0;
    const int64_t* which = nullptr;
    const int64_t* output = nullptr;
    const double* step = nullptr;
    const double* count = nullptr;
    const double* first = nullptr;
    int64_t outputs = 1;
    bool direct = false;
    double rho2 = 0;
};

}  // namespace rosenblatt
