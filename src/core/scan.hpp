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
                lower(bad, i);
                return;
            }
    });
    return bad.load() == std::numeric_limits<int64_t>::max() ? -1 : bad.load();
}

// scores[i·K + k] = w_k·x_i + b_k, of every row. The first row with a score that is not finite, or -1.
inline int64_t scores(const RowsView& view, const Vector& v, const Layout& at, double* out, int threads) {
    std::atomic<int64_t> bad{std::numeric_limits<int64_t>::max()};
    with_rows(view, [&](const auto& rows) {
        return each_row(rows, threads, [&](int64_t i) {
            double* s = out + i * at.outputs;
            rows.scores(i, v.w.data(), at, s);
            bool finite = true;
            for (int64_t k = 0; k < at.outputs; ++k) {
                s[k] += v.b[size_t(k)];
                finite &= std::isfinite(s[k]);
            }
            if (!finite) lower(bad, i);
            return true;
        });
    });
    return bad.load() == std::numeric_limits<int64_t>::max() ? -1 : bad.load();
}

// The scores of a few rows under a learner's present weights, or under their average: only the weights of the rows' own
// features are read, however many there are.
inline void scores_now(const RowsView& view, const Learner& learner, bool averaged, double* out) {
    const Layout& at = learner.layout;
    std::vector<double> u(size_t(at.outputs), 0.0);
    with_rows(view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; ++i) {
            double* s = out + i * at.outputs;
            rows.scores(i, learner.weights.w.data(), at, s);
            for (int64_t k = 0; k < at.outputs; ++k) s[k] += learner.weights.b[size_t(k)];
            if (!averaged) continue;
            rows.scores(i, learner.average.w.data(), at, u.data());
            for (int64_t k = 0; k < at.outputs; ++k) s[k] = learner.mean(s[k], u[size_t(k)] + learner.average.b[size_t(k)]);
        }
        return 0;
    });
}

// f(tally, row, scores) of every row, the tallies joined: each thread has one of its own, and `join` must give the same in
// any order.
template <class Rows, class Tally, class F, class Join>
void tally_rows(const Rows& rows, const Vector& v, const Layout& at, int threads, const Tally& empty, F&& f, Join&& join) {
    constexpr int64_t piece = 512;
    std::atomic<int64_t> next{0};
    std::mutex lock;
    Team team(int(std::min<int64_t>(threads, (rows.n + 8 * piece - 1) / (8 * piece))));
    team.run([&](int) {
        std::vector<double> s(size_t(at.outputs), 0.0);
        Tally mine = empty;
        for (int64_t lo = next.fetch_add(piece); lo < rows.n; lo = next.fetch_add(piece))
            for (int64_t i = lo; i < std::min(rows.n, lo + piece); ++i) {
                rows.scores(i, v.w.data(), at, s.data());
                for (int64_t k = 0; k < at.outputs; ++k) s[size_t(k)] += v.b[size_t(k)];
                f(mine, i, s.data());
            }
        const std::lock_guard<std::mutex> hold(lock);
        join(mine);
    });
}

// See survey.hpp.
inline Survey survey(const TakenRows& taken, const WholeWeights& weight, const Vector& v, const Layout& at, bool joint, bool measure, int threads) {
    const double inf = std::numeric_limits<double>::infinity();
    const Survey empty = {std::vector<double>(joint ? 1 : size_t(at.outputs), inf), 0, 0};
    Survey all = empty;
    with_rows(taken.view, [&](const auto& rows) {
        const auto tally = [&](Survey& mine, int64_t i, const double* s) {
            if (measure) mine.radius2 = std::max(mine.radius2, rows.norm2(i));
            const int64_t one = weight(i);
            if (at.outputs == 1) {
                const double sign = double(static_cast<const int8_t*>(taken.labels)[i]);
                mine.least[0] = std::min(mine.least[0], sign * s[0]);
                mine.errors += (s[0] > 0) != (sign > 0) ? one : 0;
                return;
            }
            const int64_t own = checked_label(static_cast<const int32_t*>(taken.labels)[i], at.outputs);
            int64_t found = 0;
            double rival = -inf;
            for (int64_t k = 0; k < at.outputs; ++k) {
                if (s[k] > s[found]) found = k;
                if (k != own) rival = std::max(rival, s[k]);
                if (!joint) mine.least[size_t(k)] = std::min(mine.least[size_t(k)], k == own ? s[k] : -s[k]);
            }
            if (joint) mine.least[0] = std::min(mine.least[0], s[own] - rival);
            mine.errors += found != own ? one : 0;
        };
        tally_rows(rows, v, at, threads, empty, tally, [&](const Survey& mine) { all.join(mine); });
        return 0;
    });
    return all;
}

// Of each row whether these weights predict its label: of two classes the positive one where the score is > 0, of more the
// first with the largest.
inline void right(const TakenRows& taken, const Vector& v, const Layout& at, bool* out) {
    std::vector<double> s(size_t(at.outputs), 0.0);
    with_rows(taken.view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; ++i) {
            rows.scores(i, v.w.data(), at, s.data());
            for (size_t k = 0; k < s.size(); ++k) s[k] += v.b[k];
            if (at.outputs == 1) out[i] = (s[0] > 0) == (static_cast<const int8_t*>(taken.labels)[i] > 0);
            else out[i] = std::max_element(s.begin(), s.end()) - s.begin() == static_cast<const int32_t*>(taken.labels)[i];
        }
        return 0;
    });
}

// The rows with m <= 0 under each of an output's candidates for the pocket, each counted as often as its weight says. One
// pass over the rows serves them all: what costs is to read the rows, not to multiply them.
inline std::vector<int64_t> mistakes(const TakenRows& taken, const WholeWeights& weight, const Learner& learner, int64_t output, int threads) {
    const std::vector<Vector>& candidates = learner.candidates[size_t(output)];
    const int64_t each = learner.hyperplanes_per_output(), outputs = each * int64_t(candidates.size()), d = taken.view.d;
    const Layout at = layout_of(taken.view, outputs);
    Vector all;
    all.zero(at);
    for (int64_t k = 0; k < outputs; ++k) {
        const Vector& v = candidates[size_t(k / each)];
        for (int64_t j = 0; j < d; ++j) all.w[size_t(at.at(j, k))] = v.w[size_t(k % each * d + j)];
        all.b[size_t(k)] = v.b[size_t(k % each)];
    }
    const std::vector<int64_t> none(candidates.size(), 0);
    std::vector<int64_t> total = none;
    with_rows(taken.view, [&](const auto& rows) {
        const auto tally = [&](std::vector<int64_t>& mine, int64_t i, const double* s) {
            const int64_t one = weight(i);
            if (learner.decision == Decision::direct) {
                const int64_t own = checked_label(static_cast<const int32_t*>(taken.labels)[i], each);
                for (size_t c = 0; c < candidates.size(); ++c) {
                    const double* t = s + int64_t(c) * each;
                    double rival = -std::numeric_limits<double>::infinity();
                    for (int64_t k = 0; k < each; ++k)
                        if (k != own) rival = std::max(rival, t[k]);
                    mine[c] += !(t[own] > rival) ? one : 0;
                }
                return;
            }
            const bool positive = learner.decision == Decision::binary ? static_cast<const int8_t*>(taken.labels)[i] > 0
                                                                       : static_cast<const int32_t*>(taken.labels)[i] == output;
            for (size_t c = 0; c < candidates.size(); ++c) mine[c] += (positive ? !(s[c] > 0) : !(s[c] < 0)) ? one : 0;
        };
        tally_rows(rows, all, at, threads, none, tally, [&](const std::vector<int64_t>& mine) {
            for (size_t c = 0; c < mine.size(); ++c) total[c] += mine[c];
        });
        return 0;
    });
    return total;
}

// R² = max ||x_i||², and the first row where ||x_i||² is not finite, or -1.
inline std::pair<double, int64_t> radius2(const RowsView& view, int threads) {
    if (view.n == 0) return {0.0, -1};
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

// ||x_i||² of every row; of one whose square vanishes, though it is not zero, the least double.
inline void squares(const RowsView& view, double* out, int threads) {
    with_rows(view, [&](const auto& rows) {
        return each_row(rows, threads, [&](int64_t i) {
            out[i] = rows.norm2(i);
            if (out[i] == 0 && rows.largest(i) > 0) out[i] = std::numeric_limits<double>::denorm_min();
            return true;
        });
    });
}

// largest[j] = max |weight·x_j| of the rows and of what it is already.
inline void raise_largest(const TakenRows& taken, double* largest) {
    with_rows(taken.view, [&](const auto& rows) {
        for (int64_t i = 0; i < rows.n; ++i) {
            const double a = taken.weight ? taken.weight[i] : 1.0;
            rows.each_entry(i, [&](int64_t j, double x) {
                const double size = std::fabs(a * x);
                largest[j] = size > largest[j] ? size : largest[j];
            });
        }
        return 0;
    });
}

inline int64_t first_nonfinite(const RowsView& view, int64_t row) {
    return with_rows(view, [&](const auto& rows) { return rows.first_nonfinite(row); });
}

// The entries of rows into a digest: of all, or of some of the numbers that `every` divides.
inline void add_rows(const TakenRows& taken, bool all, Digest& digest) {
    const int64_t every = digest.every(all);
    with_rows(taken.view, [&](const auto& rows) {
        // In a view the next row wanted is known; gathered rows are wanted or not one by one.
        const int64_t first = taken.numbers ? 0 : (every - taken.first_row % every) % every;
        for (int64_t i = first; i < rows.n; i += taken.numbers ? 1 : every)
            if (taken.number(i) % every == 0) rows.each_entry(i, [&](int64_t j, double v) { digest.entry(j, v); });
        return 0;
    });
}
