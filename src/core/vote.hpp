// The weighted vote of all the weight vectors of a run, without any of them (Freund and Schapire 1999).
//
// The m-th weight vector is the start plus the first m updates, w_m = w_0 + Σ_{j<=m} a_j·x_j, so its score on a row z is
// a running sum of a_j·(x_j·z). Given the products x_j·z of the mistaken rows with some rows z, one pass over the log
// gives every score of every weight vector, and a vote weighs its sign (0 at 0) by how long it lived.
//
// Sixteen rows z make a tile: their running scores and votes stay in registers along the whole log.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// products[m·stride + i] = x_m·z_i for the sixteen rows of a tile. `score` (K × 16) begins with the start's scores and
// is used up; `votes` (K × 16) is the result. With `direct` the K outputs move together and each weight vector votes for
// one class, the first of the largest.
class Tile {
   public:
    Tile(const Ballots& log, int64_t outputs, bool direct, double rho2) : log_(log), outputs_(outputs), direct_(direct), rho2_(rho2) {}

    void count(const double* products, int64_t stride, double* score, double* votes) const {
        std::fill_n(votes, outputs_ * kTile, 0.0);
        if (direct_) {
            largest(score, votes, log_.first[0]);
            for (int64_t j = 0; j < log_.size; ++j) {
                Sixteen s(score + log_.output[j] * kTile);
                s.add(log_.step[j], products + log_.which[j] * stride, rho2_);
                s.store(score + log_.output[j] * kTile);
                if (log_.count[j] > 0) largest(score, votes, log_.count[j]);
            }
            return;
        }
        // The updates of an output lie together.
        for (int64_t k = 0, j = 0; k < outputs_; ++k) {
            Sixteen s(score + k * kTile), v(votes + k * kTile);
            v.add_sign(log_.first[k], s);
            for (; j < log_.size && log_.output[j] == k; ++j) {
                s.add(log_.step[j], products + log_.which[j] * stride, rho2_);
                v.add_sign(log_.count[j], s);
            }
            v.store(votes + k * kTile);
        }
    }

   private:
    struct Sixteen {
        V4 a, b, c, d;
        explicit Sixteen(const double* p) : a(load4(p)), b(load4(p + 4)), c(load4(p + 8)), d(load4(p + 12)) {}

        void add(double step, const double* g, double rho2) {
            const V4 t = splat(step), r = splat(rho2);
            a += t * (load4(g) + r);
            b += t * (load4(g + 4) + r);
            c += t * (load4(g + 8) + r);
            d += t * (load4(g + 12) + r);
        }
        void add_sign(double count, const Sixteen& s) {
            const V4 n = splat(count), zero{};
            const auto sign = [&](const V4& x) { return (x > zero ? n : zero) - (x < zero ? n : zero); };
            a += sign(s.a);
            b += sign(s.b);
            c += sign(s.c);
            d += sign(s.d);
        }
        void store(double* p) const {
            for (const V4* part : {&a, &b, &c, &d}) {
                std::memcpy(p, part, sizeof *part);
                p += 4;
            }
        }
    };

    void largest(const double* score, double* votes, double count) const {
        double top[kTile];
        int64_t who[kTile] = {};
        std::copy_n(score, kTile, top);
        for (int64_t k = 1; k < outputs_; ++k)
            for (int64_t i = 0; i < kTile; ++i)
                if (score[k * kTile + i] > top[i]) {
                    top[i] = score[k * kTile + i];
                    who[i] = k;
                }
        for (int64_t i = 0; i < kTile; ++i) votes[who[i] * kTile + i] += count;
    }

    const Ballots& log_;
    const int64_t outputs_;
    const bool direct_;
    const double rho2_;
};

// The products of sparse mistaken rows with the sixteen (or fewer) rows z from `first` on. The features that occur in any
// z are numbered as met and their values laid side by side, so that one entry of a mistaken row serves the whole tile.
template <class Rows>
void multiply(const SparseRows<double, int64_t>& mistaken, const Rows& z, int64_t first, std::vector<int32_t>& number, std::vector<double>& table,
              double* products) {
    int32_t features = 0;
    std::vector<std::pair<int32_t, double>> shared;
    const int64_t last = std::min(z.n, first + kTile);
    table.clear();
    for (int64_t i = first; i < last; ++i)
        z.each_entry(i, [&](int64_t j, double v) {
            if (number[size_t(j)] < 0) {
                number[size_t(j)] = features++;
                table.resize(size_t(features) * kTile, 0.0);
            }
            table[size_t(number[size_t(j)]) * kTile + size_t(i - first)] = v;
        });
    for (int64_t m = 0; m < mistaken.n; ++m) {
        // First the entries that any z shares, gathered without a branch (half of them do, at random), then their sums.
        if (shared.size() < size_t(mistaken.width(m))) shared.resize(size_t(mistaken.width(m)));
        size_t hits = 0;
        mistaken.each_entry(m, [&](int64_t j, double u) {
            shared[hits] = {number[size_t(j)], u};
            hits += number[size_t(j)] >= 0;
        });
        V4 a{}, b{}, c{}, d{};
        for (size_t h = 0; h < hits; ++h) {
            const double* t = table.data() + size_t(shared[h].first) * kTile;
            const V4 v = splat(shared[h].second);
            a += v * load4(t);
            b += v * load4(t + 4);
            c += v * load4(t + 8);
            d += v * load4(t + 12);
        }
        double* to = products + m * kTile;
        for (const V4* part : {&a, &b, &c, &d}) {
            std::memcpy(to, part, sizeof *part);
            to += 4;
        }
    }
    for (int64_t i = first; i < last; ++i) z.each_entry(i, [&](int64_t j, double) { number[size_t(j)] = -1; });
}

// Rows z that are sparse, as the mistaken ones are (float64, 64-bit columns). `score` and `votes`: tiles of K × 16.
inline void vote_sparse(const RowsView& rows, const RowsView& view, const Ballots& log, int64_t outputs, bool direct, double rho2, double* score,
                        double* votes, int threads) {
    const SparseRows<double, int64_t> mistaken{static_cast<const double*>(rows.values), static_cast<const int64_t*>(rows.columns), rows.starts,
                                               rows.starts64, rows.n, rows.d};
    const Tile tile(log, outputs, direct, rho2);
    with_rows(view, [&](const auto& z) {
        const int64_t tiles = (z.n + kTile - 1) / kTile;
        std::atomic<int64_t> next{0};
        Team team(int(std::min<int64_t>(threads, tiles)));
        team.run([&](int) {
            std::vector<int32_t> number(size_t(z.d), -1);
            std::vector<double> table, products(size_t(mistaken.n * kTile));
            for (int64_t t = next++; t < tiles; t = next++) {
                multiply(mistaken, z, t * kTile, number, table, products.data());
                tile.count(products.data(), kTile, score + t * outputs * kTile, votes + t * outputs * kTile);
            }
        });
        return 0;
    });
}

// Any rows z, from a block of products, M × (tiles·16).
inline void vote_dense(const double* products, int64_t tiles, const Ballots& log, int64_t outputs, bool direct, double rho2, double* score,
                       double* votes, int threads) {
    const Tile tile(log, outputs, direct, rho2);
    std::atomic<int64_t> next{0};
    Team team(int(std::min<int64_t>(threads, tiles)));
    team.run([&](int) {
        for (int64_t t = next++; t < tiles; t = next++)
            tile.count(products + t * kTile, tiles * kTile, score + t * outputs * kTile, votes + t * outputs * kTile);
    });
}
