// Blocks into rows (blocks.hpp): one after the other, by number, or what stands beside them alone.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "growing.hpp"

namespace rosenblatt {

// What is wrong with a file of blocks.
struct BlockFault : std::runtime_error {
    BlockFault(const char* what, int error, int64_t block) : std::runtime_error(what), error(error), block(block) {}
    int error;
    int64_t block;
};

// Some rows out of the file. The memory is the caller's to take over.
struct BlockRows {
    Growing<char> values;
    Growing<int32_t> columns;
    Growing<int64_t> starts, lines;
    Growing<uint16_t> codes;
    Growing<double> weights;
};

class BlockReader {
   public:
    BlockReader(int file, const BlockForm& form, BlockIndex index, int64_t rows, int64_t columns, int64_t first_column)
        : form(form), file_(file), index_(std::move(index)), rows_(rows), columns_(columns), first_column_(first_column) {
        const int64_t blocks = (rows + kBlock - 1) / kBlock, chunks = (rows + kChunk - 1) / kChunk;
        if (int64_t(index_.blocks.size()) != blocks || int64_t(index_.chunks.size()) != chunks + 1)
            throw std::invalid_argument("an index of other rows");
        for (int64_t b = 0; b < blocks; ++b)
            if (index_.end(b) - index_.begin(b) < form.size(0) || (index_.begin(b) & 7)) throw std::invalid_argument("an index that does not rise");
    }

    const BlockForm form;
    int64_t rows() const { return rows_; }
    int64_t columns() const { return columns_; }

    // Bytes of so many chunks, of those that have most.
    int64_t longest_chunk() const {
        int64_t most = 0;
        for (size_t c = 0; c + 1 < index_.chunks.size(); ++c) most = std::max(most, index_.chunks[c + 1] - index_.chunks[c]);
        return most;
    }

    // Rows first … first + count − 1.
    BlockRows span(int64_t first, int64_t count) const {
        if (first < 0 || count < 0 || first > rows_ - count) throw std::out_of_range("rows out of range");
        BlockRows out;
        begin(out, count);
        if (!count) return out;
        Scratch scratch(*this);
        const int64_t from = first / kBlock, to = (first + count - 1) / kBlock + 1, base = index_.begin(from);
        read(scratch.memory, 0, base, index_.end(to - 1) - base, from);
        int64_t place = 0, entry = 0;
        for (int64_t b = from; b < to; ++b) {
            const Block block = block_in(scratch.memory.data() + (index_.begin(b) - base), b);
            const int64_t low = std::max(first - b * kBlock, int64_t{0}), high = std::min(first + count - b * kBlock, kBlock);
            copy(block, low, high, place, entry, out);
            place += high - low;
        }
        return out;
    }

    // The rows of these numbers, in this order.
    BlockRows gather(const int64_t* numbers, int64_t count) const {
        BlockRows out;
        begin(out, count);
        Scratch scratch(*this);
        const auto [places, slots] = fetch(numbers, count, scratch.memory);
        std::vector<Block> blocks(slots.size());
        for (size_t s = 0; s < slots.size(); ++s) blocks[s] = block_in(scratch.memory.data() + slots[s].at, slots[s].block);
        int64_t entry = 0;
        for (int64_t i = 0; i < count; ++i) {
            const int64_t r = numbers[i] % kBlock;
            copy(blocks[size_t(places[size_t(i)])], r, r + 1, i, entry, out);
        }
        return out;
    }

    // What stands beside rows first … first + count − 1, or the rows of these numbers: only the heads of blocks are read.
    BlockRows heads(const int64_t* numbers, int64_t first, int64_t count) const {
        if (!numbers && (first < 0 || count < 0 || first > rows_ - count)) throw std::out_of_range("rows out of range");
        BlockRows out;
        out.codes.resize(count);
        if (form.lines) out.lines.resize(count);
        if (form.weights) out.weights.resize(count);
        std::vector<char> head(size_t(form.values_at()));
        int64_t known = -1;
        for (int64_t i = 0; i < count; ++i) {
            const int64_t row = numbers ? numbers[i] : first + i, b = row / kBlock, r = row % kBlock;
            if (row < 0 || row >= rows_) throw std::out_of_range("rows out of range");
            if (b != known) {
                pread_all(head.data(), int64_t(head.size()), index_.begin(known = b), b);
                const char* const from = head.data() + form.codes_at();
                if (at<uint64_t>(head.data(), 1) != block_checksum(from, form.values_at() - form.codes_at())) throw BlockFault("damaged", 0, b);
            }
            out.codes.data()[i] = at<uint16_t>(head.data() + form.codes_at(), r);
            if (form.lines) out.lines.data()[i] = at<int64_t>(head.data() + form.lines_at(), r);
            if (form.weights) out.weights.data()[i] = at<double>(head.data() + form.weights_at(), r);
        }
        return out;
    }

   private:
    struct Block {
        const char* data;
        int64_t entries;
    };
    struct Slot {
        int64_t block, at;  // its place in the scratch memory
    };

    // Memory to read into, kept from call to call; calls of several threads have one each.
    struct Scratch {
        explicit Scratch(const BlockReader& of) : of(of) {
            const std::lock_guard<std::mutex> hold(of.lending_);
            if (of.spare_.empty()) return;
            memory = std::move(of.spare_.back());
            of.spare_.pop_back();
        }
        ~Scratch() {
            const std::lock_guard<std::mutex> hold(of.lending_);
            if (of.spare_.size() < 2) of.spare_.push_back(std::move(memory));
        }
        const BlockReader& of;
        std::vector<char> memory;
    };

    template <class T>
    static T at(const char* data, int64_t i) {
        T value;
        std::memcpy(&value, data + i * int64_t(sizeof(T)), sizeof(T));
        return value;
    }

    void begin(BlockRows& out, int64_t count) const {
        out.codes.resize(count);
        if (form.weights) out.weights.resize(count);
        if (form.sparse) {
            out.starts.resize(count + 1);
            out.starts.data()[0] = 0;
        } else {
            out.values.resize(count * columns_ * int64_t(form.value_size()));
        }
    }

    void pread_all(char* to, int64_t size, int64_t offset, int64_t block) const {
        while (size > 0) {
            const ssize_t count = ::pread(file_, to, size_t(size), offset);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) throw BlockFault("read", errno, block);
            if (count == 0) throw BlockFault("cut", 0, block);
            to += count, offset += count, size -= count;
        }
    }

    void read(std::vector<char>& memory, int64_t place, int64_t offset, int64_t size, int64_t block) const {
        if (int64_t(memory.size()) < place + size) memory.resize(size_t(place + size));
        pread_all(memory.data() + place, size, offset, block);
    }

    // Reads every block that one of these rows is in, in the order of the file; for each row the slot of its block.
    std::pair<std::vector<int32_t>, std::vector<Slot>> fetch(const int64_t* numbers, int64_t count, std::vector<char>& memory) const {
        std::vector<int64_t> blocks;
        std::vector<int32_t> places(size_t(count), 0);
        std::unordered_map<int64_t, int32_t> known;
        known.reserve(size_t(std::min<int64_t>(count, 1 << 16)));
        int64_t last = -1;
        int32_t last_place = 0;
        for (int64_t i = 0; i < count; ++i) {
            if (numbers[i] < 0 || numbers[i] >= rows_) throw std::out_of_range("rows out of range");
            const int64_t b = numbers[i] / kBlock;
            if (b != last) {
                const auto [found, fresh] = known.try_emplace(last = b, int32_t(blocks.size()));
                if (fresh) blocks.push_back(b);
                last_place = found->second;
            }
            places[size_t(i)] = last_place;
        }
        std::vector<int32_t> order(blocks.size());
        for (size_t s = 0; s < order.size(); ++s) order[s] = int32_t(s);
        std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return blocks[size_t(a)] < blocks[size_t(b)]; });
        std::vector<Slot> slots(blocks.size());
        int64_t total = 0;
        for (const int32_t s : order) {
            const int64_t b = blocks[size_t(s)];
            slots[size_t(s)] = {b, total};
            total += index_.end(b) - index_.begin(b);
        }
        if (int64_t(memory.size()) < total) memory.resize(size_t(total));
        // Neighbours in the file are one read. Where a read has to wait for the disk, all others are asked for beforehand.
        using Clock = std::chrono::steady_clock;
        bool asked = false;
        for (size_t i = 0; i < order.size();) {
            size_t j = i;
            const int64_t first = blocks[size_t(order[i])], offset = index_.begin(first);
            int64_t end = index_.end(first);
            while (++j < order.size() && index_.begin(blocks[size_t(order[j])]) == end) end = index_.end(blocks[size_t(order[j])]);
            const auto began = Clock::now();
            pread_all(memory.data() + slots[size_t(order[i])].at, end - offset, offset, first);
            if (!asked && Clock::now() - began > std::chrono::microseconds(40)) {
                asked = true;
                for (size_t k = j; k < order.size(); ++k) ask_for(blocks[size_t(order[k])]);
            }
            i = j;
        }
        return {std::move(places), std::move(slots)};
    }

    void ask_for([[maybe_unused]] int64_t block) const {
#ifdef POSIX_FADV_WILLNEED
        ::posix_fadvise(file_, index_.begin(block), index_.end(block) - index_.begin(block), POSIX_FADV_WILLNEED);
#endif
    }

    // The block at this place, if it is sound.
    Block block_in(const char* data, int64_t b) const {
        const int64_t size = index_.end(b) - index_.begin(b);
        if (at<uint64_t>(data, 0) != block_checksum(data + 8, size - 8)) throw BlockFault("damaged", 0, b);
        int64_t entries = std::min(kBlock, rows_ - b * kBlock) * form.d;
        if (form.sparse) {
            entries = at<uint32_t>(data + form.ends_at(), kBlock - 1);
            uint32_t before = 0;
            for (int64_t r = 0; r < kBlock; ++r) {
                const uint32_t end = at<uint32_t>(data + form.ends_at(), r);
                if (end < before) throw BlockFault("damaged", 0, b);
                before = end;
            }
        }
        if (form.size(entries) != size) throw BlockFault("damaged", 0, b);
        return {data, entries};
    }

    // Rows low … high − 1 of a block become those from `place` on, their entries those from `entry` on.
    void copy(const Block& block, int64_t low, int64_t high, int64_t place, int64_t& entry, BlockRows& out) const {
        for (int64_t r = low; r < high; ++r) {
            out.codes.data()[place + r - low] = at<uint16_t>(block.data + form.codes_at(), r);
            if (form.weights) out.weights.data()[place + r - low] = at<double>(block.data + form.weights_at(), r);
        }
        const int64_t each = int64_t(form.value_size());
        const char* const values = block.data + form.values_at();
        if (!form.sparse) {
            std::memcpy(out.values.data() + place * columns_ * each, values + low * columns_ * each, size_t((high - low) * columns_ * each));
            return;
        }
        const auto end = [&](int64_t r) { return r < 0 ? int64_t{0} : int64_t(at<uint32_t>(block.data + form.ends_at(), r)); };
        const int64_t from = end(low - 1), size = end(high - 1) - from;
        for (int64_t r = low; r < high; ++r) out.starts.data()[place + r - low + 1] = entry + end(r) - from;
        out.values.resize((entry + size) * each);
        out.columns.resize(entry + size);
        if (size) {
            std::memcpy(out.values.data() + entry * each, values + from * each, size_t(size * each));
            std::memcpy(out.columns.data() + entry, values + block.entries * each + from * 4, size_t(size) * 4);
            const int32_t shift = int32_t(first_column_);
            int32_t* const to = out.columns.data() + entry;
            int64_t wrong = 0;
            for (int64_t p = 0; p < size; ++p) {
                to[p] -= shift;
                wrong += uint32_t(to[p]) >= uint64_t(columns_);
            }
            if (wrong) throw BlockFault("damaged", 0, -1);
        }
        entry += size;
    }

    int file_;
    BlockIndex index_;
    int64_t rows_, columns_, first_column_;
    mutable std::mutex lending_;
    mutable std::vector<std::vector<char>> spare_;
};

}  // namespace rosenblatt
