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
// All purses together gain Σ g·w = m < 1 at a row, so that with the largest known none ever holds more than the number of
// rows met and what all began with: within `coin_size_fits` nothing can overflow.
#pragma once

#include <cmath>

#include "vector.hpp"

namespace rosenblatt {

// Squares of such sizes, times any number of rows, are within float64.
inline bool coin_size_fits(double size) { return size == 0 || (size >= 1e-140 && size <= 1e140); }

// The purses of some coordinates, and what is told to all of them.
struct Purses {
    double *w, *average;  // the average is none if none is kept
    double *sum, *spread, *gain, *largest;
    double wealth, visits;
};

// One coordinate is told g. Without branches, so that neighbours are told together.
inline __attribute__((always_inline)) void tell(const Purses& p, int64_t at, double g) {
    const double w = p.w[at], known = p.largest[at], size = std::fabs(g);
    const double paid = size > known ? std::copysign(known, g) : g, largest = size > known ? size : known;
    const double gain = p.gain[at] + paid * w, sum = p.sum[at] + g, spread = p.spread[at] + size;
    const double scale = largest * (spread + largest);
    const double next = (p.wealth + gain) * sum / (scale > 0 ? scale : 1);
    p.gain[at] = gain;
    p.sum[at] = sum;
    p.spread[at] = spread;
    p.largest[at] = largest;
    p.w[at] = next;
    if (p.average) p.average[at] += p.visits * (next - w);
}

}  // namespace rosenblatt
