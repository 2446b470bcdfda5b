// One view of a row, dense or sparse: scores, additions, squared norm. Everything above asks a row only these
// questions, so there is no second, sparse version of anything.
//
// Weights of K outputs are kept in the order a row reads them: dense rows want each output contiguous (output-major),
// sparse rows want the K weights of one feature side by side (feature-major, padded to a multiple of 4 when K > 1).
// `Layout` is the only place that knows.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Asks for a row's memory a while before it is read: a permuted order defeats the hardware's own prefetching, and waiting
// for memory then costs as much as the arithmetic. Always inlined: a function that only prefetches looks to GCC like
// one without effect, and its calls vanish.
#define ALWAYS_INLINE __attribute__((always_inline)) inline

template <class T>
ALWAYS_INLINE void fetch_lines(const T* first, int64_t size) {
    constexpr int64_t line = 64 / sizeof(T), most = 64 * line;  // beyond some pages the hardware has caught on
    for (int64_t p = 0; p < size && p < most; p += line) __builtin_prefetch(first + p);
}

// Whether every entry is 0, or of a size from `least` to `most`.
template <class T>
inline bool all_within(const T* x, int64_t size, double least, double most) {
    int64_t out = 0;
    for (int64_t p = 0; p < size; ++p) {
        const double v = std::fabs(double(x[p]));
        out += !((v >= least && v <= most) || v == 0);
    }
    return out == 0;
}

template <class T>
struct DenseRows {
    static constexpr bool feature_major = false;
    const T* x;
    int64_t n, d;

    const T* row(int64_t i) const { return x + i * d; }
    int64_t width(int64_t) const { return d; }
    double mean_width() const { return double(d); }

    ALWAYS_INLINE void prefetch(int64_t i) const { fetch_lines(row(i), d); }
    ALWAYS_INLINE void prefetch_weights(int64_t, const double*, const Layout&) const {}  // they come one after another

    double score(int64_t i, const double* w) const { return dot(row(i), w, d); }

    void scores(int64_t i, const double* w, const Layout& at, double* s) const {
        const T* xi = row(i);
        int64_t k = 0;
        for (; k + 2 <= at.outputs; k += 2) dot2(xi, w + k * d, w + (k + 1) * d, d, s + k);
        if (k < at.outputs) s[k] = dot(xi, w + k * d, d);
    }

    void add(int64_t i, double a, double* w, const Layout& at, int64_t k) const { axpy(a, row(i), w + k * at.features, d); }

    // w += a·x and v += c·x.
    void add2(int64_t i, double a, double* w, double c, double* v, const Layout& at, int64_t k) const {
        add(i, a, w, at, k);
        add(i, c, v, at, k);
    }

    // Each coordinate of output k is told a·x_j (coin.hpp).
    template <bool squares, int step>
    void bet(int64_t i, double a, const Purses& p, const Layout& at, int64_t k) const {
        const T* __restrict xi = row(i);
        const int64_t from = k * at.features;
#pragma GCC ivdep
        for (int64_t j = 0; j < d; ++j) tell<squares, step>(p, from + j, a * double(xi[j]));
    }

    // Which weights an addition touched; dense rows touch them all.
    void touch(int64_t, Touched& t) const { t.everything = true; }
    void make_room(int64_t, int64_t, Touched&) const {}

    double norm2(int64_t i) const { return dot(row(i), row(i), d); }

    template <class F>
    void each_entry(int64_t i, F&& f) const {
        for (int64_t j = 0; j < d; ++j) f(j, double(row(i)[j]));
    }

    double largest(int64_t i) const {
        double big = 0;
        each_entry(i, [&](int64_t, double v) { big = std::max(big, std::fabs(v)); });
        return big;
    }

    bool within(int64_t i, double least, double most) const { return all_within(row(i), d, least, most); }

    int64_t first_nonfinite(int64_t i) const {
        for (int64_t j = 0; j < d; ++j)
            if (!std::isfinite(row(i)[j])) return j;
        return -1;
    }
};

// The indices are the caller's, and were checked; but another thread of the caller's may change them while they are read. So
// each is read once and compared with its limit where it is used: a branch that is never taken (1 % of a pass, measured).
template <class T, class I>
class SparseRows {
   public:
    static constexpr bool feature_major = true;
    const T* values;
    const int64_t n, d;

    explicit SparseRows(const RowsView& v)
        : values(static_cast<const T*>(v.values)), n(v.n), d(v.d), columns_(static_cast<const I*>(v.columns)), starts_(v.starts),
          starts64_(v.starts64), stored_(v.d > 0 ? v.stored : 0),
          last_(Index(std::min<uint64_t>(uint64_t(std::max<int64_t>(v.d, 1)) - 1, std::numeric_limits<I>::max()))) {}

    ALWAYS_INLINE int64_t start(int64_t i) const {
        const int64_t p = starts64_ ? static_cast<const int64_t*>(starts_)[i] : static_cast<const int32_t*>(starts_)[i];
        if (__builtin_expect(uint64_t(p) > uint64_t(stored_), 0)) throw RowsChanged();
        return p;
    }
    ALWAYS_INLINE int64_t column(int64_t p) const {
        const I j = columns_[p];
        if (__builtin_expect(Index(j) > last_, 0)) throw RowsChanged();
        return int64_t(j);
    }
    int64_t width(int64_t i) const { return std::max<int64_t>(0, start(i + 1) - start(i)); }
    double mean_width() const { return n ? double(start(n) - start(0)) / double(n) : 0; }

    ALWAYS_INLINE void prefetch(int64_t i) const {
        const int64_t first = start(i), size = start(i + 1) - first;
        fetch_lines(values + first, size);
        fetch_lines(columns_ + first, size);
    }

    // Four lanes by place in the row, the last (nnz mod 4) in a lane of their own.
    double score(int64_t i, const double* w) const {
        V4 a{};
        double tail = 0;
        int64_t p = start(i);
        const int64_t end = start(i + 1);
        for (; p + 4 <= end; p += 4) a += load4(values + p) * V4{w[column(p)], w[column(p + 1)], w[column(p + 2)], w[column(p + 3)]};
        for (; p < end; ++p) tail += double(values[p]) * w[column(p)];
        return ((a[0] + a[1]) + (a[2] + a[3])) + tail;
    }

    void scores(int64_t i, const double* w, const Layout& at, double* s) const {
        if (at.outputs == 1) {
            s[0] = score(i, w);
            return;
        }
        // The padding makes whole vectors of outputs, two at a time where there are two left; each output still sums in
        // the lanes of `score`.
        int64_t k = 0;
        for (; k + 8 <= at.stride; k += 8) some_scores<2>(i, w + k, at, s + k, at.outputs - k);
        if (k < at.stride) some_scores<1>(i, w + k, at, s + k, at.outputs - k);
    }

    template <int vectors>
    ALWAYS_INLINE void some_scores(int64_t i, const double* w, const Layout& at, double* s, int64_t left) const {
        V4 a[4][vectors] = {}, tail[vectors] = {};
        int64_t p = start(i);
        const int64_t end = start(i + 1);
        for (; p + 4 <= end; p += 4)
            for (int lane = 0; lane < 4; ++lane) {
                const V4 x = splat(double(values[p + lane]));
                const double* from = w + column(p + lane) * at.stride;
                for (int v = 0; v < vectors; ++v) a[lane][v] += x * load4(from + 4 * v);
            }
        for (; p < end; ++p)
            for (int v = 0; v < vectors; ++v) tail[v] += splat(double(values[p])) * load4(w + column(p) * at.stride + 4 * v);
        for (int v = 0; v < vectors; ++v) {
            const V4 total = ((a[0][v] + a[1][v]) + (a[2][v] + a[3][v])) + tail[v];
            for (int64_t o = 0; o < 4 && 4 * v + o < left; ++o) s[4 * v + o] = total[o];
        }
    }

    // Ask for the weights that a row is going to be multiplied with.
    ALWAYS_INLINE void prefetch_weights(int64_t i, const double* w, const Layout& at) const {
        const int64_t end = start(i + 1), stride = at.stride;
        for (int64_t p = start(i); p < end; ++p) {
            const double* first = w + column(p) * stride;
            __builtin_prefetch(first);
            for (int64_t k = 8; k < stride; k += 8) __builtin_prefetch(first + k);
        }
    }

    void add(int64_t i, double a, double* w, const Layout& at, int64_t k) const {
        const int64_t end = start(i + 1);
        for (int64_t p = start(i); p < end; ++p) w[column(p) * at.stride + k] += a * double(values[p]);
    }

    // w += a·x and v += c·x, reading the row once.
    void add2(int64_t i, double a, double* w, double c, double* v, const Layout& at, int64_t k) const {
        const int64_t end = start(i + 1);
        for (int64_t p = start(i); p < end; ++p) {
            const int64_t to = column(p) * at.stride + k;
            w[to] += a * double(values[p]);
            v[to] += c * double(values[p]);
        }
    }

    template <bool squares, int step>
    void bet(int64_t i, double a, const Purses& p, const Layout& at, int64_t k) const {
        const int64_t end = start(i + 1), stride = at.stride;
        int64_t q = start(i);
        for (; q + 4 <= end; q += 4)
            tell4<squares>(p, {column(q) * stride + k, column(q + 1) * stride + k, column(q + 2) * stride + k, column(q + 3) * stride + k},
                           splat(a) * load4(values + q));
        for (; q < end; ++q) tell<squares, step>(p, column(q) * stride + k, a * double(values[q]));
    }

    void make_room(int64_t i, int64_t times, Touched& t) const {
        if (!t.everything) make_room_in(t.features, size_t(times * width(i)));
    }

    void touch(int64_t i, Touched& t) const {
        if (t.everything) return;
        const int64_t end = start(i + 1);
        for (int64_t p = start(i); p < end; ++p) t.features.push_back(column(p));
        if (int64_t(t.features.size()) > d) t.everything = true;
    }

    double norm2(int64_t i) const {
        const int64_t p = start(i);
        return dot(values + p, values + p, start(i + 1) - p);
    }

    template <class F>
    void each_entry(int64_t i, F&& f) const {
        const int64_t end = start(i + 1);
        for (int64_t p = start(i); p < end; ++p) f(column(p), double(values[p]));
    }

    double largest(int64_t i) const {
        double big = 0;
        each_entry(i, [&](int64_t, double v) { big = std::max(big, std::fabs(v)); });
        return big;
    }

    bool within(int64_t i, double least, double most) const {
        const int64_t p = start(i);
        return all_within(values + p, start(i + 1) - p, least, most);
    }

    int64_t first_nonfinite(int64_t i) const {
        const int64_t end = start(i + 1);
        for (int64_t p = start(i); p < end; ++p)
            if (!std::isfinite(values[p])) return column(p);
        return -1;
    }

   private:
    using Index = std::make_unsigned_t<I>;  // a negative index is a large one

    const I* columns_;
    const void* starts_;  // indptr, of either width: read once a row, so a branch costs nothing
    bool starts64_;
    int64_t stored_;      // entries there are
    Index last_;          // column
};

// Runs `f` on the typed rows behind an untyped view.
template <class F>
auto with_rows(const RowsView& v, F&& f) {
    const auto sparse = [&](auto value, auto column) { return f(SparseRows<decltype(value), decltype(column)>(v)); };
    if (!v.sparse) {
        if (v.float32) return f(DenseRows<float>{static_cast<const float*>(v.values), v.n, v.d});
        return f(DenseRows<double>{static_cast<const double*>(v.values), v.n, v.d});
    }
    if (v.float32) return v.columns64 ? sparse(float{}, int64_t{}) : sparse(float{}, int32_t{});
    return v.columns64 ? sparse(double{}, int64_t{}) : sparse(double{}, int32_t{});
}

#undef ALWAYS_INLINE
