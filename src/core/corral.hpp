// The hyperplane with the largest margin on a few rows, in floats: a dual active set method.
//
//     minimise ½‖w‖²             subject to  y_i·(w·x_i + b) ≥ 1     (a free offset), or
//     minimise ½(‖w‖² + (b/ρ)²)  subject to the same                 (an offset of scale ρ; ρ = 0: none)
//
// Goldfarb and Idnani ("A numerically stable dual method for solving strictly convex quadratic programs", Math. Prog.
// 27, 1983). The rows with a multiplier β > 0 are linearly independent and lie on the margin; the row that lies worst
// is taken in, and rows whose multiplier falls to 0 on the way are let go. ‖w‖ grows with every row taken in, so no set
// of rows comes back, and where no row lies wrongly the optimum is reached. If a row depends on those on the margin and
// none of them gives way, the multipliers are a witness that no hyperplane separates the rows (Gordan).
//
// (A corral is Wolfe's word, 1976, for rows like these: independent ones that hold the nearest point between them.)
//
// The normals are kept as Q and R (not as their Gram matrix, which would square their condition number). With a free
// offset b has no part in the length to be minimised; it is eliminated by a row s on the margin, b = y_s − w·x_s:
// the others then say y_i·w·(x_i − x_s) ≥ 1 − y_i·y_s.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

template <class Rows>
class ActiveSet {
   public:
    ActiveSet(const Rows& rows, const SignedRows& some, bool free, double rho)
        : rows_(rows), y_(some.y), which_(some.which), count_(some.count), free_(free), rho_(rho), width_(rows.d + (!free && rho > 0)),
          a_(size_t(width_)), h_(size_t(width_)) {
        w_.assign(size_t(width_), 0.0);
    }

    Corral run(const CorralOptions& options) {
        over_ = &options.over;
        try {
            return searched(options);
        } catch (const Stopped&) {
            return result("stopped");
        }
    }

   private:
    struct Stopped {};

    Corral searched(const CorralOptions& options) {
        if (!start(options.hint, options.hints)) return result("inseparable");
        double longest = 0;
        for (int64_t c = 0; c < count_; ++c) longest = std::max(longest, rows_.norm2(which_[c]));
        longest = std::sqrt(longest) + rho_;
        while (steps_ < options.most_steps) {
            // What rounding can do to a margin: rows nearer than that to it are taken to lie on it.
            const double slack = 1e-13 + 16 * std::numeric_limits<double>::epsilon() * length() * longest;
            const int64_t p = worst(slack);
            if (p < 0) return result("optimal");
            if (!take_in(p)) return result(blocked_ ? "inseparable" : "stalled");
            look();
        }
        return result("stopped");
    }

    void look() const {
        if ((*over_)()) throw Stopped{};
    }

    const Over* over_ = nullptr;
    const Rows& rows_;
    const int8_t* y_;
    const int64_t* which_;
    const int64_t count_;
    const bool free_;
    const double rho_;
    const int64_t width_;
    int64_t reference_ = -1, steps_ = 0;
    bool blocked_ = false;
    std::vector<int64_t> active_;          // but for the reference
    std::vector<double> u_;                // their multipliers
    double reference_u_ = 0, b_ = 0;
    std::vector<std::vector<double>> Q_;   // orthonormal, one for each active row
    std::vector<std::vector<double>> R_;   // column j has j + 1 entries: normal_j = Σ R_[j][i]·Q_[i]
    std::vector<double> w_, a_, h_, d_, r_;
    std::vector<int64_t> witness_;

    double length() const { return std::sqrt(dot(w_.data(), w_.data(), width_)); }

    void normal(int64_t i, std::vector<double>& a) const {
        std::fill(a.begin(), a.end(), 0.0);
        const double y = y_[i];
        rows_.each_entry(i, [&](int64_t j, double x) { a[size_t(j)] += y * x; });
        if (free_) rows_.each_entry(reference_, [&](int64_t j, double x) { a[size_t(j)] -= y * x; });
        else if (rho_ > 0) a[size_t(width_ - 1)] = y * rho_;
    }

    double side(int64_t i) const { return free_ ? 1.0 - double(y_[i]) * double(y_[reference_]) : 1.0; }

    // The row that lies worst; -1 if none lies wrongly by more than the slack.
    int64_t worst(double slack) const {
        int64_t p = -1;
        double least = 1 - slack;
        for (int64_t c = 0; c < count_; ++c) {
            const int64_t i = which_[c];
            const double m = double(y_[i]) * (rows_.score(i, w_.data()) + b_);
            if (m < least) {
                least = m;
                p = i;
            }
        }
        return p;
    }

    // d = Q·a, and h what Q leaves of a: orthogonalised twice, which is enough (Kahan, Parlett). ‖h‖².
    double split(const std::vector<double>& a) {
        h_ = a;
        d_.assign(Q_.size(), 0.0);
        for (int pass = 0; pass < 2; ++pass)
            for (size_t i = 0; i < Q_.size(); ++i) {
                const double c = dot(Q_[i].data(), h_.data(), width_);
                d_[i] += c;
                axpy(-c, Q_[i].data(), h_.data(), width_);
            }
        return dot(h_.data(), h_.data(), width_);
    }

    void append(int64_t i, double h2, double u) {
        const double size = std::sqrt(h2);
        for (double& v : h_) v /= size;
        Q_.push_back(h_);
        d_.push_back(size);
        R_.push_back(d_);
        active_.push_back(i);
        u_.push_back(u);
    }

    // Whether what is left of a normal is more than rounding.
    bool independent(double h2) const { return h2 > 1e-22 * dot(a_.data(), a_.data(), width_) && h2 > 1e-290; }

    // Column `out` leaves R; rotations make it triangular again.
    void let_go(size_t out) {
        active_.erase(active_.begin() + int64_t(out));
        u_.erase(u_.begin() + int64_t(out));
        R_.erase(R_.begin() + int64_t(out));
        for (size_t j = out; j < R_.size(); ++j) {
            const double p = R_[j][j], q = R_[j][j + 1], size = std::hypot(p, q);
            const double c = size > 0 ? p / size : 1, s = size > 0 ? q / size : 0;
            for (size_t k = j; k < R_.size(); ++k) {
                const double top = R_[k][j], low = R_[k][j + 1];
                R_[k][j] = c * top + s * low;
                R_[k][j + 1] = c * low - s * top;
            }
            double *top = Q_[j].data(), *low = Q_[j + 1].data();
            for (int64_t k = 0; k < width_; ++k) {
                const double t = top[k], l = low[k];
                top[k] = c * t + s * l;
                low[k] = c * l - s * t;
            }
            R_[j].resize(j + 1);
        }
        Q_.pop_back();
    }

    // All normals anew, as seen from another row.
    void refer_to(int64_t row, const std::vector<int64_t>& rest, const std::vector<double>& u) {
        reference_ = row;
        active_.clear();
        u_.clear();
        Q_.clear();
        R_.clear();
        for (size_t k = 0; k < rest.size(); ++k) {
            normal(rest[k], a_);
            const double h2 = split(a_);
            if (independent(h2)) append(rest[k], h2, u[k]);
            look();
        }
    }

    // w, b and the multipliers with every active row on the margin: u = R⁻¹·R⁻ᵀ·c, w = Qᵀ·R⁻ᵀ·c.
    void solve() {
        const size_t k = active_.size();
        std::vector<double> t(k);
        std::fill(w_.begin(), w_.end(), 0.0);
        for (size_t j = 0; j < k; ++j) {
            double v = side(active_[j]);
            for (size_t i = 0; i < j; ++i) v -= R_[j][i] * t[i];
            t[j] = v / R_[j][j];
            axpy(t[j], Q_[j].data(), w_.data(), width_);
        }
        back(t, u_);
        settle_offset();
    }

    // x = R⁻¹·t.
    void back(std::vector<double> t, std::vector<double>& x) const {
        x.assign(t.size(), 0.0);
        for (size_t j = t.size(); j-- > 0;) {
            x[j] = t[j] / R_[j][j];
            for (size_t i = 0; i < j; ++i) t[i] -= R_[j][i] * x[j];
        }
    }

    void settle_offset() {
        if (free_) {
            b_ = double(y_[reference_]) - rows_.score(reference_, w_.data());
            double balance = 0;
            for (size_t j = 0; j < active_.size(); ++j) balance += u_[j] * y_[active_[j]];
            reference_u_ = -balance * y_[reference_];
        } else {
            b_ = rho_ > 0 ? w_[size_t(width_ - 1)] * rho_ : 0.0;
        }
    }

    // The hinted rows, without those whose multiplier is not > 0; with a free offset, at least a row of each class.
    // False if two rows of different classes are one point.
    bool start(const int64_t* hint, int64_t hints) {
        std::vector<int64_t> rows(hint, hint + hints);
        bool paired = free_ && rows.empty();
        if (paired) rows = pair();
        while (!rows.empty()) {
            std::vector<int64_t> rest(rows.begin() + free_, rows.end());
            refer_to(free_ ? rows[0] : -1, rest, std::vector<double>(rest.size(), 0.0));
            solve();
            std::vector<int64_t> kept;
            bool fine = !free_ || reference_u_ > 0;
            if (fine && free_) kept.push_back(reference_);
            for (size_t j = 0; j < active_.size(); ++j) {
                if (u_[j] > 0) kept.push_back(active_[j]);
                else fine = false;
            }
            if (fine && (!free_ || !active_.empty())) return true;
            if (paired) {
                blocked_ = true;
                witness_ = rows;
                return false;
            }
            bool up = false, down = false;
            for (const int64_t i : kept) (y_[i] > 0 ? up : down) = true;
            paired = free_ && !(up && down);
            rows = paired ? pair() : kept;
        }
        return true;
    }

    // Two rows of different classes, near to each other as far as a few rounds of nearest rows tell.
    std::vector<int64_t> pair() {
        int64_t i = which_[0], j = -1;
        for (int round = 0; round < 3; ++round) {
            double nearest = std::numeric_limits<double>::infinity();
            std::vector<double> x(size_t(rows_.d), 0.0);
            rows_.each_entry(i, [&](int64_t k, double v) { x[size_t(k)] = v; });
            j = -1;
            for (int64_t c = 0; c < count_; ++c)
                if (y_[which_[c]] != y_[i]) {
                    const double distance = rows_.norm2(which_[c]) - 2 * rows_.score(which_[c], x.data());
                    if (distance < nearest || j < 0) {
                        nearest = distance;
                        j = which_[c];
                    }
                }
            std::swap(i, j);
        }
        return {i, j};
    }

    // Row p comes onto the margin. False if it cannot: it depends on the others and none gives way, or rounding is in the way.
    bool take_in(int64_t p) {
        if (p == reference_ || std::find(active_.begin(), active_.end(), p) != active_.end()) return false;
        double own = 0;
        while (true) {
            ++steps_;
            normal(p, a_);
            const double h2 = split(a_);
            back(d_, r_);
            double reference_r = 0;
            if (free_) {
                double balance = y_[p];
                for (size_t j = 0; j < active_.size(); ++j) balance -= r_[j] * y_[active_[j]];
                reference_r = balance * y_[reference_];
            }
            const bool moves = independent(h2);
            const double m = double(y_[p]) * (rows_.score(p, w_.data()) + b_);
            const double full = moves ? std::max(0.0, 1 - m) / h2 : std::numeric_limits<double>::infinity();
            double first = std::numeric_limits<double>::infinity();
            int64_t leaving = -2;
            for (size_t j = 0; j < active_.size(); ++j)
                if (r_[j] > 0 && u_[j] / r_[j] < first) {
                    first = std::max(0.0, u_[j] / r_[j]);
                    leaving = int64_t(j);
                }
            if (free_ && reference_r > 0 && reference_u_ / reference_r < first) {
                first = std::max(0.0, reference_u_ / reference_r);
                leaving = -1;
            }
            const double step = std::min(first, full);
            if (!std::isfinite(step)) {
                blocked_ = !moves && leaving == -2;
                if (free_ && reference_r < 0) witness_.push_back(reference_);
                for (size_t j = 0; j < active_.size(); ++j)
                    if (r_[j] < 0) witness_.push_back(active_[j]);
                witness_.push_back(p);
                return false;
            }
            own += step;
            for (size_t j = 0; j < active_.size(); ++j) u_[j] -= step * r_[j];
            reference_u_ -= step * reference_r;
            if (moves) {
                axpy(step, h_.data(), w_.data(), width_);
                if (free_) b_ = double(y_[reference_]) - rows_.score(reference_, w_.data());
                else b_ = rho_ > 0 ? w_[size_t(width_ - 1)] * rho_ : 0.0;
            }
            if (full <= first) {
                append(p, h2, own);
                solve();
                return true;
            }
            if (leaving >= 0) {
                let_go(size_t(leaving));
            } else {
                // The reference leaves: another row takes its place, the one with the largest multiplier.
                const size_t next = size_t(std::max_element(u_.begin(), u_.end()) - u_.begin());
                if (u_.empty()) return false;
                std::vector<int64_t> rest = active_;
                std::vector<double> u = u_;
                const int64_t row = rest[next];
                reference_u_ = u[next];
                rest.erase(rest.begin() + int64_t(next));
                u.erase(u.begin() + int64_t(next));
                refer_to(row, rest, u);
            }
        }
    }

    Corral result(const char* status) const {
        Corral c;
        c.status = status;
        c.w.assign(w_.begin(), w_.begin() + rows_.d);
        c.b = b_;
        if (blocked_) {
            c.rows = witness_;
            c.multipliers.assign(c.rows.size(), 0.0);
            return c;
        }
        if (free_ && reference_ >= 0) {
            c.rows.push_back(reference_);
            c.multipliers.push_back(reference_u_);
        }
        c.rows.insert(c.rows.end(), active_.begin(), active_.end());
        c.multipliers.insert(c.multipliers.end(), u_.begin(), u_.end());
        return c;
    }
};

inline Corral corral(const SignedRows& some, const CorralOptions& options) {
    return with_rows(some.view,
                     [&](const auto& rows) { return ActiveSet<std::decay_t<decltype(rows)>>(rows, some, options.free, options.rho).run(options); });
}
