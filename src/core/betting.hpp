// A row told to the coordinates of one output: see coin.hpp.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Whether every entry of a·x that is larger than those before it is of a size that coordinates can be told.
template <class Rows>
bool bet_fits(const Rows& rows, int64_t i, const Learner& l, int64_t k, double a) {
    bool fits = true;
    if (l.rule.coin == 0 || l.surveyed || rows.within(i, 1e-140 / std::fabs(a), 1e140 / std::fabs(a))) return fits;
    rows.each_entry(i, [&](int64_t j, double x) {
        const double size = std::fabs(a * x);
        if (size > l.coin_largest.w[size_t(l.layout.at(j, k))]) fits &= coin_size_fits(size);
    });
    return fits;
}

// The coordinates of output k are told a·x; that of the offset a, as if of a column of ones, whatever rho.
template <class Rows>
void bet(const Rows& rows, int64_t i, Learner& l, int64_t k, double a) {
    const auto purses = [&](Numbers Vector::*part) {
        const auto of = [&](Vector& v) { return v.empty() ? nullptr : (v.*part).data(); };
        return Purses{of(l.weights),   of(l.average),      of(l.coin_sum), of(l.coin_spread),
                      of(l.coin_gain), of(l.coin_largest), l.rule.coin,    double(l.visited)};
    };
    const auto all = [&](auto squares) {
        rows.template bet<squares.value>(i, a, purses(&Vector::w), l.layout, k);
        if (l.rho2 > 0) tell<squares.value>(purses(&Vector::b), k, a);
    };
    l.rule.squares ? all(std::true_type{}) : all(std::false_type{});
}
