// Products of rows with vectors and with each other: plain sums, term after term in the order of storage.
//
// The learner sums in lanes (rows.hpp), to be quick. Here every sum is the one that a reader of the formula would write
// down, so that what audits a run shares no sum with the loop that it judges.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// out (n × K) = X·v, for v of d × K. `out` comes filled with zeros.
inline void product(const RowsView& view, const double* v, int64_t K, double* out) {
    with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; ++i) {
            if (K == 1) {  // in a register
                double sum = 0;
                rows.each_entry(i, [&](int64_t j, double x) { sum += x * v[j]; });
                out[i] = sum;
                continue;
            }
            rows.each_entry(i, [&](int64_t j, double x) {
                for (int64_t k = 0; k < K; ++k) out[i * K + k] += x * v[j * K + k];
            });
        }
        return 0;
    });
}

// out (d × K) = Xᵀ·a, for a of n × K: row after row. `out` comes filled with zeros.
inline void combination(const RowsView& view, const double* a, int64_t K, double* out) {
    with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; ++i)
            rows.each_entry(i, [&](int64_t j, double x) {
                for (int64_t k = 0; k < K; ++k) out[j * K + k] += x * a[i * K + k];
            });
        return 0;
    });
}

// out (n × n) = X·Xᵀ: each row is spread out over all columns in turn, and the others read their own.
inline void gram(const RowsView& view, double* out) {
    with_rows(view, [&](const auto& rows) {
        std::vector<double> spread(size_t(rows.d), 0.0);
        for (int64_t i = 0; i < rows.n; ++i) {
            rows.each_entry(i, [&](int64_t j, double x) { spread[size_t(j)] = x; });
            for (int64_t h = 0; h <= i; ++h) {
                double sum = 0;
                rows.each_entry(h, [&](int64_t j, double x) { sum += x * spread[size_t(j)]; });
                out[i * rows.n + h] = out[h * rows.n + i] = sum;
            }
            rows.each_entry(i, [&](int64_t j, double) { spread[size_t(j)] = 0.0; });
        }
        return 0;
    });
}
