// Examples as dictionaries from names to numbers: the door of a stream.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "checks.hpp"

namespace rosenblatt {

namespace nb = nanobind;

struct NamedRows {
    std::vector<double> values;
    std::vector<int64_t> columns, starts{0};
};

// The examples as CSR, each row sorted by column. `places` has the column of each name; a name that is not there gets the
// next one if `grow`, else it is passed over. Throws at the first thing that is not a dictionary, or whose value is no
// finite number: the caller finds the words.
inline NamedRows named_rows(nb::dict places, nb::list examples, bool grow) {
    NamedRows made;
    std::vector<std::pair<int64_t, double>> row;
    for (size_t at = 0; at < examples.size(); ++at) {  // asked anew each time: see below
        const nb::object example = nb::borrow(examples[at]);
        check(PyDict_Check(example.ptr()), "not a dictionary");
        row.clear();
        PyObject *key = nullptr, *value = nullptr;
        Py_ssize_t position = 0;
        while (PyDict_Next(example.ptr(), &position, &key, &value)) {
            // Held, because looking a name up or converting a number may run anybody's code.
            const nb::object name = nb::borrow(key), number = nb::borrow(value);
            PyObject* known = PyDict_GetItemWithError(places.ptr(), name.ptr());
            if (!known && PyErr_Occurred()) throw nb::python_error();
            if (!known && !grow) continue;
            const int64_t place = known ? nb::cast<int64_t>(nb::handle(known)) : int64_t(places.size());
            const double x = PyFloat_AsDouble(number.ptr());
            if (x == -1 && PyErr_Occurred()) throw nb::python_error();
            check(std::isfinite(x), "not a finite number");
            if (!known) places[name] = place;
            row.emplace_back(place, x);
        }
        std::sort(row.begin(), row.end());
        for (const auto& [place, x] : row) {
            made.columns.push_back(place);
            made.values.push_back(x);
        }
        made.starts.push_back(int64_t(made.values.size()));
    }
    return made;
}

}  // namespace rosenblatt
