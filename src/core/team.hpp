// Threads for the length of one call: started when first needed, joined before Python runs again. None exist at
// import or between calls, so a fork is always safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

class Team {
   public:
    explicit Team(int size) : size_(size < 1 ? 1 : size) {}

    ~Team() {
        {
            std::lock_guard<std::mutex> hold(mutex_);
            over_ = true;
            round_.fetch_add(1, std::memory_order_release);
        }
        wake_.notify_all();
        for (std::thread& t : threads_) t.join();
    }

    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    // How many work together; starts them, so ask only when there is work to share.
    int size() {
        if (size_ > 1 && threads_.empty()) start();
        return size_;
    }

    bool may_share() const { return size_ > 1; }

    // Runs job(0) … job(size() - 1), the first here, and returns when all are done. A job must not throw.
    void run(const std::function<void(int)>& job) {
        if (size() == 1) return job(0);
        job_ = &job;
        left_.store(size_ - 1, std::memory_order_relaxed);
        round_.fetch_add(1);  // sequentially consistent, as is a sleeper's look at it: one of the two sees the other
        if (asleep_.load() > 0) {
            std::lock_guard<std::mutex> hold(mutex_);
            wake_.notify_all();
        }
        job(0);
        for (int spin = 0; left_.load(std::memory_order_acquire) > 0; ++spin)
            if (spin > kSpin) std::this_thread::yield();
    }

   private:
    static constexpr int kSpin = 4000;  // some tens of microseconds: longer than the pause between two looks ahead

    void start() {
        for (int i = 1; i < size_; ++i) {
            try {
                threads_.emplace_back([this, i] { work(i); });
            } catch (const std::system_error&) {
                size_ = i;  // the system has no more threads to give: go on with those we have
                break;
            }
        }
    }

    void work(int part) {
        uint64_t seen = 0;
        while (true) {
            int spin = 0;
            while (round_.load(std::memory_order_acquire) == seen && ++spin < kSpin) {
            }
            if (spin == kSpin) {
                std::unique_lock<std::mutex> hold(mutex_);
                asleep_.fetch_add(1);
                wake_.wait(hold, [&] { return round_.load() != seen; });
                asleep_.fetch_sub(1);
            }
            seen = round_.load(std::memory_order_acquire);
            if (over_) return;
            (*job_)(part);
            left_.fetch_sub(1, std::memory_order_release);
        }
    }

    int size_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<uint64_t> round_{0};
    std::atomic<int> left_{0}, asleep_{0};
    const std::function<void(int)>* job_ = nullptr;
    bool over_ = false;
};
