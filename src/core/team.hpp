// Threads for the length of one call: started when first needed, joined before Python runs again. None exist at
// import or between calls, so a fork is always safe.
//
// The work of a round is handed out piece by piece (the job itself takes the next piece), so a thread that the system
// keeps waiting is not waited for: when the pieces are gone the round closes, and who has not come in stays out.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace rosenblatt {

// The first exception of a thread takes memory for the thread's own use, and where there is none the system ends the
// process. So a thread takes it before it does any work, once it knows there is some; false: it must not work.
inline bool ready_to_throw() {
    void* volatile some = std::malloc(1 << 14);
    if (!some) return false;
    std::free(some);
    return std::uncaught_exceptions() == 0;
}

// The lesser of what is there and i, whichever thread comes first.
inline void lower(std::atomic<int64_t>& least, int64_t i) {
    int64_t known = least.load();
    while (i < known && !least.compare_exchange_weak(known, i)) {
    }
}

class Team {
   public:
    explicit Team(int size) : size_(size < 1 ? 1 : size) {}

    ~Team() {
        if (threads_.empty()) return;
        over_.store(true);
        announce();
        for (std::thread& t : threads_) t.join();
    }

    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const { return size_; }

    // Calls job(member) here (member 0) and on those of the others (1 … size - 1) that come in time; returns when all
    // who came are done. A job must leave no work when it returns. What a member throws (memory may run out anywhere)
    // is kept until all who came are done, and the first of it thrown again here: until then they use what the job
    // refers to, and a thread that threw would end the process.
    void run(const std::function<void(int)>& job) {
        if (size_ > 1 && threads_.empty()) start();
        job_ = &job;
        announce();
        attempt(0);
        gate_.fetch_or(kClosed);
        for (int spin = 0; (gate_.load(std::memory_order_acquire) & kInside) != 0; ++spin) {
            if (spin > kSpin) std::this_thread::yield();
            pause();
        }
        if (!failed_.load()) return;
        failed_.store(false);
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }

   private:
    // gate_: the number of the round in the high bits, then "closed", then how many are inside.
    static constexpr uint64_t kInside = 0xffff, kClosed = 0x10000, kRound = 0x20000;
    static constexpr int kSpin = 2000;  // some tens of microseconds: longer than the pause between two scans

    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ __volatile__("yield");
#endif
    }

    static uint64_t round(uint64_t gate) { return gate / kRound; }

    // Opens the next round, and wakes who sleeps. Both sides use sequentially consistent order: either the sleeper
    // sees the new round, or we see the sleeper.
    void announce() {
        gate_.store((round(gate_.load()) + 1) * kRound);
        if (asleep_.load() > 0) {
            std::lock_guard<std::mutex> hold(mutex_);
            wake_.notify_all();
        }
    }

    void attempt(int member) noexcept {
        try {
            (*job_)(member);
        } catch (...) {
            if (!failed_.exchange(true)) failure_ = std::current_exception();
        }
    }

    void start() {
        try {
            threads_.reserve(size_t(size_ - 1));
            for (int i = 1; i < size_; ++i) threads_.emplace_back([this, i] { work(i); });
        } catch (const std::exception&) {
            // The system has no more threads or memory to give: go on with those we have.
        }
    }

    void work(int member) {
        if (!ready_to_throw()) return;
        uint64_t seen = 0;
        while (true) {
            for (int spin = 0; round(gate_.load(std::memory_order_acquire)) == seen && spin < kSpin; ++spin) pause();
            if (round(gate_.load()) == seen) {
                std::unique_lock<std::mutex> hold(mutex_);
                asleep_.fetch_add(1);
                wake_.wait(hold, [&] { return round(gate_.load()) != seen; });
                asleep_.fetch_sub(1);
            }
            uint64_t gate = gate_.load();
            seen = round(gate);
            if (over_.load()) return;
            bool in = false;
            while (!in && round(gate) == seen && !(gate & kClosed)) in = gate_.compare_exchange_weak(gate, gate + 1);
            if (!in) continue;
            attempt(member);
            gate_.fetch_sub(1);
        }
    }

    const int size_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<uint64_t> gate_{0};
    std::atomic<int> asleep_{0};
    std::atomic<bool> over_{false};
    const std::function<void(int)>* job_ = nullptr;
    std::atomic<bool> failed_{false};  // a member of this round threw `failure_`
    std::exception_ptr failure_;
};

}  // namespace rosenblatt
