// Sums in fixed virtual lanes: the arithmetic under every row, compiled once per instruction set.
//
// A sum of floats depends on its order, so the order is written down: element j of a vector goes to lane j mod 16,
// the last d mod 4 elements to a lane of their own, and the lanes are added in one fixed tree. SSE2, AVX2 and NEON
// run the same lanes at different widths, and without contraction (-ffp-contract=off) they give the same bits.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

typedef double V4 __attribute__((vector_size(32)));
typedef float F4 __attribute__((vector_size(16)));

inline V4 load4(const double* p) {
    V4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline V4 load4(const float* p) {
    F4 v;
    std::memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, V4);
}

inline V4 splat(double a) { return V4{a, a, a, a}; }

// Sixteen lanes and the odd tail of one sum.
struct Lanes {
    V4 a0{}, a1{}, a2{}, a3{};
    double tail = 0;

    double sum() const {
        const V4 s = (a0 + a1) + (a2 + a3);
        return ((s[0] + s[2]) + (s[1] + s[3])) + tail;
    }
};

// x · w of two dense vectors.
template <class T, class U>
inline double dot(const T* x, const U* w, int64_t d) {
    Lanes l;
    int64_t j = 0;
    for (; j + 16 <= d; j += 16) {
        l.a0 += load4(x + j) * load4(w + j);
        l.a1 += load4(x + j + 4) * load4(w + j + 4);
        l.a2 += load4(x + j + 8) * load4(w + j + 8);
        l.a3 += load4(x + j + 12) * load4(w + j + 12);
    }
    if (j + 4 <= d) {
        l.a0 += load4(x + j) * load4(w + j);
        j += 4;
    }
    if (j + 4 <= d) {
        l.a1 += load4(x + j) * load4(w + j);
        j += 4;
    }
    if (j + 4 <= d) {
        l.a2 += load4(x + j) * load4(w + j);
        j += 4;
    }
    for (; j < d; ++j) l.tail += double(x[j]) * double(w[j]);
    return l.sum();
}

// Two outputs at once, so that x is loaded once: the same bits as two calls of `dot`.
template <class T>
inline void dot2(const T* x, const double* w, const double* v, int64_t d, double* out) {
    Lanes l, r;
    int64_t j = 0;
    for (; j + 16 <= d; j += 16) {
        const V4 x0 = load4(x + j), x1 = load4(x + j + 4), x2 = load4(x + j + 8), x3 = load4(x + j + 12);
        l.a0 += x0 * load4(w + j);
        l.a1 += x1 * load4(w + j + 4);
        l.a2 += x2 * load4(w + j + 8);
        l.a3 += x3 * load4(w + j + 12);
        r.a0 += x0 * load4(v + j);
        r.a1 += x1 * load4(v + j + 4);
        r.a2 += x2 * load4(v + j + 8);
        r.a3 += x3 * load4(v + j + 12);
    }
    if (j + 4 <= d) {
        const V4 x0 = load4(x + j);
        l.a0 += x0 * load4(w + j);
        r.a0 += x0 * load4(v + j);
        j += 4;
    }
    if (j + 4 <= d) {
        const V4 x1 = load4(x + j);
        l.a1 += x1 * load4(w + j);
        r.a1 += x1 * load4(v + j);
        j += 4;
    }
    if (j + 4 <= d) {
        const V4 x2 = load4(x + j);
        l.a2 += x2 * load4(w + j);
        r.a2 += x2 * load4(v + j);
        j += 4;
    }
    for (; j < d; ++j) {
        l.tail += double(x[j]) * w[j];
        r.tail += double(x[j]) * v[j];
    }
    out[0] = l.sum();
    out[1] = r.sum();
}

// w += a·x; elementwise, so no order to fix.
template <class T>
inline void axpy(double a, const T* __restrict x, double* __restrict w, int64_t d) {
    const V4 av = splat(a);
    int64_t j = 0;
    for (; j + 4 <= d; j += 4) {
        const V4 v = load4(w + j) + av * load4(x + j);
        std::memcpy(w + j, &v, sizeof v);
    }
    for (; j < d; ++j) w[j] += a * double(x[j]);
}
