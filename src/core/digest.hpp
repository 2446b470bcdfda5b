// A digest of data, fed piece by piece: their shape, then every label, then the entries of some rows or of all.
//
// It is kept in states and models, so its value never changes; nor does it depend on how the labels are cut.
#pragma once

#include <cstdint>
#include <cstring>

namespace rosenblatt {

class Digest {
   public:
    Digest(int64_t rows, int64_t columns) : rows_(rows) {
        word(uint64_t(rows));
        word(uint64_t(columns));
    }

    // Without `all`, only some rows are looked at, evenly spread: cheap, and enough to tell data apart that were not
    // made to deceive.
    int64_t every(bool all) const { return all || rows_ < 256 ? 1 : rows_ / 256; }

    // Bytes of labels: eight make a word; those that are left over at their end are taken one by one.
    void labels(const void* data, size_t bytes) {
        const char* at = static_cast<const char*>(data);
        for (; bytes > 0 && held_ > 0; ++at, --bytes) hold(*at);
        for (; bytes >= 8; at += 8, bytes -= 8) {
            uint64_t w;
            std::memcpy(&w, at, 8);
            word(w);
        }
        for (; bytes > 0; ++at, --bytes) hold(*at);
    }

    // An entry of a row, column after column; to be called when all labels have come.
    void entry(int64_t column, double value) {
        if (value == 0) return;
        end_labels();
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        word(uint64_t(column));
        word(bits);
    }

    uint64_t value() const {
        Digest copy = *this;
        copy.end_labels();
        return copy.sum_;
    }

   private:
    void word(uint64_t w) {
        sum_ = (sum_ ^ w) * 0x9e3779b97f4a7c15ULL;
        sum_ ^= sum_ >> 29;
    }

    void hold(char byte) {
        tail_[held_++] = byte;
        if (held_ < 8) return;
        uint64_t w;
        std::memcpy(&w, tail_, 8);
        word(w);
        held_ = 0;
    }

    void end_labels() {
        for (size_t i = 0; i < held_; ++i) sum_ = (sum_ ^ uint64_t(uint8_t(tail_[i]))) * 0x100000001b3ULL;
        held_ = 0;
    }

    int64_t rows_;
    uint64_t sum_ = 0xcbf29ce484222325ULL;
    char tail_[8];
    size_t held_ = 0;
};

}  // namespace rosenblatt
