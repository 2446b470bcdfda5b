// An array that grows by realloc, and is handed over whole.
//
// Nothing is set to zero, and a long array is not copied: the system maps its pages to a longer range. (Large pages were
// tried: moved, they are taken apart, and in a fresh process they cost more to clear than they save.)
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace rosenblatt {

template <class T>
class Growing {
   public:
    Growing() = default;
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;
    Growing(Growing&& other) noexcept { swap(other); }
    Growing& operator=(Growing&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Growing() { std::free(data_); }

    int64_t size() const { return size_; }
    T* data() { return data_; }
    const T* data() const { return data_; }

    // Room for so many in all, if not more; those behind size() are not set.
    void reserve(int64_t room) {
        if (room <= room_) return;
        if (room < room_ + room_ / 2) room = room_ + room_ / 2;
        if (uint64_t(room) > (uint64_t{1} << 60) / sizeof(T)) throw std::bad_alloc();
        void* memory = std::realloc(data_, size_t(room) * sizeof(T));
        if (!memory) throw std::bad_alloc();
        data_ = static_cast<T*>(memory);
        room_ = room;
    }

    void resize(int64_t size) {
        reserve(size);
        size_ = size;
    }

    void push(T value) {
        if (size_ == room_) reserve(size_ + 1024);
        data_[size_++] = value;
    }

    // The array itself, to be freed with std::free; it is empty afterwards.
    T* release() {
        if (size_ < room_ && size_)
            if (void* memory = std::realloc(data_, size_t(size_) * sizeof(T))) data_ = static_cast<T*>(memory);
        size_ = room_ = 0;
        return std::exchange(data_, nullptr);
    }

   private:
    void swap(Growing& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
    }

    T* data_ = nullptr;
    int64_t size_ = 0, room_ = 0;
};

}  // namespace rosenblatt
