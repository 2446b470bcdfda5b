// Columns: what a scale is made of, and rows under it (data/scaling.py).
//
// Sums are fed row after row and keep what each addition loses (Knuth's two-sum), so they depend neither on how rows were
// split nor, to speak of, on how many there are.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Twice as many digits: total + lost.
inline void add_exactly(double x, double& total, double& lost) {
    const double sum = total + x, part = sum - total;
    lost += (total - (sum - part)) + (x - part);
    total = sum;
}

// Of each column the least and the largest entry, how many are stored, and Σ x·2⁻⁶⁴, which cannot overflow.
// Gives the first row that is not finite, or -1.
inline int64_t column_ranges(const RowsView& view, double* __restrict low, double* __restrict high, int64_t* __restrict stored,
                             double* __restrict total, double* __restrict lost) {
    return with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; ++i)
            rows.each_entry(i, [&](int64_t j, double x) {
                low[j] = x < low[j] ? x : low[j];
                high[j] = x > high[j] ? x : high[j];
                ++stored[j];
                add_exactly(x * 0x1p-64, total[j], lost[j]);
            });
        bool finite = true;
        for (int64_t j = 0; j < rows.d; ++j) finite &= std::isfinite(total[j]);
        for (int64_t i = 0; !finite && i < rows.n; ++i)
            if (rows.first_nonfinite(i) >= 0) return i;
        return int64_t{-1};
    });
}

// Σ (x·u - c)² of each column, over what is stored.
inline void column_squares(const RowsView& view, const double* __restrict unit, const double* __restrict centre, double* __restrict total,
                           double* __restrict lost) {
    with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; ++i)
            rows.each_entry(i, [&](int64_t j, double x) {
                const double t = x * unit[j] - centre[j];
                add_exactly(t * t, total[j], lost[j]);
            });
        return 0;
    });
}

// (x - c)/f of dense rows: those at these places, or from `first` on.
inline void scaled_dense(const RowsView& view, int64_t first, const int64_t* places, int64_t n, const double* __restrict centre,
                         const double* __restrict factor, double* __restrict out) {
    with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < n; ++i, out += rows.d) {
            if (places && i + 8 < n) rows.prefetch(places[i + 8]);
            rows.each_entry(places ? places[i] : first + i, [&](int64_t j, double x) { out[j] = (x - centre[j]) / factor[j]; });
        }
        return 0;
    });
}

// Where each of these sparse rows begins among them; at the end, how many entries they have.
inline void scaled_starts(const RowsView& view, int64_t first, const int64_t* places, int64_t n, int64_t* starts) {
    with_rows(view, [&](const auto& rows) {
        starts[0] = 0;
        for (int64_t i = 0; i < n; ++i) starts[i + 1] = starts[i] + rows.width(places ? places[i] : first + i);
        return 0;
    });
}

// x/f of sparse rows, with their columns. The caller's may change meanwhile, so no more than `starts` has room for.
template <class I>
void scaled_sparse(const RowsView& view, int64_t first, const int64_t* places, int64_t n, const double* __restrict factor,
                   const int64_t* __restrict starts, double* __restrict values, I* __restrict columns) {
    with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < n; ++i) {
            if (places && i + 8 < n) rows.prefetch(places[i + 8]);
            int64_t p = starts[i];
            const int64_t end = starts[i + 1];
            rows.each_entry(places ? places[i] : first + i, [&](int64_t j, double x) {
                if (p == end) throw RowsChanged();
                columns[p] = I(j);
                values[p++] = x / factor[j];
            });
            if (p != end) throw RowsChanged();
        }
        return 0;
    });
}
