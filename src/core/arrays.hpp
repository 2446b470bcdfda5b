// Arrays of Python's as the bindings take and give them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "checks.hpp"
#include "named.hpp"
#include "rows_view.hpp"
#include "visit.hpp"

namespace rosenblatt {

namespace nb = nanobind;
using nb::literals::operator""_a;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = Array<double>;
using Integers = Array<int64_t>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Any = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;                   // of any type and shape
using Labels = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;  // int8 ±1, or int32 numbers of classes
template <class T>
using Column = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Uninitialised memory for a result, which `owner` frees.
template <class T>
T* allocate(size_t size, nb::capsule& owner) {
    T* data = new T[size ? size : 1];
    owner = nb::capsule(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return data;
}

template <class Values>
auto column(const Values& v) {
    using T = typename Values::value_type;
    nb::capsule owner;
    T* data = allocate<T>(v.size(), owner);
    std::copy(v.begin(), v.end(), data);
    return Column<T>(data, {v.size()}, owner);
}

template <class T>
const T* data_or_null(const std::optional<Array<T>>& array) {
    return array ? array->data() : nullptr;
}

// The caller's rows: a view, and the arrays that keep it alive.
struct Rows {
    RowsView view;
    std::vector<Any> keep;
    std::shared_ptr<const NamedRows> own;  // or rows that were made here
    bool owned = false;                    // the arrays are nobody else's, and so do not change
};

// TakenRows, and the arrays that keep them alive.
struct Taken {
    Rows rows;
    Labels labels;
    std::optional<Doubles> weight;
    int64_t first_row;
    std::optional<Integers> numbers;

    TakenRows view() const { return {rows.view, labels.data(), data_or_null(weight), first_row, data_or_null(numbers)}; }

    void check_labels_of(int64_t outputs) const {
        check(labels.dtype() == (outputs == 1 ? nb::dtype<int8_t>() : nb::dtype<int32_t>()), "labels of another type");
        if (outputs > 1) check_labels<int32_t>(labels.data(), 0, rows.view.n, outputs);
    }
};

void bind_text(nb::module_& m);     // bind_text.cpp
void bind_rows(nb::module_& m);     // bind_rows.cpp
void bind_learner(nb::module_& m);  // bind_learner.cpp
void bind_vote(nb::module_& m);     // bind_vote.cpp
void bind_search(nb::module_& m);   // bind_search.cpp
void bind_blocks(nb::module_& m);   // bind_blocks.cpp

}  // namespace rosenblatt
