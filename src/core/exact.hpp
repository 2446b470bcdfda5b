// Exact sums of doubles and of products of doubles: no rounding, no overflow, no underflow.
//
// A long accumulator (Kulisch 1971): a fixed-point number wide enough for every product of two doubles, kept as digits
// of 32 bits in 64-bit cells, so that 2^29 additions fit before a carry has to be made.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

class Accumulator {
   public:
    // The least bit of a product of two doubles is 2^-2148, the highest below 2^2048.
    static constexpr int kLowest = -2148 - 12;  // 2^kLowest is the unit of cell 0
    static constexpr int kCells = (2048 - kLowest + 31) / 32 + 3;

    void clear() { std::memset(cell_, 0, sizeof cell_); }

    void add(double x) {
        int e;
        const int64_t m = mantissa(x, e);
        put(m, e);
    }

    void add_product(double x, double y) {
        int e, f;
        const int64_t a = mantissa(x, e), b = mantissa(y, f);
        put(static_cast<__int128>(a) * b, e + f);
    }

    void add(const Accumulator& other) {
        for (int c = 0; c < kCells; ++c) cell_[c] += other.cell_[c];
    }

    // Makes every cell but the highest lie in 0 … 2^32 - 1.
    void carry() {
        for (int c = 0; c + 1 < kCells; ++c) {
            const int64_t up = cell_[c] >> 32;
            cell_[c] -= up * (int64_t{1} << 32);
            cell_[c + 1] += up;
        }
    }

    int sign() {
        carry();
        if (cell_[kCells - 1] < 0) return -1;
        for (int c = 0; c < kCells; ++c)
            if (cell_[c] != 0) return 1;
        return 0;
    }

    const int64_t* cells() const { return cell_; }

    // x = m·2^e with |m| < 2^53.
    static int64_t mantissa(double x, int& e) {
        uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        const int raw = int(bits >> 52 & 0x7ff);
        const int64_t m = int64_t(bits & 0xfffffffffffffULL) | (raw ? int64_t{1} << 52 : 0);
        e = (raw ? raw : 1) - 1075;
        return bits >> 63 ? -m : m;
    }

    // Adds m·2^e, |m| < 2^126.
    void put(__int128 m, int e) {
        if (m == 0) return;
        const int at = e - kLowest, c = at >> 5;
        const bool negative = m < 0;
        unsigned __int128 u = negative ? -static_cast<unsigned __int128>(m) : static_cast<unsigned __int128>(m);
        // Up to 126 bits, shifted by up to 31: five digits.
        const int shift = at & 31;
        const uint64_t low = uint64_t(u), high = uint64_t(u >> 64);
        const unsigned __int128 first = static_cast<unsigned __int128>(low) << shift, second = static_cast<unsigned __int128>(high) << shift;
        const int64_t digits[5] = {int64_t(uint64_t(first) & 0xffffffff), int64_t(uint64_t(first) >> 32),
                                   int64_t(uint64_t(first >> 64) + (uint64_t(second) & 0xffffffff)), int64_t(uint64_t(second) >> 32),
                                   int64_t(uint64_t(second >> 64))};
        for (int k = 0; k < 5; ++k) cell_[c + k] += negative ? -digits[k] : digits[k];
    }

   private:
    int64_t cell_[kCells] = {};
};

// A sum of up to 2^12 doubles whose exponents lie in a window of 60, in one machine number; the others, and the sum in
// the end, go to the accumulator.
class Window {
   public:
    void add(double x, Accumulator& rest) {
        int e;
        const int64_t m = Accumulator::mantissa(x, e);
        if (m == 0) return;
        if (!open_) {
            base_ = e - 30;
            open_ = true;
        }
        const int shift = e - base_;
        if (shift < 0 || shift > 60) rest.put(m, e);
        else sum_ += static_cast<__int128>(m) * (__int128{1} << shift);
    }
    void flush(Accumulator& rest) {
        rest.put(sum_, base_);
        sum_ = 0;
    }

   private:
    __int128 sum_ = 0;
    int base_ = 0;
    bool open_ = false;
};

// The sign of w·x + b for each of these rows, exactly, where (w, b) is the sum of L vectors of doubles.
inline void exact_signs(const RowsView& view, const int64_t* which, int64_t count, const double* w, const double* b, int64_t limbs, int8_t* out,
                        int threads) {
    with_rows(view, [&](const auto& rows) {
        constexpr int64_t piece = 64;
        std::atomic<int64_t> next{0};
        std::vector<int64_t> used;  // columns with a weight
        for (int64_t j = 0; j < rows.d; ++j) {
            bool any = false;
            for (int64_t l = 0; l < limbs; ++l) any |= w[l * rows.d + j] != 0;
            if (any) used.push_back(j);
        }
        Team team(int(std::min<int64_t>(threads, (count + piece - 1) / piece)));
        team.run([&](int) {
            Accumulator sum;
            const auto add = [&](int64_t j, double x) {
                for (int64_t l = 0; l < limbs; ++l)
                    if (const double v = w[l * rows.d + j]; v != 0) sum.add_product(x, v);
            };
            for (int64_t lo = next.fetch_add(piece); lo < count; lo = next.fetch_add(piece))
                for (int64_t p = lo; p < std::min(count, lo + piece); ++p) {
                    sum.clear();
                    if constexpr (std::decay_t<decltype(rows)>::feature_major) rows.each_entry(which[p], add);
                    else
                        for (int64_t j : used) add(j, double(rows.row(which[p])[j]));
                    for (int64_t l = 0; l < limbs; ++l) sum.add(b[l]);
                    out[p] = int8_t(sum.sign());
                }
        });
        return 0;
    });
}

// Σ sign_i·x_i over rows, exactly: for each column the cells of its accumulator. A sign of 0 leaves the row out.
inline void exact_sums(const RowsView& view, const int8_t* sign, int64_t* cells, int threads) {
    with_rows(view, [&](const auto& rows) {
        std::vector<Accumulator> total(size_t(rows.d));
        std::mutex lock;
        const int64_t chunks = (rows.n + kChunk - 1) / kChunk;
        std::atomic<int64_t> next{0};
        Team team(int(std::min<int64_t>(threads, chunks)));
        team.run([&](int) {
            std::vector<Accumulator> mine(size_t(rows.d));
            std::vector<Window> windows(size_t(rows.d));
            for (int64_t c = next++; c < chunks; c = next++) {
                for (int64_t i = c * kChunk; i < std::min(rows.n, (c + 1) * kChunk); ++i)
                    if (sign[i] != 0) rows.each_entry(i, [&](int64_t j, double x) { windows[size_t(j)].add(sign[i] > 0 ? x : -x, mine[size_t(j)]); });
                for (int64_t j = 0; j < rows.d; ++j) windows[size_t(j)].flush(mine[size_t(j)]);
            }
            const std::lock_guard<std::mutex> hold(lock);
            for (int64_t j = 0; j < rows.d; ++j) {
                mine[size_t(j)].carry();
                total[size_t(j)].add(mine[size_t(j)]);
            }
        });
        for (int64_t j = 0; j < rows.d; ++j) {
            total[size_t(j)].carry();
            std::copy_n(total[size_t(j)].cells(), Accumulator::kCells, cells + j * Accumulator::kCells);
        }
        return 0;
    });
}
