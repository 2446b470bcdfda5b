// Rows in a file, in blocks of 16: the form in which a large input is kept for further passes over it.
//
//   file  = block { block } …                      each a multiple of 8 bytes long; what follows them is the caller's
//   block = checksum                               8 bytes, of all that follows in the block
//           checksum                               8 bytes, of what follows up to the values: the head can be read alone
//           16 codes of labels, uint16
//           [ 16 lines, int64 ] [ 16 weights, double ]
//           dense:  the rows, one after the other
//           sparse: 16 ends, uint32; values; columns, int32; zeros up to a multiple of 8
//
// The shuffled order deals out just these blocks (order.hpp), so that a chunk of it is 256 reads, each of one piece of the
// file. It is read by pread and not mapped: a page that cannot be read would end the process, and pages of a map count
// as memory of the process for as long as the system likes. The last block may have fewer rows; its places are all there.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "order.hpp"
#include "rows_view.hpp"

namespace rosenblatt {

struct BlockForm {
    bool sparse = false, float32 = false, lines = false, weights = false;
    int64_t d = 0;  // columns of dense rows

    size_t value_size() const { return float32 ? 4 : 8; }
    int64_t codes_at() const { return 16; }
    int64_t lines_at() const { return codes_at() + kBlock * 2; }
    int64_t weights_at() const { return lines_at() + (lines ? kBlock * 8 : 0); }
    int64_t ends_at() const { return weights_at() + (weights ? kBlock * 8 : 0); }
    int64_t values_at() const { return ends_at() + (sparse ? kBlock * 4 : 0); }
    int64_t size(int64_t entries) const {
        const int64_t whole = values_at() + entries * int64_t(value_size() + (sparse ? 4 : 0));
        return (whole + 7) / 8 * 8;
    }
};

// Tells damage, not malice. Four sums, so that none waits for the product of another; every step is a bijection, so that no
// single word can change unnoticed.
inline uint64_t block_checksum(const char* data, int64_t bytes) {
    constexpr uint64_t k = 0x9e3779b97f4a7c15ULL;
    uint64_t sums[4] = {1, 2, 3, 4}, word;
    int64_t at = 0;
    for (; at + 32 <= bytes; at += 32)
        for (int lane = 0; lane < 4; ++lane) {
            std::memcpy(&word, data + at + 8 * lane, 8);
            sums[lane] = (sums[lane] ^ word) * k;
            sums[lane] ^= sums[lane] >> 32;
        }
    for (; at < bytes; at += 8) {
        std::memcpy(&word, data + at, 8);
        sums[0] = (sums[0] ^ word) * k;
        sums[0] ^= sums[0] >> 32;
    }
    for (int lane = 1; lane < 4; ++lane) {
        sums[0] = (sums[0] ^ sums[lane]) * k;
        sums[0] ^= sums[0] >> 29;
    }
    return sums[0] ^ uint64_t(bytes);
}

// Where blocks lie: of each chunk its first byte, and of each block how far behind that it begins, in words of 8 bytes.
struct BlockIndex {
    std::vector<int64_t> chunks;  // one more than there are: the last is where the blocks end
    std::vector<uint32_t> blocks;

    int64_t begin(int64_t block) const { return chunks[size_t(block * kBlock / kChunk)] + 8 * int64_t(blocks[size_t(block)]); }
    int64_t end(int64_t block) const {
        const int64_t next = block + 1;
        return next < int64_t(blocks.size()) ? begin(next) : chunks.back();
    }
};

}  // namespace rosenblatt
