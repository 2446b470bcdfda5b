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

// The rows with m <= 0 under the present weights of one course; gives up once there are `limit` of them.
inline int64_t mistakes(const RowsView& view, const void* labels, const Learner& learner, int64_t course, int64_t limit, int threads) {
    const Vector& v = learner.weights;
    const Layout& at = learner.layout;
    const int64_t first = learner.decision == Decision::ovr ? course : 0, last = learner.decision == Decision::ovr ? course + 1 : at.outputs;
    // The outputs of the course alone, side by side as a row reads them.
    const Layout own{at.features, last - first, view.sparse && last - first > 1 ? at.stride : 1, view.sparse};
    Vector copy;
    bool zero = true;
    if (own.outputs != at.outputs) {
        copy.zero(own);
        for (int64_t j = 0; j < at.features; ++j) copy.w[size_t(j)] = v.w[size_t(at.at(j, first))];
    }
    const double* w = copy.empty() ? v.w.data() : copy.w.data();
    for (int64_t e = 0; e < own.size() && zero; ++e) zero = w[e] == 0;
    for (int64_t k = first; k < last; ++k) zero &= v.b[size_t(k)] == 0;
    if (zero) return view.n;
    return with_rows(view, [&](const auto& rows) {
        constexpr int64_t piece = 512;  // rows between two looks at what the others have found
        std::atomic<int64_t> next{0}, found{0};
        const auto count = [&](auto wrong) {
            Team team(int(std::min<int64_t>(threads, (rows.n + 8 * piece - 1) / (8 * piece))));
            team.run([&](int) {
                std::vector<double> s(size_t(own.outputs));
                for (int64_t lo = next.fetch_add(piece); lo < rows.n && found.load(std::memory_order_relaxed) < limit; lo = next.fetch_add(piece)) {
                    int64_t mine = 0;
                    for (int64_t i = lo; i < std::min(rows.n, lo + piece); ++i) mine += wrong(i, s.data());
                    found += mine;
                }
            });
            return found.load();
        };
        const double b = v.b[size_t(first)];
        if (learner.decision == Decision::binary) {
            const int8_t* y = static_cast<const int8_t*>(labels);
            return count([&](int64_t i, double*) { return !((rows.score(i, w) + b) * double(y[i]) > 0); });
        }
        const int32_t* y = static_cast<const int32_t*>(labels);
        if (learner.decision == Decision::ovr)
            return count([&](int64_t i, double*) {
                const double score = rows.score(i, w) + b;
                return !((y[i] == course ? score : -score) > 0);
            });
        return count([&](int64_t i, double* s) {
            rows.scores(i, w, own, s);
            double rival = -std::numeric_limits<double>::infinity();
            for (int64_t k = 0; k < own.outputs; ++k) {
                s[k] += v.b[size_t(k)];
                if (k != y[i]) rival = std::max(rival, s[k]);
            }
            return !(s[y[i]] > rival);
        });
    });
}

// R² = max ||x_i||², and the first row where ||x_i||² is not finite, or -1.
inline std::pair<double, int64_t> radius2(const RowsView& view, int threads) {
    return with_rows(view, [&](const auto& rows) {
        std::vector<double> largest(size_t((rows.n + kChunk - 1) / kChunk), 0.0);  // a chunk has one thread
        const int64_t bad = each_row(rows, threads, [&](int64_t i) {
            double norm2 = rows.norm2(i);
            // A row whose square vanishes is short, but it is not zero.
            if (norm2 == 0 && rows.largest(i) > 0) norm2 = std::numeric_limits<double>::denorm_min();
            double& most = largest[size_t(i / kChunk)];
            most = std::max(most, norm2);
            return std::isfinite(norm2);
        });
        return std::pair<double, int64_t>(*std::max_element(largest.begin(), largest.end()), bad);
    });
}

inline int64_t first_nonfinite(const RowsView& view, int64_t row) {
    return with_rows(view, [&](const auto& rows) { return rows.first_nonfinite(row); });
}

// A digest of the data: their shape, every label and weight, and the numbers of some rows, evenly spread. Cheap, and
// enough to tell data apart that were not made to deceive.
inline uint64_t digest(const RowsView& view, const void* y, size_t label_size, const double* weight) {
    uint64_t sum = 0xcbf29ce484222325ULL;
    const auto take = [&](const void* p, size_t bytes) {
        const char* at = static_cast<const char*>(p);
        for (; bytes >= 8; at += 8, bytes -= 8) {
            uint64_t word;
            std::memcpy(&word, at, 8);
            sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
            sum ^= sum >> 29;
        }
        for (; bytes > 0; ++at, --bytes) sum = (sum ^ uint64_t(uint8_t(*at))) * 0x100000001b3ULL;
    };
    take(&view.n, sizeof view.n);
    take(&view.d, sizeof view.d);
    take(y, size_t(view.n) * label_size);
    if (weight) take(weight, size_t(view.n) * sizeof *weight);
    with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; i += std::max<int64_t>(1, rows.n / 256)) rows.each_entry(i, [&](int64_t j, double v) {
            if (v == 0) return;
            take(&j, sizeof j);
            take(&v, sizeof v);
        });
    });
    return sum;
}
