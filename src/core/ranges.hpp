// Ranges of columns: the least and the largest value that each has in each class, and how far rows lie from thresholds.
// What a search for directions along single columns asks of all rows (separation/peeling.py).
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Of each column low and high among the rows of sign −1, then among those of sign +1: 4 lists of d. A sign of 0 leaves the
// row out. Of a class without rows they are +∞ and −∞.
inline void column_ranges(const RowsView& view, const int8_t* sign, double* out, int threads) {
    with_rows(view, [&](const auto& rows) {
        constexpr bool sparse = std::decay_t<decltype(rows)>::feature_major;
        const size_t d = size_t(rows.d);
        const double most = std::numeric_limits<double>::infinity();
        struct Ranges {
            std::vector<double> low[2], high[2];
            std::vector<int64_t> filled[2];  // rows that have an entry in the column
            int64_t rows[2] = {0, 0};
        };
        const auto begin = [&](Ranges& r) {
            for (int side = 0; side < 2; ++side) {
                r.low[side].assign(d, most);
                r.high[side].assign(d, -most);
                if (sparse) r.filled[side].assign(d, 0);
            }
        };
        Ranges all;
        begin(all);
        std::mutex lock;
        const int64_t chunks = (rows.n + kChunk - 1) / kChunk;
        std::atomic<int64_t> next{0};
        // A thread has lists of its own: not worth it where there are few rows for so many columns.
        Team team(int(std::max<int64_t>(1, std::min<int64_t>(threads, std::min(chunks, sparse ? rows.n / (1 + rows.d / 64) : chunks)))));
        team.run([&](int) {
            Ranges mine;
            begin(mine);
            for (int64_t c = next++; c < chunks; c = next++)
                for (int64_t i = c * kChunk; i < std::min(rows.n, (c + 1) * kChunk); ++i) {
                    if (sign[i] == 0) continue;
                    const int side = sign[i] > 0;
                    ++mine.rows[side];
                    double *low = mine.low[side].data(), *high = mine.high[side].data();
                    rows.each_entry(i, [&](int64_t j, double x) {
                        low[j] = x < low[j] ? x : low[j];
                        high[j] = x > high[j] ? x : high[j];
                        if constexpr (sparse) ++mine.filled[side][size_t(j)];
                    });
                }
            const std::lock_guard<std::mutex> hold(lock);
            for (int side = 0; side < 2; ++side) {
                all.rows[side] += mine.rows[side];
                for (size_t j = 0; j < d; ++j) {
                    all.low[side][j] = std::min(all.low[side][j], mine.low[side][j]);
                    all.high[side][j] = std::max(all.high[side][j], mine.high[side][j]);
                    if (sparse) all.filled[side][j] += mine.filled[side][j];
                }
            }
        });
        for (int side = 0; side < 2; ++side)
            for (size_t j = 0; j < d; ++j) {
                const bool zeros = sparse && all.filled[side][j] < all.rows[side];  // rows without an entry have a 0
                out[size_t(2 * side) * d + j] = zeros ? std::min(all.low[side][j], 0.0) : all.low[side][j];
                out[size_t(2 * side + 1) * d + j] = zeros ? std::max(all.high[side][j], 0.0) : all.high[side][j];
            }
        return 0;
    });
}

// Σ_j c_j·|x_ij − t_j| of every row, c ≥ 0: 0 only where x_ij = t_j in every column with c_j > 0. Terms are never negative,
// so it is nearly what it should be, however large the t are; and at least the least normal number where it is not 0.
inline void distances_along(const RowsView& view, const double* c, const double* t, double* out, int threads) {
    with_rows(view, [&](const auto& rows) {
        constexpr bool sparse = std::decay_t<decltype(rows)>::feature_major;
        // Of sparse rows: what a row without any entry has, and the least part of it.
        double empty = 0, least = std::numeric_limits<double>::infinity();
        int64_t needed = 0;
        for (int64_t j = 0; sparse && j < rows.d; ++j)
            if (c[j] > 0 && t[j] != 0) {
                const double part = std::max(c[j] * std::fabs(t[j]), std::numeric_limits<double>::min());
                empty += part;
                least = std::min(least, part);
                ++needed;
            }
        return each_row(rows, threads, [&](int64_t i) {
            double sum = 0, covered = 0;
            int64_t present = 0;
            bool off = false;
            rows.each_entry(i, [&](int64_t j, double x) {
                if (!(c[j] > 0)) return;
                if (x != t[j]) {
                    off = true;
                    sum += c[j] * std::fabs(x - t[j]);
                }
                if (sparse && t[j] != 0) {
                    covered += std::max(c[j] * std::fabs(t[j]), std::numeric_limits<double>::min());
                    ++present;
                }
            });
            if (sparse && present < needed) {
                off = true;
                sum += std::max(empty - covered, least);
            }
            out[i] = off ? std::max(sum, std::numeric_limits<double>::min()) : 0.0;
            return true;
        });
    });
}
