// Weights and offsets of K outputs, where they lie in memory, and how long they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "pages.hpp"

namespace rosenblatt {

// Where the weight of (feature j, output k) lies.
struct Layout {
    int64_t features = 0, outputs = 1, stride = 1;
    bool feature_major = false;

    int64_t at(int64_t j, int64_t k) const { return feature_major ? j * stride + k : k * features + j; }
    int64_t size() const { return feature_major ? features * stride : features * outputs; }
};

// Weights and offsets of all outputs: the shape shared by w, the batch, the average and every saved copy.
struct Vector {
    Numbers w, b;

    bool empty() const { return b.empty(); }
    void zero(const Layout& at) {
        w.assign(size_t(at.size()), 0.0);
        b.assign(size_t(at.outputs), 0.0);
    }
    bool operator==(const Vector& o) const { return w == o.w && b == o.b; }
};

struct Norm {
    double plain, augmented, squared;  // ||w||, ||w'|| and ||w'||²
};

// ||w||² of each output of `a`, or of its difference to `minus`: in one pass over memory, however it is laid out, and in
// four lanes by feature.
inline std::vector<double> squares_of(const Layout& layout, const Vector& a, const Vector* minus) {
    const size_t outputs = size_t(layout.outputs);
    std::vector<double> lanes(4 * outputs, 0.0), total(outputs);
    const auto square = [&](size_t at) {
        const double e = minus ? a.w[at] - minus->w[at] : a.w[at];
        return e * e;
    };
    if (layout.feature_major) {
        for (int64_t j = 0; j < layout.features; ++j)
            for (size_t k = 0; k < outputs; ++k) lanes[size_t(j & 3) * outputs + k] += square(size_t(j * layout.stride) + k);
    } else {
        for (size_t k = 0; k < outputs; ++k)
            for (int64_t j = 0; j < layout.features; ++j) lanes[size_t(j & 3) * outputs + k] += square(k * size_t(layout.features) + size_t(j));
    }
    for (size_t k = 0; k < outputs; ++k) total[k] = (lanes[k] + lanes[outputs + k]) + (lanes[2 * outputs + k] + lanes[3 * outputs + k]);
    return total;
}

// The norms of outputs from … to - 1 of `a`, or of its difference to `minus`, whose squares_of are `known`. Scaled by a
// power of two where the plain sum of squares would overflow or underflow: a bound built on it must never come out too
// small.
inline Norm norm_of(const Layout& layout, double rho2, const Vector& a, const Vector* minus, const std::vector<double>& known, int64_t from,
                    int64_t to) {
    const auto squares = [&](int exponent, bool offsets) {
        double lanes[4] = {0, 0, 0, 0};
        const auto entry = [&](const Numbers& v, const Numbers* m, size_t at) {
            const double e = m ? v[at] - (*m)[at] : v[at];
            return exponent == 0 ? e : std::ldexp(e, -exponent);
        };
        for (int64_t k = from; k < to; ++k) {
            if (offsets) {
                const double e = entry(a.b, minus ? &minus->b : nullptr, size_t(k));
                lanes[0] += e * (e / rho2);  // b is a multiple of rho², so the quotient is exact where sums are
                continue;
            }
            for (int64_t j = 0; j < layout.features; ++j) {
                const double e = entry(a.w, minus ? &minus->w : nullptr, size_t(layout.at(j, k)));
                lanes[j & 3] += e * e;
            }
        }
        return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    };
    double plain = 0, offset = rho2 > 0 ? squares(0, true) : 0;
    for (int64_t k = from; k < to; ++k) plain += known[size_t(k)];
    const auto safe = [](double v) { return v > 1e-280 && v < 1e300; };
    bool no_offset = true;
    for (int64_t k = from; k < to; ++k) no_offset &= a.b[size_t(k)] == (minus ? minus->b[size_t(k)] : 0.0);
    if (safe(plain) && (safe(offset) || no_offset)) return {std::sqrt(plain), std::sqrt(plain + offset), plain + offset};
    double big = 0;
    for (int64_t k = from; k < to; ++k) {
        for (int64_t j = 0; j < layout.features; ++j) {
            const size_t at = size_t(layout.at(j, k));
            big = std::max(big, std::fabs(a.w[at] - (minus ? minus->w[at] : 0.0)));
        }
        big = std::max(big, std::fabs(a.b[size_t(k)] - (minus ? minus->b[size_t(k)] : 0.0)));
    }
    if (big == 0 || !std::isfinite(big)) return {big, big, big};
    const int exponent = std::ilogb(big);
    plain = squares(exponent, false);
    offset = rho2 > 0 ? squares(exponent, true) : 0;
    const double root = std::ldexp(std::sqrt(plain + offset), exponent);
    return {std::ldexp(std::sqrt(plain), exponent), root, root * root};
}

}  // namespace rosenblatt
