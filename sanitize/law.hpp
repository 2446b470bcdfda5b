// What must hold, or the driver ends at once.
#pragma once

#include <cstdio>
#include <cstdlib>

inline void law(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "law broken: %s\n", what);
    std::abort();
}
