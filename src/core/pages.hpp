// Where long arrays of weights lie: in large pages, where the system has them.
//
// Sparse rows pick weights from all over an array. In pages of 4 kB a few megabytes of it are more than the processor
// keeps addresses for, and each miss is a walk through the page tables; in pages of 2 MB they are a handful.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rosenblatt {

template <class T>
struct Paged {
    using value_type = T;

    Paged() = default;
    template <class U>
    Paged(const Paged<U>&) {}

    T* allocate(std::size_t count) {
        constexpr std::size_t page = std::size_t{1} << 21;
        const std::size_t bytes = count * sizeof(T);
        const bool large = bytes >= page;
        const std::size_t size = large ? (bytes + page - 1) / page * page : bytes;
        void* memory = large ? std::aligned_alloc(page, size) : std::malloc(size ? size : 1);
        if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (large) madvise(memory, size, MADV_HUGEPAGE);  // advice only: without it all works as before
#endif
        return static_cast<T*>(memory);
    }

    void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

    template <class U>
    bool operator==(const Paged<U>&) const {
        return true;
    }
    template <class U>
    bool operator!=(const Paged<U>&) const {
        return false;
    }
};

using Numbers = std::vector<double, Paged<double>>;

}  // namespace rosenblatt
