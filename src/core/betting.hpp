// A row told to the coordinates of one output: see coin.hpp.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Whether every entry of a·x, and a itself, that is larger than those before it is of a size that coordinates can be told.
template <class Rows>
bool bet_fits(const Rows& rows, int64_t i, const Learner& l, int64_t k, double a) {
    if (l.rule.coin == 0 || l.surveyed) return true;
    const double told = std::fabs(a);
    bool fits = l.rho2 == 0 || told <= l.coins.b[size_t(kCoinParts * k + kCoinLargest)] || coin_size_fits(told);
    if (fits && rows.within(i, 1e-140 / told, 1e140 / told)) return true;  // mostly so, and soon known
    rows.each_entry(i, [&](int64_t j, double x) {
        const double size = std::fabs(a * x);
        if (size > l.coins.at(l.layout.at(j, k), kCoinLargest)) fits &= coin_size_fits(size);
    });
    return fits;
}

// The coordinates of output k are told a·x; that of the offset a, as if of a column of ones, whatever rho.
template <class Rows>
void bet(const Rows& rows, int64_t i, Learner& l, int64_t k, double a) {
    constexpr int step = Rows::feature_major ? kCoinParts : 1;
    double* average = l.average.empty() ? nullptr : l.average.w.data();
    const double t = double(l.visited);
    const Purses p = purses_of(l.weights.w.data(), average, l.coins.w.data(), Rows::feature_major ? 1 : l.coins.size, l.rule.coin, t);
    const Purses offset = purses_of(l.weights.b.data(), average ? l.average.b.data() : nullptr, l.coins.b.data(), 1, l.rule.coin, t);
    const auto all = [&](auto squares) {
        rows.template bet<squares.value, step>(i, a, p, l.layout, k);
        if (l.rho2 > 0) tell<squares.value, kCoinParts>(offset, k, a);
    };
    l.rule.squares ? all(std::true_type{}) : all(std::false_type{});
}
