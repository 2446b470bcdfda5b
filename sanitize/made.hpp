// Rows made up for the drivers: small whole numbers, so that every sum is exact and can be compared with a plain one.
#pragma once

#include <thread>

#include "../src/core/isa.hpp"
#include "law.hpp"

using namespace rosenblatt;

// The same rows dense and sparse, of values T and columns I; the arrays are just as long as they must be, so that a
// sanitizer sees a step beyond them.
template <class T, class I>
struct Made {
    int64_t n, d;
    std::vector<double> plain;
    std::vector<T> dense, values;
    std::vector<I> columns;
    std::vector<int64_t> starts{0};
    std::vector<int8_t> signs;
    std::vector<int32_t> classes;

    Made(int64_t n, int64_t d, int64_t labels, double noise, uint64_t seed) : n(n), d(d) {
        Stream random(seed, 0, 0);
        for (int64_t i = 0; i < n; ++i) {
            double score = 0;
            for (int64_t j = 0; j < d; ++j) {
                const double v = random.below(3) ? 0.0 : double(random.below(9)) - 4;
                plain.push_back(v);
                dense.push_back(T(v));
                score += v * double(j % 5 - 2);
                if (v == 0) continue;
                values.push_back(T(v));
                columns.push_back(I(j));
            }
            starts.push_back(int64_t(values.size()));
            const bool flipped = random.uniform() * 0.5 + 0.5 < noise;
            signs.push_back((score > 0) != flipped ? 1 : -1);
            classes.push_back(flipped ? int32_t(random.below(uint64_t(labels))) : int32_t(std::llround(std::fabs(score))) % int32_t(labels));
        }
        for (auto* array : {&dense, &values}) array->shrink_to_fit();
        columns.shrink_to_fit();
    }

    // A copy of the rows of these numbers, in this order.
    Made gathered(const std::vector<int64_t>& numbers) const {
        Made some(0, d, 1, 0, 0);
        some.n = int64_t(numbers.size());
        for (int64_t i : numbers) {
            for (int64_t j = 0; j < d; ++j) {
                some.plain.push_back(at(i, j));
                some.dense.push_back(dense[size_t(i * d + j)]);
            }
            for (int64_t p = starts[size_t(i)]; p < starts[size_t(i + 1)]; ++p) {
                some.values.push_back(values[size_t(p)]);
                some.columns.push_back(columns[size_t(p)]);
            }
            some.starts.push_back(int64_t(some.values.size()));
            some.signs.push_back(signs[size_t(i)]);
            some.classes.push_back(classes[size_t(i)]);
        }
        return some;
    }

    RowsView view(bool sparse) const {
        const bool f32 = sizeof(T) == 4;
        if (!sparse) return {false, f32, false, false, dense.data(), nullptr, nullptr, n, d, 0};
        return {true, f32, sizeof(I) == 8, true, values.data(), columns.data(), starts.data(), n, d, int64_t(values.size())};
    }

    const void* labels(Decision how) const { return how == Decision::binary ? static_cast<const void*>(signs.data()) : classes.data(); }
    double at(int64_t i, int64_t j) const { return plain[size_t(i * d + j)]; }
};
