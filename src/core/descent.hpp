// The largest margin on many rows, in floats: dual coordinate descent (Hsieh, Chang, Lin, Keerthi and Sundararajan, "A
// dual coordinate descent method for large-scale linear SVM", ICML 2008, algorithms 1 and 3).
//
//     minimise ½‖Σ β_i·z_i‖² − Σ c_i·β_i   subject to  β ≥ 0,   z_i = y_i·(x_i, ρ)
//
// One row at a time β_i moves to its best value, and w = Σ β_i·y_i·x_i, b = ρ²·Σ β_i·y_i move along. Rows that stay at
// β = 0 and lie beyond what the others violate are left out until the call ends.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

inline void descend(const SignedRows& some, const DescentOptions& options, DescentPoint& point) {
    const int8_t* y = some.y;
    const int64_t *which = some.which, count = some.count;
    double *beta = point.beta, *w = point.w;
    with_rows(some.view, [&](const auto& rows) {
        const Layout at = layout_of(some.view, 1);
        std::vector<double> q(static_cast<size_t>(count));
        std::vector<int64_t> active(static_cast<size_t>(count)), order(static_cast<size_t>(count));
        for (int64_t p = 0; p < count; ++p) {
            q[size_t(p)] = rows.norm2(which[p]) + options.rho2;
            active[size_t(p)] = p;
        }
        int64_t left = count;
        double beyond = std::numeric_limits<double>::infinity();
        for (int64_t epoch = 0; epoch < options.epochs; ++epoch) {
            permutation(Stream(options.seed, uint64_t(epoch), 0), left, order.data());
            std::vector<int64_t> kept;
            kept.reserve(size_t(left));
            double most = 0, least = 0;
            for (int64_t k = 0; k < left; ++k) {
                const int64_t p = active[size_t(order[size_t(k)])], i = which[p];
                if (k + 4 < left) rows.prefetch(which[active[size_t(order[size_t(k + 4)])]]);
                const double g = double(y[i]) * (rows.score(i, w) + point.b) - options.side[p];
                if (beta[p] == 0 && g > beyond) continue;
                kept.push_back(p);
                const double projected = beta[p] == 0 ? std::min(g, 0.0) : g;
                most = std::max(most, projected);
                least = std::min(least, projected);
                if (projected == 0 || !(q[size_t(p)] > 0)) continue;
                const double next = std::max(0.0, beta[p] - g / q[size_t(p)]), move = (next - beta[p]) * double(y[i]);
                beta[p] = next;
                rows.add(i, move, w, at, 0);
                point.b += move * options.rho2;
            }
            std::copy(kept.begin(), kept.end(), active.begin());
            const bool all = left == count;
            left = int64_t(kept.size());
            beyond = most > 0 ? most : std::numeric_limits<double>::infinity();
            if (std::max(most, -least) <= options.tolerance) {
                if (all) break;
                for (int64_t p = 0; p < count; ++p) active[size_t(p)] = p;
                left = count;
                beyond = std::numeric_limits<double>::infinity();
            }
            if (options.over()) break;
        }
        return 0;
    });
}
