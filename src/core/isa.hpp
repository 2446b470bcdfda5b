// The loops, compiled once per instruction set and chosen when the module is first used.
//
// The default build runs on any x86-64 and takes AVX2 where the CPU has it; elsewhere (ARM, or -march=native) there is
// one version. Fixed lanes (lanes.hpp) make all versions give the same bits. The system's headers come first, outside
// the target pragma, so that nothing they define is ever compiled for a CPU that may not be there.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "learner.hpp"
#include "order.hpp"
#include "team.hpp"

// Some chunks, in the order to be met; the order of the rows within them (chunk after chunk), or none; and how many rows
// of each, or all. An order need not be a permutation: a driver may ask for the rows it likes.
struct Visit {
    const int64_t* chunks;
    int64_t count;
    const int64_t* order;  // the numbers of the rows, or none: as they come
    const int64_t* sizes;
};

// What one look at all rows says of some weights: the least margin of each output against the rest (of two classes, or
// if `joint` of all, one in all: the lead of a row's class over its strongest rival), the rows predicted wrong (each
// counted as often as its weight says), and R², if it is to be measured.
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

enum class Event { done, paused, out_of_etas, not_finite, score_overflow, norm_overflow, norm_underflow, step_overflow };

// How far a call came, and why it ended.
struct Outcome {
    int64_t chunks = 0;
    Event event = Event::done;
    int64_t row = -1, column = -1;
    double norm2 = 0;
};

// Rows that are put to the vote together.
constexpr int64_t kTile = 16;

// A log as a vote needs it: for each update the mistaken row (by number among the distinct ones), the output and its
// signed step, and how long the weights it made have lived (0: more belongs to the same change); and how long the start
// lived, for each output. Unless K outputs move together, the updates of an output lie together.
struct Ballots {
    int64_t size;
    const int64_t* which;
    const int64_t* output;
    const double* step;
    const double* count;
    const double* first;
};

// The rows on the margin and their multipliers, the hyperplane they make, and how the search for them ended.
struct Corral {
    std::string status;
    std::vector<int64_t> rows;
    std::vector<double> multipliers, w;
    double b = 0;
};

// What is wrong with a CSR matrix, and where.
struct Flaw {
    std::string what;  // empty: nothing. "unsorted": sound, but with indices out of order or twice in a row
    int64_t row = -1, value = 0;
};

#if defined(__x86_64__) && defined(__GNUC__) && !defined(ROSENBLATT_NATIVE)
#define ROSENBLATT_MULTIVERSION 1
#else
#define ROSENBLATT_MULTIVERSION 0
#endif

namespace portable {
#include "lanes.hpp"
#include "rows.hpp"
#include "advance.hpp"
#include "scan.hpp"
#include "sparse.hpp"
#include "vote.hpp"
#include "exact.hpp"
#include "corral.hpp"
#include "descent.hpp"
#include "products.hpp"
}  // namespace portable

#if ROSENBLATT_MULTIVERSION
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace avx2 {
#include "lanes.hpp"
#include "rows.hpp"
#include "advance.hpp"
#include "scan.hpp"
#include "sparse.hpp"
#include "vote.hpp"
#include "exact.hpp"
#include "corral.hpp"
#include "descent.hpp"
#include "products.hpp"
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

// ROSENBLATT_ISA=portable asks for the plain version: for tests that compare the two.
inline bool use_avx2() {
#if ROSENBLATT_MULTIVERSION
    static const bool wanted = [] {
        const char* asked = std::getenv("ROSENBLATT_ISA");
        return !(asked && std::strcmp(asked, "portable") == 0) && __builtin_cpu_supports("avx2");
    }();
    return wanted;
#else
    return false;
#endif
}

#if ROSENBLATT_MULTIVERSION
#define ROSENBLATT_DISPATCH(call) (use_avx2() ? avx2::call : portable::call)
#else
#define ROSENBLATT_DISPATCH(call) (portable::call)
#endif
