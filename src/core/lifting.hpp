// p-adic lifting (Dixon, "Exact solution of linear equations using p-adic expansions", Num. Math. 40, 1982).
//
// Of A·x = b in whole numbers, with C = A⁻¹ modulo a prime p, the digits of x = x₀ + x₁·p + x₂·p² + … come one by one:
//
//     x_t = C·r_t mod p,   r_{t+1} = (r_t − A·x_t)/p,   r_0 = b
//
// The residuals r stay below k·max|A| + |b|. So they, and A, are kept as whole numbers of W words in two's complement
// with that room, and all sums are taken modulo 2^(64·W): what overflows on the way is gone again after the division,
// which is exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rosenblatt {

class Lifting {
   public:
    // A: k × k × W words; the lowest comes first. inverse: k × k, below p; p is odd and below 2^60.
    Lifting(const uint64_t* A, const uint64_t* inverse, int64_t k, int64_t words, uint64_t p)
        : A_(A), inverse_(inverse), k_(k), words_(words), p_(p), residue_(size_t(k)), product_(size_t(words)) {
        unit_ = p;  // of p modulo 2^64: each step of Newton's doubles the bits that are right, three at first
        for (int i = 0; i < 5; ++i) unit_ *= 2 - p * unit_;
    }

    // The next digits of one right-hand side: `rest` (k × W words) becomes the next residual.
    void step(uint64_t* rest, uint64_t* digits) {
        for (int64_t i = 0; i < k_; ++i) residue_[size_t(i)] = residue(rest + i * words_, words_, p_);
        for (int64_t i = 0; i < k_; ++i) digits[i] = row_digit(inverse_ + i * k_);
        for (int64_t i = 0; i < k_; ++i) {
            const uint64_t* row = A_ + i * k_ * words_;
            if (words_ == 1) product_[0] = row_sum<uint64_t>(row, digits);
            else if (words_ == 2) row_sum2(row, digits);
            else long_row_sum(row, digits);
            subtract_and_divide(rest + i * words_);
        }
    }

    // A number in two's complement modulo p.
    static uint64_t residue(const uint64_t* word, int64_t words, uint64_t p) {
        const bool negative = word[words - 1] >> 63;
        unsigned __int128 r = 0;
        for (int64_t w = words; w-- > 0;) r = (r << 64 | (negative ? ~word[w] : word[w])) % p;
        return negative ? p - 1 - uint64_t(r) : uint64_t(r);  // −n = ~n + 1, so n ≡ −1 − ~n
    }

   private:
    const uint64_t* A_;
    const uint64_t* inverse_;
    const int64_t k_, words_;
    const uint64_t p_;
    uint64_t unit_;
    std::vector<uint64_t> residue_, product_;

    // Products are below 2^120: so many of them fit into 128 bits.
    uint64_t row_digit(const uint64_t* row) const {
        constexpr int64_t kMany = 128;
        uint64_t total = 0;
        for (int64_t from = 0; from < k_; from += kMany) {
            unsigned __int128 sum = total;
            for (int64_t j = from; j < std::min(k_, from + kMany); ++j) sum += static_cast<unsigned __int128>(row[j]) * residue_[size_t(j)];
            total = uint64_t(sum % p_);
        }
        return total;
    }

    template <class Sum>
    Sum row_sum(const uint64_t* row, const uint64_t* x) const {
        Sum sum = 0;
        for (int64_t j = 0; j < k_; ++j) sum += row[j] * x[j];
        return sum;
    }

    void row_sum2(const uint64_t* row, const uint64_t* x) {
        unsigned __int128 low = 0;
        uint64_t high = 0;
        for (int64_t j = 0; j < k_; ++j) {
            low += static_cast<unsigned __int128>(row[2 * j]) * x[j];
            high += row[2 * j + 1] * x[j];
        }
        product_[0] = uint64_t(low);
        product_[1] = uint64_t(low >> 64) + high;
    }

    void long_row_sum(const uint64_t* row, const uint64_t* x) {
        std::fill(product_.begin(), product_.end(), 0);
        for (int64_t j = 0; j < k_; ++j, row += words_) {
            uint64_t carried = 0;
            for (int64_t w = 0; w < words_; ++w) {
                const unsigned __int128 sum = static_cast<unsigned __int128>(row[w]) * x[j] + product_[size_t(w)] + carried;
                product_[size_t(w)] = uint64_t(sum);
                carried = uint64_t(sum >> 64);
            }
        }
    }

    // (rest − product)/p, word by word from the lowest: each quotient word makes its own word 0.
    void subtract_and_divide(uint64_t* rest) const {
        uint64_t borrowed = 0, taken = 0;  // by the subtraction; by the products of p so far
        for (int64_t w = 0; w < words_; ++w) {
            const uint64_t a = rest[w], b = product_[size_t(w)];
            const uint64_t difference = a - b - borrowed;
            borrowed = a < b || (a == b && borrowed) ? 1 : 0;
            const uint64_t left = difference - taken, quotient = left * unit_;
            taken = uint64_t(static_cast<unsigned __int128>(quotient) * p_ >> 64) + (difference < taken ? 1 : 0);
            rest[w] = quotient;
        }
    }
};

}  // namespace rosenblatt
