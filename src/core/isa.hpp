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

#include "ballots.hpp"
#include "coin.hpp"
#include "digest.hpp"
#include "learner.hpp"
#include "margin_search.hpp"
#include "order.hpp"
#include "survey.hpp"
#include "team.hpp"
#include "visit.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(ROSENBLATT_NATIVE)
#define ROSENBLATT_MULTIVERSION 1
#else
#define ROSENBLATT_MULTIVERSION 0
#endif

namespace rosenblatt::portable {
#include "lanes.hpp"
#include "telling.hpp"
#include "rows.hpp"
#include "betting.hpp"
#include "advance.hpp"
#include "scan.hpp"
#include "sparse.hpp"
#include "vote.hpp"
#include "exact.hpp"
#include "corral.hpp"
#include "descent.hpp"
#include "products.hpp"
#include "scaling.hpp"
#include "ranges.hpp"
}  // namespace rosenblatt::portable

#if ROSENBLATT_MULTIVERSION
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace rosenblatt::avx2 {
#include "lanes.hpp"
#include "telling.hpp"
#include "rows.hpp"
#include "betting.hpp"
#include "advance.hpp"
#include "scan.hpp"
#include "sparse.hpp"
#include "vote.hpp"
#include "exact.hpp"
#include "corral.hpp"
#include "descent.hpp"
#include "products.hpp"
#include "scaling.hpp"
#include "ranges.hpp"
}  // namespace rosenblatt::avx2
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

namespace rosenblatt {

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

}  // namespace rosenblatt

#if ROSENBLATT_MULTIVERSION
#define ROSENBLATT_DISPATCH(call) (::rosenblatt::use_avx2() ? ::rosenblatt::avx2::call : ::rosenblatt::portable::call)
#else
#define ROSENBLATT_DISPATCH(call) (::rosenblatt::portable::call)
#endif
