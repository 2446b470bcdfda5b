// The weighted vote of all the weight vectors of a run, without any of them (Freund and Schapire 1999).
//
// The m-th weight vector is the start plus the first m updates, w_m = w_0 + Σ_{j<=m} a_j·x_j, so its score on a row z is
// a running sum of a_j·(x_j·z). Given the products x_j·z of the mistaken rows with some rows z, one pass over the log
// gives every score of every weight vector, and a vote weighs its sign (0 at 0) by how long it lived.
//
// Sixteen rows z make a tile: their running scores and votes stay in registers along the whole log.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// One number for each row of a tile, in registers.
struct Sixteen {
    V4 a{}, b{}, c{}, d{};
    Sixteen() = default;
    explicit Sixteen(const double* p) : a(load4(p)), b(load4(p + 4)), c(load4(p + 8)), d(load4(p + 12)) {}

    void add(double u, const double* t) {
        const V4 v = splat(u);
        a += v * load4(t);
        b += v * load4(t + 4);
        c += v * load4(t + 8);
        d += v * load4(t + 12);
    }
    void add_sign(double count, const Sixteen& s) {
        const V4 n = splat(count), zero{};
        const auto sign = [&](const V4& x) { return (x > zero ? n : zero) - (x < zero ? n : zero); };
        a += sign(s.a);
        b += sign(s.b);
        c += sign(s.c);
        d += sign(s.d);
    }
    void store(double* to, double plus = 0) const {
        for (const V4* part : {&a, &b, &c, &d}) {
            const V4 sum = *part + splat(plus);
            std::memcpy(to, &sum, sizeof sum);
            to += 4;
        }
    }
};

// products[m·16 + i] = x_m'·z_i' for the sixteen rows of a tile. `score` (K × 16) begins with the start's scores and
// is used up; `votes` (K × 16) is the result. With `direct` the K outputs move together and each weight vector votes for
// the class with the largest score, and on a tie, as at 0, for none.
class Tile {
   public:
    explicit Tile(const Ballots& log) : log_(log), outputs_(log.outputs), direct_(log.direct) {}

    void count(const double* products, double* score, double* votes) const {
        std::fill_n(votes, outputs_ * kTile, 0.0);
        if (direct_) {
            largest(score, votes, log_.first[0]);
            for (int64_t j = 0; j < log_.size; ++j) {
                Sixteen s(score + log_.output[j] * kTile);
                s.add(log_.step[j], products + log_.which[j] * kTile);
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
                constexpr int64_t far = 8;  // updates between asking for products and adding them
                if (j + far < log_.size)
                    for (int64_t line = 0; line < kTile; line += 8) __builtin_prefetch(products + log_.which[j + far] * kTile + line);
                s.add(log_.step[j], products + log_.which[j] * kTile);
                v.add_sign(log_.count[j], s);
            }
            v.store(votes + k * kTile);
        }
    }

   private:
    void largest(const double* score, double* votes, double count) const {
        double top[kTile];
        int64_t who[kTile] = {};
        std::copy_n(score, kTile, top);
        for (int64_t k = 1; k < outputs_; ++k)
            for (int64_t i = 0; i < kTile; ++i) {
                const double s = score[k * kTile + i];
                who[i] = s > top[i] ? k : s == top[i] ? -1 : who[i];
                top[i] = std::max(top[i], s);
            }
        for (int64_t i = 0; i < kTile; ++i)
            if (who[i] >= 0) votes[who[i] * kTile + i] += count;
    }

    const Ballots& log_;
    const int64_t outputs_;
    const bool direct_;
};

// The sixteen (or fewer) rows z of a tile, feature by feature, so that one entry of a mistaken row serves them all. Of
// dense rows every feature has its place; of sparse ones those that occur in any z are numbered as met.
template <class Rows>
class Block {
   public:
    explicit Block(const Rows& z) : z_(z), number_(Rows::feature_major ? size_t(z.d) : 0, -1) {}

    void take(int64_t first) {
        const int64_t last = std::min(z_.n, first + kTile);
        int32_t features = 0;
        table_.assign(Rows::feature_major ? 0 : size_t(z_.d * kTile), 0.0);
        for (int64_t i = first; i < last; ++i)
            z_.each_entry(i, [&](int64_t j, double v) {
                int64_t at = j;
                if constexpr (Rows::feature_major) {
                    if (number_[size_t(j)] < 0) {
                        numbered_.push_back(j);
                        number_[size_t(j)] = features++;
                        table_.resize(size_t(features) * kTile, 0.0);
                    }
                    at = number_[size_t(j)];
                }
                table_[size_t(at * kTile + i - first)] = v;
            });
    }

    void forget() {
        for (int64_t j : numbered_) number_[size_t(j)] = -1;
        numbered_.clear();
    }

    // Where the sixteen values of feature j are, or -1 where all are zero.
    int64_t place(int64_t j) const {
        if constexpr (Rows::feature_major) return number_[size_t(j)];
        else return j;
    }
    const double* at(int64_t place) const { return table_.data() + place * kTile; }

   private:
    const Rows& z_;
    std::vector<int32_t> number_;
    std::vector<int64_t> numbered_;  // those with a number
    std::vector<double> table_;
};

// products[m·16 + i] = x_m·z_i + rho², each summed feature after feature: the same bits for dense rows and sparse, for one row
// and many, on every machine.
template <class Mistaken, class Rows>
void multiply(const Mistaken& mistaken, const Block<Rows>& block, double rho2, double* products) {
    if constexpr (!Mistaken::feature_major && !Rows::feature_major) {
        int64_t m = 0;
        for (; m + 2 <= mistaken.n; m += 2) {  // two at a time, so that the block is loaded once for both
            Sixteen p, q;
            const double *x = mistaken.row(m), *y = mistaken.row(m + 1);
            for (int64_t j = 0; j < mistaken.d; ++j) {
                p.add(x[j], block.at(j));
                q.add(y[j], block.at(j));
            }
            p.store(products + m * kTile, rho2);
            q.store(products + (m + 1) * kTile, rho2);
        }
        if (m < mistaken.n) {
            Sixteen p;
            for (int64_t j = 0; j < mistaken.d; ++j) p.add(mistaken.row(m)[j], block.at(j));
            p.store(products + m * kTile, rho2);
        }
        return;
    }
    // First the entries that any z shares, gathered without a branch (some do, at random), then their sums.
    std::vector<std::pair<int64_t, double>> shared;
    for (int64_t m = 0; m < mistaken.n; ++m) {
        if (shared.size() < size_t(mistaken.width(m))) shared.resize(size_t(mistaken.width(m)));
        size_t hits = 0;
        mistaken.each_entry(m, [&](int64_t j, double u) {
            shared[hits] = {block.place(j), u};
            hits += shared[hits].first >= 0;
        });
        Sixteen p;
        for (size_t h = 0; h < hits; ++h) p.add(shared[h].second, block.at(shared[h].first));
        p.store(products + m * kTile, rho2);
    }
}

// `rows`: the distinct mistaken rows, float64 (and with 64-bit columns if sparse). `score` and `votes`: tiles of K × 16.
inline void vote(const RowsView& rows, const RowsView& view, const Ballots& log, double* score, double* votes, int threads) {
    const Tile tile(log);
    const int64_t outputs = log.outputs;
    const auto by = [&](const auto& mistaken) {
        with_rows(view, [&](const auto& z) {
            const int64_t tiles = (z.n + kTile - 1) / kTile;
            std::atomic<int64_t> next{0};
            Team team(int(std::min<int64_t>(threads, tiles)));
            team.run([&](int) {
                Block<std::decay_t<decltype(z)>> block(z);
                std::vector<double> products(size_t(mistaken.n * kTile));
                for (int64_t t = next++; t < tiles; t = next++) {
                    block.take(t * kTile);
                    multiply(mistaken, block, log.rho2, products.data());
                    block.forget();
                    tile.count(products.data(), score + t * outputs * kTile, votes + t * outputs * kTile);
                }
            });
            return 0;
        });
    };
    if (rows.sparse) by(SparseRows<double, int64_t>(rows));
    else by(DenseRows<double>{static_cast<const double*>(rows.values), rows.n, rows.d});
}
