// What the loop is given: some rows with what belongs to them, and the order in which to meet them.
#pragma once

#include <cmath>
#include <cstdint>

#include "rows_view.hpp"

namespace rosenblatt {

// Rows as a source hands them out, in one of two forms. In a view they lie in the order of their numbers, from
// `first_row` on, and a row's number tells its place. In a gathered buffer they lie in the order of the visit, chunk
// after chunk, and `numbers` has the number of each.
struct TakenRows {
    RowsView view;
    const void* labels = nullptr;     // of the type that the learner's decision takes
    const double* weight = nullptr;   // the sample weight of each, or none
    int64_t first_row = 0;
    const int64_t* numbers = nullptr;

    int64_t number(int64_t place) const { return numbers ? numbers[place] : first_row + place; }
};

// Some chunks, in the order to be met; the numbers of their rows (chunk after chunk), or none: as they come; and how many
// rows of each chunk, or all. An order need not be a permutation: a driver may ask for the rows it likes.
struct Visit {
    const int64_t* chunks = nullptr;
    int64_t count = 0;
    const int64_t* order = nullptr;
    const int64_t* sizes = nullptr;
};

// The rows of the c-th chunk of a visit, of which `before` rows came earlier: where they begin, and how many they are.
struct ChunkSpan {
    int64_t first, size;
};

inline ChunkSpan span_of(const TakenRows& taken, const Visit& visit, int64_t c, int64_t before) {
    const int64_t first = taken.numbers ? before : visit.chunks[c] * kChunk - taken.first_row;
    const int64_t there = taken.view.n - first < kChunk ? taken.view.n - first : kChunk;
    return {first, visit.sizes ? visit.sizes[c] : there};
}

enum class Event { done, paused, out_of_etas, not_finite, score_overflow, norm_overflow, norm_underflow, step_overflow };

// How far a call came, and why it ended.
struct Outcome {
    int64_t chunks = 0;
    Event event = Event::done;
    int64_t row = -1, column = -1;  // the number of the row it ended at, and its first column that is not finite
    double norm2 = 0;               // ||x'||² of that row
};

// Sample weights as whole numbers, `unit` for the largest, so that a sum of them is exact in any order.
struct WholeWeights {
    const double* weight = nullptr;  // none: every row counts once
    double largest = 1, unit = 1;

    int64_t operator()(int64_t place) const { return weight ? int64_t(std::nearbyint(weight[place] / largest * unit)) : 1; }
};

}  // namespace rosenblatt
