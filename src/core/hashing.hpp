// The hash that puts features with names, or with too many indices, into 2^bits columns.
//
// FNV-1a of the bytes of the name (of an index, its decimal digits), then the finaliser of MurmurHash3, so that its low
// bits are as good as any. It is part of the model format: it never changes.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace rosenblatt {

inline uint64_t hash_of(std::string_view name) {
    uint64_t h = 0xcbf29ce484222325;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccd;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53;
    return h ^ (h >> 33);
}

inline int32_t hashed_column(std::string_view name, int bits) { return int32_t(hash_of(name) & ((uint64_t{1} << bits) - 1)); }

inline int32_t hashed_column(int64_t index, int bits) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, index).ptr;
    return hashed_column(std::string_view(digits, size_t(end - digits)), bits);
}

}  // namespace rosenblatt
