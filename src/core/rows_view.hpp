// The caller's rows, untyped, and the grid of chunks that every pass over rows keeps to.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "vector.hpp"

namespace rosenblatt {

// Rows are cut into chunks of this many, whatever the memory, threads, files or workers: every reduction is per
// chunk, then in chunk order.
constexpr int64_t kChunk = 4096;

// A view of rows, dense or CSR.
struct RowsView {
    bool sparse = false, float32 = false, columns64 = false, starts64 = false;
    const void* values = nullptr;
    const void* columns = nullptr;
    const void* starts = nullptr;
    int64_t n = 0, d = 0;
    int64_t stored = 0;  // of a sparse one: how many entries lie in memory
};

// An index of a sparse row that was sound when it was checked, and is not any more.
struct RowsChanged : std::runtime_error {
    explicit RowsChanged(const char* what = "the sparse matrix was changed while it was read") : std::runtime_error(what) {}
};

// A label that is used as an index, compared with its limit as it is used: the labels are the caller's, who may change
// them while rows are read.
inline int64_t checked_label(int64_t label, int64_t outputs) {
    if (__builtin_expect(uint64_t(label) >= uint64_t(outputs), 0)) throw RowsChanged("the labels were changed while they were read");
    return label;
}

// Sparse rows read the weights of all outputs of one feature together, padded to whole vectors of four.
inline Layout layout_for(bool sparse, int64_t features, int64_t outputs) {
    return {features, outputs, sparse && outputs > 1 ? (outputs + 3) / 4 * 4 : outputs, sparse};
}

inline Layout layout_of(const RowsView& v, int64_t outputs) { return layout_for(v.sparse, v.d, outputs); }

}  // namespace rosenblatt
