// Read-only passes over many rows, on all cores: scores, and the radius. Rows are shared out by chunk and every
// result belongs to its row, so the number of threads cannot change a bit.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// f(row) for every row; a row whose f is false ends the scan. Returns the first such row in row order, or -1.
template <class Rows, class F>
int64_t each_row(const Rows& rows, int threads, F&& f) {
    const int64_t chunks = (rows.n + kChunk - 1) / kChunk;
    std::atomic<int64_t> next{0}, bad{std::numeric_limits<int64_t>::max()};
    Team team(int(std::min<int64_t>(threads, chunks)));
    team.run([&](int) {
        for (int64_t c = next++; c < chunks; c = next++)
            for (int64_t i = c * kChunk; i < std::min(rows.n, (c + 1) * kChunk); ++i) {
                if (i > bad.load(std::memory_order_relaxed)) return;
                if (f(i)) continue;
                int64_t known = bad.load();
                while (i < known && !bad.compare_exchange_weak(known, i)) {
                }
                return;
            }
    });
    return bad.load() == std::numeric_limits<int64_t>::max() ? -1 : bad.load();
}

// scores[i·K + k] = w_k·x_i + b_k. The first row with a score that is not finite, or -1.
inline int64_t scores(const RowsView& view, const Vector& v, const Layout& at, double* out, int threads) {
    return with_rows(view, [&](const auto& rows) {
        return each_row(rows, threads, [&](int64_t i) {
            double* s = out + i * at.outputs;
            rows.scores(i, v.w.data(), at, s);
            bool finite = true;
            for (int64_t k = 0; k < at.outputs; ++k) {
                s[k] += v.b[size_t(k)];
                finite &= std::isfinite(s[k]);
            }
            return finite;
        });
    });
}

// norms2[i] = ||x_i||². The first row where it is not finite, or -1.
inline int64_t squared_norms(const RowsView& view, double* out, int threads) {
    return with_rows(view, [&](const auto& rows) { return each_row(rows, threads, [&](int64_t i) { return std::isfinite(out[i] = rows.norm2(i)); }); });
}

inline int64_t first_nonfinite(const RowsView& view, int64_t row) {
    return with_rows(view, [&](const auto& rows) { return rows.first_nonfinite(row); });
}
