// Names, numbered in the order in which they first come.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rosenblatt {

class Names {
   public:
    // The number of a name, and whether it is new.
    std::pair<int32_t, bool> number(std::string_view name) {
        if (const auto known = numbers_.find(name); known != numbers_.end()) return {known->second, false};
        const int32_t next = int32_t(list_.size());
        list_.emplace_back(name);
        numbers_.emplace(list_.back(), next);
        return {next, true};
    }

    const std::deque<std::string>& list() const { return list_; }

    void clear() {
        numbers_.clear();
        list_.clear();
    }

   private:
    std::deque<std::string> list_;  // whose strings stay where they are
    std::unordered_map<std::string_view, int32_t> numbers_;
};

// Whether it is UTF-8, and free of control characters.
inline bool is_text(std::string_view name) {
    for (size_t i = 0; i < name.size();) {
        const auto byte = [&](size_t at) { return at < name.size() ? static_cast<unsigned char>(name[at]) : 0u; };
        const unsigned c = byte(i);
        if (c < 32 || c == 127) return false;
        const size_t length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
        if (length == 0) return false;
        for (size_t k = 1; k < length; ++k)
            if ((byte(i + k) & 0xC0) != 0x80) return false;
        // Overlong forms, surrogates, and what lies beyond U+10FFFF.
        const unsigned next = byte(i + 1);
        if ((c == 0xE0 && next < 0xA0) || (c == 0xED && next > 0x9F) || (c == 0xF0 && next < 0x90) || (c == 0xF4 && next > 0x8F)) return false;
        i += length;
    }
    return true;
}

}  // namespace rosenblatt
