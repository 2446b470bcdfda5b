// Checks of what Python gives: a wrong call is refused before anything reads outside the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "ballots.hpp"
#include "learner.hpp"
#include "margin_search.hpp"
#include "visit.hpp"

namespace rosenblatt {

// Python sees it as a ValueError.
inline void check(bool ok, const char* what) {
    if (!ok) throw std::invalid_argument(what);
}

// Labels are read as numbers of outputs, so each one to be read is checked: those of places from … to - 1.
template <class T>
void check_labels(const void* labels, int64_t from, int64_t to, int64_t outputs) {
    const T* label = static_cast<const T*>(labels);
    T bad = 0;  // no branch and one width, so that this costs next to nothing
    if (outputs == 1)
        for (int64_t i = from; i < to; ++i) bad = T(bad | T((label[i] != 1) & (label[i] != -1)));
    else
        for (int64_t i = from; i < to; ++i) bad = T(bad | (label[i] < 0) | (int64_t(label[i]) >= outputs));
    check(bad == 0, "a label out of range");
}

inline void check_labels(const void* labels, int64_t from, int64_t to, const Learner& learner) {
    if (learner.decision == Decision::binary) check_labels<int8_t>(labels, from, to, 1);
    else check_labels<int32_t>(labels, from, to, learner.layout.outputs);
}

inline void check_shape(const RowsView& rows, const Layout& layout) {
    check(rows.d == layout.features && rows.sparse == layout.feature_major, "rows of another shape");
}

inline void check_row_numbers(const int64_t* which, int64_t count, int64_t rows) {
    for (int64_t p = 0; p < count; ++p) check(which[p] >= 0 && which[p] < rows, "a row out of range");
}

// Whether a visit keeps within the rows that come with it; `places` is the length of its order, if it has one.
inline void check_visit(const TakenRows& taken, const Visit& visit, int64_t places, const Learner& learner) {
    const int64_t n = taken.view.n;
    check(taken.first_row >= 0 && !(taken.numbers && visit.order), "a visit of another shape");
    int64_t before = 0;
    for (int64_t c = 0; c < visit.count; ++c) {
        const int64_t chunk = visit.chunks[c];
        check(chunk >= 0 && chunk < (int64_t{1} << 50), "a chunk outside the rows");
        const auto [first, size] = span_of(taken, visit, c, before);
        const int64_t there = std::min(kChunk, n - first);
        // The open chunk is gone on with if it comes first; one that was met in full begins again.
        const int64_t met = c == 0 && chunk == learner.chunk && learner.chunk_place < size ? learner.chunk_place : 0;
        check(first < n && (visit.order || size == 0 || first + met >= 0), "a chunk outside the rows");
        check(size >= 0 && size <= kChunk && (visit.order || size <= there), "a visit of too many rows");
        if (!visit.order) {
            check_labels(taken.labels, std::max<int64_t>(0, first), first + there, learner);
        } else {
            check(before + size <= places, "an order of another length");
            for (int64_t p = 0; p < size; ++p) {
                const int64_t place = visit.order[before + p] - taken.first_row;
                check(place >= 0 && place < n, "an order outside the rows");
                check_labels(taken.labels, place, place + 1, learner);
            }
        }
        before += size;
    }
    check(!visit.order || before == places, "an order of another length");
}

inline void check_ballots(const Ballots& log, int64_t mistaken) {
    for (int64_t j = 0; j < log.size; ++j) {
        check(log.which[j] >= 0 && log.which[j] < mistaken, "a row out of range");
        check(log.output[j] >= 0 && log.output[j] < log.outputs, "an output out of range");
        check(log.direct || j == 0 || log.output[j - 1] <= log.output[j], "outputs out of order");
    }
}

// Rows of two classes by number. Of both classes, if an offset is free.
inline void check_signed(const SignedRows& some, bool both) {
    check_labels<int8_t>(some.y, 0, some.view.n, 1);
    check_row_numbers(some.which, some.count, some.view.n);
    bool up = false, down = false;
    for (int64_t p = 0; p < some.count; ++p) (some.y[some.which[p]] > 0 ? up : down) = true;
    check(!both || (up && down), "a free offset needs rows of both classes");
}

}  // namespace rosenblatt
