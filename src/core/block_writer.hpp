// Rows into blocks (blocks.hpp).
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "blocks.hpp"
#include "growing.hpp"

namespace rosenblatt {

// Turns rows, in the order in which they come, into the bytes of blocks.
class BlockWriter {
   public:
    explicit BlockWriter(const BlockForm& form) : form(form) {}

    // Rows as they come; codes, lines and weights of each. What is full goes to `out`.
    void add(const RowsView& rows, const uint16_t* codes, const int64_t* lines, const double* weights) {
        for (int64_t i = 0; i < rows.n; ++i) {
            int64_t first = 0, size = rows.d;
            if (rows.sparse) {
                first = start(rows, i), size = start(rows, i + 1) - first;
                if (first < 0 || size < 0 || first + size > rows.stored) throw RowsChanged();
            } else {
                first = i * rows.d;
            }
            if (rows.sparse) {
                const int64_t known = columns_.size();
                columns_.resize(known + size);
                for (int64_t p = 0; p < size; ++p) {
                    const int64_t c = rows.columns64 ? static_cast<const int64_t*>(rows.columns)[first + p]
                                                     : static_cast<const int32_t*>(rows.columns)[first + p];
                    if (c < 0 || c > INT32_MAX) throw std::invalid_argument("columns beyond 2^31");
                    columns_.data()[known + p] = int32_t(c);
                }
            }
            const size_t each = form.value_size(), bytes = size_t(size) * each;
            const int64_t known = values_.size();
            values_.resize(known + int64_t(bytes));
            if (bytes) std::memcpy(values_.data() + known, static_cast<const char*>(rows.values) + size_t(first) * each, bytes);
            entries += size;
            ends_[held_] = uint32_t(values_.size() / int64_t(each));
            codes_[held_] = codes[i];
            lines_[held_] = lines ? lines[i] : 0;
            weights_[held_] = weights ? weights[i] : 1;
            weighted |= weights && weights[i] != 1;
            ++rows_;
            if (++held_ == kBlock) end_block();
        }
    }

    // The last block, which need not be full.
    void finish() {
        if (held_) end_block();
        index.chunks.push_back(at_);
    }

    const BlockForm form;
    BlockIndex index;
    Growing<char> out;  // bytes that wait to be written
    int64_t entries = 0;
    bool weighted = false;  // whether any weight is not 1

    int64_t rows() const { return rows_; }

   private:
    static int64_t start(const RowsView& rows, int64_t i) {
        return rows.starts64 ? static_cast<const int64_t*>(rows.starts)[i] : static_cast<const int32_t*>(rows.starts)[i];
    }

    void end_block() {
        const int64_t n = int64_t(values_.size()) / int64_t(form.value_size());
        for (int64_t r = held_; r < kBlock; ++r) ends_[r] = uint32_t(n), codes_[r] = 0, lines_[r] = 0, weights_[r] = 0;
        const int64_t size = form.size(n), from = out.size();
        if (n >= int64_t{1} << 32) throw std::invalid_argument("16 rows of more than 2^32 entries");
        if (index.blocks.size() % size_t(kChunk / kBlock) == 0) index.chunks.push_back(at_);
        const int64_t behind = (at_ - index.chunks.back()) / 8;
        if (behind > int64_t(UINT32_MAX)) throw std::invalid_argument("4,096 rows of more than 32 GB");
        index.blocks.push_back(uint32_t(behind));
        out.resize(from + size);
        char* const block = out.data() + from;
        std::memset(block + size - 8, 0, 8);
        std::memcpy(block + form.codes_at(), codes_, sizeof codes_);
        if (form.lines) std::memcpy(block + form.lines_at(), lines_, sizeof lines_);
        if (form.weights) std::memcpy(block + form.weights_at(), weights_, sizeof weights_);
        if (form.sparse) std::memcpy(block + form.ends_at(), ends_, sizeof ends_);
        char* const values = block + form.values_at();
        if (values_.size()) std::memcpy(values, values_.data(), size_t(values_.size()));
        if (form.sparse && n) std::memcpy(values + values_.size(), columns_.data(), size_t(n) * 4);
        uint64_t sum = block_checksum(block + form.codes_at(), form.values_at() - form.codes_at());
        std::memcpy(block + 8, &sum, 8);
        sum = block_checksum(block + 8, size - 8);
        std::memcpy(block, &sum, 8);
        at_ += size;
        held_ = 0;
        values_.resize(0);
        columns_.resize(0);
    }

    Growing<char> values_;
    Growing<int32_t> columns_;
    uint32_t ends_[kBlock];
    uint16_t codes_[kBlock];
    int64_t lines_[kBlock];
    double weights_[kBlock];
    int64_t held_ = 0, rows_ = 0, at_ = 0;
};

}  // namespace rosenblatt
