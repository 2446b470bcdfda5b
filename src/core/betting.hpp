// A row told to the coordinates of one output: see coin.hpp.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Whether every entry of a·x, and a itself, that is larger than those before it is of a size that coordinates can be told.
template <class Rows>
bool bet_fits(const Rows& rows, int64_t i, const Learner& l, int64_t k, double a) {
    if (l.rule.coin == 0 || l.surveyed) return true;
    bool fits = l.rho2 == 0 || std::fabs(a) <= l.coin_largest.b[size_t(k)] || coin_size_fits(std::fabs(a));
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
