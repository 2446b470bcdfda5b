// Coordinates that bet: w is no sum of rows, but of each coordinate a share of its wealth.
//
// At a row with m < 1 coordinate j is told g = y·x_j (times the row's weight), and
//
//     gain += g·w      sum += g      spread += |g|      w = (wealth + gain)·sum / (largest·(spread + largest))
//
// `wealth` is what it began with and `largest` the largest |g| there is: then |g·w| < wealth + gain, so that no purse is
// ever empty. Orabona and Tommasi 2017, with the initial wealth the same for all columns: multiplying a column by a power
// of two divides its w by it and changes no bit of a score.
//
// Where the largest is not known beforehand it grows, and a bet pays as if the row had been no larger than all before:
// that keeps purses from debt, and is what Cutkosky 2019 does to gradients.
//
// With `squares` (ScInOL: Kempka, Kotłowski and Warmuth 2019) spread is Σg², w = (wealth + gain)·clip(sum, ±r)/(2r²) with
// r² = spread + largest², and no purse falls below what it began with.
//
// All purses together gain Σ g·w = m < 1 at a row, so that with the largest known none ever holds more than the number of
// rows met and what all began with: within `coin_size_fits` nothing can overflow.
#pragma once

#include <cmath>

#include "vector.hpp"

namespace rosenblatt {

// Squares of such sizes, times any number of rows, are within float64.
inline bool coin_size_fits(double size) { return size == 0 || (size >= 1e-140 && size <= 1e140); }

// What is known of every coordinate, four numbers each, in one array: side by side where rows are sparse, so that a
// coordinate lies in one line of the cache; else one kind after the other, so that neighbours are told together.
enum CoinPart { kCoinSum, kCoinSpread, kCoinGain, kCoinLargest, kCoinParts };

struct Coins {
    Numbers w, b;  // of the features, and of the offsets, which always lie side by side
    int64_t size = 0;
    bool together = false;

    bool empty() const { return b.empty(); }
    void zero(const Layout& at) {
        size = at.size();
        together = at.feature_major;
        w.assign(size_t(kCoinParts * size), 0.0);
        b.assign(size_t(kCoinParts * at.outputs), 0.0);
    }
    double& at(int64_t place, CoinPart part) { return w[size_t(together ? kCoinParts * place + part : part * size + place)]; }
    double at(int64_t place, CoinPart part) const { return const_cast<Coins*>(this)->at(place, part); }

    // One kind of number, in the layout of the weights; and back.
    Vector get(CoinPart part) const {
        Vector v;
        if (empty()) return v;
        v.w.resize(size_t(size));
        v.b.resize(b.size() / kCoinParts);
        for (int64_t i = 0; i < size; ++i) v.w[size_t(i)] = at(i, part);
        for (size_t k = 0; k < v.b.size(); ++k) v.b[k] = b[kCoinParts * k + part];
        return v;
    }
    void set(CoinPart part, const Vector& v) {
        for (int64_t i = 0; i < size; ++i) at(i, part) = v.w[size_t(i)];
        for (size_t k = 0; k < v.b.size(); ++k) b[kCoinParts * k + part] = v.b[k];
    }
};

// The purses of some coordinates, `step` numbers apart, and what is told to all of them.
struct Purses {
    double *w, *average;  // the average is none if none is kept
    double *sum, *spread, *gain, *largest;
    double wealth, visits;
};

inline Purses purses_of(double* w, double* average, double* coins, int64_t apart, double wealth, double visits) {
    return {w, average, coins, coins + kCoinSpread * apart, coins + kCoinGain * apart, coins + kCoinLargest * apart, wealth, visits};
}

// One coordinate is told g. Without branches, so that neighbours are told together.
template <bool squares, int step>
inline __attribute__((always_inline)) void tell(const Purses& p, int64_t at, double g) {
    const int64_t q = step * at;
    const double w = p.w[at], known = p.largest[q], size = std::fabs(g);
    const double largest = size > known ? size : known, sum = p.sum[q] + g;
    double gain = p.gain[q], spread = p.spread[q], next;
    if constexpr (squares) {
        gain += g * w;
        gain = gain > 0 ? gain : 0;
        spread += g * g;
        const double room2 = spread + largest * largest, room = std::sqrt(room2);
        const double stake = sum > room ? room : sum < -room ? -room : sum;
        next = (p.wealth + gain) * stake / (room2 > 0 ? 2 * room2 : 1);
    } else {
        gain += (size > known ? std::copysign(known, g) : g) * w;
        spread += size;
        const double scale = largest * (spread + largest);
        next = (p.wealth + gain) * sum / (scale > 0 ? scale : 1);
    }
    p.gain[q] = gain;
    p.sum[q] = sum;
    p.spread[q] = spread;
    p.largest[q] = largest;
    p.w[at] = next;
    if (p.average) p.average[at] += p.visits * (next - w);
}

}  // namespace rosenblatt
