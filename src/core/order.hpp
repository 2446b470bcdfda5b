// Random order as a pure function of (seed, epoch): no generator to save, the same on every machine for ever.
//
// SplitMix64 (Steele, Lea and Flood 2014) keyed by the three numbers drives a Fisher-Yates shuffle; a bounded number
// comes from the high half of a product, with rejection, so that every permutation is equally likely.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rosenblatt {

class Stream {
   public:
    Stream(uint64_t seed, uint64_t epoch, uint64_t chunk) : state_(mix(mix(mix(seed + kGamma) ^ (epoch + kGamma)) ^ (chunk + kGamma))) {}

    uint64_t next() { return mix(state_ += kGamma); }

    // Uniform in [0, bound), bound <= 2^32.
    uint64_t below(uint64_t bound) {
        while (true) {
            const uint64_t product = (next() >> 32) * bound;
            const uint64_t low = product & 0xffffffffULL;
            if (low >= bound || low >= (0x100000000ULL - bound) % bound) return product >> 32;
        }
    }

    // Uniform in [-1, 1), a multiple of 2^-52.
    double uniform() { return double(int64_t(next() >> 11)) * 0x1p-52 - 1; }

   private:
    static constexpr uint64_t kGamma = 0x9e3779b97f4a7c15ULL;

    static uint64_t mix(uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    uint64_t state_;
};

// out = a random permutation of 0 … size-1.
template <class I>
void permutation(Stream stream, int64_t size, I* out) {
    for (int64_t i = 0; i < size; ++i) {
        const int64_t j = int64_t(stream.below(uint64_t(i + 1)));
        if (j != i) out[i] = out[j];
        out[j] = I(i);
    }
}

// Rows that stay together when an epoch is dealt into chunks: few enough that each chunk gets rows from everywhere (the
// rows of a class may all lie together), many enough that a chunk does not touch a page of memory for each row.
constexpr int64_t kBlock = 16;

// The random streams of an epoch: this one orders the blocks; stream c orders the rows of chunk c. No chunk has a number
// as large as the named ones.
constexpr uint64_t kBlockStream = ~uint64_t{0};
constexpr uint64_t kStartStream = kBlockStream - 1;  // the weights of a random start, with its draw in place of the epoch

// out = the full blocks of n rows, in the order of the epoch.
inline void order_blocks(uint64_t seed, uint64_t epoch, int64_t n, int64_t* out) { permutation(Stream(seed, epoch, kBlockStream), n / kBlock, out); }

// out = the numbers of a random start, uniform in [-1, 1).
inline void random_start(uint64_t seed, uint64_t draw, int64_t size, double* out) {
    Stream stream(seed, draw, kStartStream);
    for (int64_t i = 0; i < size; ++i) out[i] = stream.uniform();
}

// The rows that an epoch meets in its chunk number `chunk`, of so many places, in order. `blocks` are the full blocks of
// n rows in the epoch's order; rows that fill no block come in the last chunk.
inline void rows_of_chunk(uint64_t seed, uint64_t epoch, int64_t chunk, int64_t places, const int64_t* blocks, int64_t n, int64_t* out) {
    const int64_t full = n / kBlock, each = places / kBlock, first = chunk * each, last = std::min(full, first + each);
    const int64_t size = std::min(places, n - chunk * places);
    std::vector<int64_t> mine(blocks + first, blocks + last), rows;
    std::sort(mine.begin(), mine.end());
    rows.reserve(size_t(size));
    for (const int64_t block : mine)
        for (int64_t i = 0; i < kBlock; ++i) rows.push_back(block * kBlock + i);
    for (int64_t i = full * kBlock; int64_t(rows.size()) < size; ++i) rows.push_back(i);
    permutation(Stream(seed, epoch, uint64_t(chunk)), size, out);
    for (int64_t p = 0; p < size; ++p) out[p] = rows[size_t(out[p])];
}

// How many of n rows these chunks have together.
inline int64_t rows_in_chunks(const int64_t* chunks, int64_t count, int64_t places, int64_t n) {
    int64_t total = 0;
    for (int64_t c = 0; c < count; ++c) total += std::min(places, n - chunks[c] * places);
    return total;
}

// The rows of these chunks of the epoch, chunk after chunk.
inline void rows_of_chunks(uint64_t seed, uint64_t epoch, const int64_t* chunks, int64_t count, int64_t places, const int64_t* blocks, int64_t n,
                           int64_t* out) {
    for (int64_t c = 0; c < count; ++c) {
        rows_of_chunk(seed, epoch, chunks[c], places, blocks, n, out);
        out += std::min(places, n - chunks[c] * places);
    }
}

}  // namespace rosenblatt
