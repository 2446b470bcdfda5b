// Bindings of the searches for the largest margin and for directions, and of the exact sums.

#include <chrono>

#include "arrays.hpp"
#include "isa.hpp"
#include "lifting.hpp"

namespace rosenblatt {
namespace {

using Moved = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;  // an array that is changed in place

// The sign of w·x + b for these rows, exactly; (w, b) is the sum of the L rows of w (L × d) and of b (L).
Column<int8_t> exact_signs(const Rows& rows, const Integers& which, const Table& w, const Doubles& b, int threads) {
    check(int64_t(w.shape(1)) == rows.view.d && w.shape(0) == b.size(), "weights of another shape");
    check_row_numbers(which.data(), int64_t(which.size()), rows.view.n);
    nb::capsule owner;
    int8_t* out = allocate<int8_t>(which.size(), owner);
    {
        nb::gil_scoped_release free;
        ROSENBLATT_DISPATCH(exact_signs(rows.view, which.data(), int64_t(which.size()), w.data(), b.data(), int64_t(b.size()), out, threads));
    }
    return Column<int8_t>(out, {which.size()}, owner);
}

// Σ sign_i·x_i, exactly: (d × cells, the exponent of cell 0); column j is Σ_c cells[j, c]·2^(32c + exponent).
std::tuple<nb::ndarray<nb::numpy, int64_t, nb::ndim<2>>, int> exact_sums(const Rows& rows, const Labels& sign, int threads) {
    check(sign.dtype() == nb::dtype<int8_t>() && int64_t(sign.size()) == rows.view.n, "signs of another shape");
    constexpr size_t cells = size_t(portable::Accumulator::kCells);
    nb::capsule owner;
    int64_t* out = allocate<int64_t>(size_t(rows.view.d) * cells, owner);
    {
        nb::gil_scoped_release free;
        ROSENBLATT_DISPATCH(exact_sums(rows.view, static_cast<const int8_t*>(sign.data()), out, threads));
    }
    return {{out, {size_t(rows.view.d), cells}, owner}, portable::Accumulator::kLowest};
}

// Of each column (low, high) among rows of sign −1 and of +1, (4 × d): see ranges.hpp.
nb::ndarray<nb::numpy, double, nb::ndim<2>> column_ranges(const Rows& rows, const Labels& sign, int threads) {
    check(sign.dtype() == nb::dtype<int8_t>() && int64_t(sign.size()) == rows.view.n, "signs of another shape");
    nb::capsule owner;
    double* out = allocate<double>(4 * size_t(rows.view.d), owner);
    {
        nb::gil_scoped_release free;
        ROSENBLATT_DISPATCH(column_ranges(rows.view, static_cast<const int8_t*>(sign.data()), out, threads));
    }
    return {out, {4, size_t(rows.view.d)}, owner};
}

// Σ_j c_j·|x_ij − t_j| of every row: see ranges.hpp.
Column<double> distances_along(const Rows& rows, const Doubles& c, const Doubles& t, int threads) {
    check(int64_t(c.size()) == rows.view.d && int64_t(t.size()) == rows.view.d, "weights or thresholds of another shape");
    nb::capsule owner;
    double* out = allocate<double>(size_t(rows.view.n), owner);
    {
        nb::gil_scoped_release free;
        ROSENBLATT_DISPATCH(distances_along(rows.view, c.data(), t.data(), out, threads));
    }
    return Column<double>(out, {size_t(rows.view.n)}, owner);
}

SignedRows signed_rows(const Rows& rows, const Labels& y, const Integers& which, bool both) {
    check(y.dtype() == nb::dtype<int8_t>() && int64_t(y.size()) == rows.view.n, "labels of another shape");
    const SignedRows some{rows.view, static_cast<const int8_t*>(y.data()), which.data(), int64_t(which.size())};
    check_signed(some, both);
    return some;
}

// Python's word on whether to stop, asked for twenty times a second at most. Signals that came meanwhile are handled then.
Over asking(const nb::callable& over) {
    return [&over, last = std::chrono::steady_clock::now()]() mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(50)) return false;
        last = now;
        nb::gil_scoped_acquire hold;
        return nb::cast<bool>(over());
    };
}

// (how it ended; rows on the margin, or of a witness; their multipliers; w; b): see corral.hpp.
std::tuple<std::string, Column<int64_t>, Column<double>, Column<double>, double> corral(const Rows& rows, const Labels& y, const Integers& which,
                                                                                        bool free, double rho, const Integers& hint,
                                                                                        int64_t most_steps, const nb::callable& over) {
    check(which.size() > 0, "labels or rows of another shape");
    const SignedRows some = signed_rows(rows, y, which, free);
    const CorralOptions options{free, rho, hint.data(), int64_t(hint.size()), most_steps, asking(over)};
    check_row_numbers(options.hint, options.hints, rows.view.n);
    Corral c;
    {
        nb::gil_scoped_release release;
        c = ROSENBLATT_DISPATCH(corral(some, options));
    }
    return {c.status, column(c.rows), column(c.multipliers), column(c.w), c.b};
}

void make_descent(DescentOptions* self, double rho2, int64_t epochs, double tolerance, uint64_t seed) {
    new (self) DescentOptions{nullptr, rho2, epochs, tolerance, seed, {}};
}

// β and w move in place, and b is returned: see descent.hpp.
double descend(const Rows& rows, const Labels& y, const Integers& which, const Doubles& side, Moved beta, Moved w, double b, DescentOptions options,
               const nb::callable& over) {
    const SignedRows some = signed_rows(rows, y, which, false);
    check(side.size() == which.size() && beta.size() == which.size() && int64_t(w.size()) == rows.view.d, "multipliers or weights of another shape");
    options.side = side.data();
    options.over = asking(over);
    DescentPoint point{beta.data(), w.data(), b};
    nb::gil_scoped_release free;
    ROSENBLATT_DISPATCH(descend(some, options, point));
    return point.b;
}

using Words = nb::ndarray<const uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;  // whole numbers of some words each
using ChangedWords = nb::ndarray<uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Residues = nb::ndarray<const uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void check_prime(uint64_t prime) { check(prime % 2 == 1 && prime >> 60 == 0, "a prime below 2^60 is needed"); }

// Whole numbers in two's complement (their words last, the lowest first), modulo a prime.
nb::ndarray<nb::numpy, uint64_t, nb::ndim<2>> residues(const Words& numbers, uint64_t prime) {
    check_prime(prime);
    const size_t n = numbers.shape(0) * numbers.shape(1), words = numbers.shape(2);
    check(words > 0, "numbers of no words");
    nb::capsule owner;
    uint64_t* out = allocate<uint64_t>(n, owner);
    for (size_t i = 0; i < n; ++i) out[i] = Lifting::residue(numbers.data() + i * words, int64_t(words), prime);
    return {out, {numbers.shape(0), numbers.shape(1)}, owner};
}

// So many digits of the solutions of A·x = b, modulo a prime (steps × sides × k); `rest`, b at first (sides × k), changes: see lifting.hpp.
nb::ndarray<nb::numpy, uint64_t, nb::ndim<3>> lift(const Words& A, const Residues& inverse, ChangedWords rest, uint64_t prime, int64_t steps) {
    check_prime(prime);
    const size_t k = A.shape(0), words = A.shape(2), sides = rest.shape(0);
    check(A.shape(1) == k && inverse.shape(0) == k && inverse.shape(1) == k && rest.shape(1) == k && rest.shape(2) == words,
          "systems of another shape");
    check(words > 0 && steps >= 0, "numbers of no words, or no steps");
    nb::capsule owner;
    uint64_t* out = allocate<uint64_t>(size_t(steps) * sides * k, owner);
    {
        nb::gil_scoped_release free;
        Lifting lifting(A.data(), inverse.data(), int64_t(k), int64_t(words), prime);
        for (size_t t = 0; t < size_t(steps); ++t)
            for (size_t side = 0; side < sides; ++side) lifting.step(rest.data() + side * k * words, out + (t * sides + side) * k);
    }
    return {out, {size_t(steps), sides, k}, owner};
}

}  // namespace

void bind_search(nb::module_& m) {
    m.def("exact_signs", &exact_signs, "rows"_a, "which"_a, "w"_a, "b"_a, "threads"_a);
    m.def("exact_sums", &exact_sums, "rows"_a, "sign"_a, "threads"_a);
    m.def("column_ranges", &column_ranges, "rows"_a, "sign"_a, "threads"_a);
    m.def("distances_along", &distances_along, "rows"_a, "c"_a, "t"_a, "threads"_a);
    m.def("corral", &corral, "rows"_a, "y"_a, "which"_a, "free"_a, "rho"_a, "hint"_a, "most_steps"_a, "over"_a);
    nb::class_<DescentOptions>(m, "DescentOptions", "The offset's scale, and when to stop.")
        .def("__init__", &make_descent, nb::kw_only(), "rho2"_a, "epochs"_a, "tolerance"_a, "seed"_a);
    m.def("residues", &residues, "numbers"_a, "prime"_a);
    m.def("lift", &lift, "A"_a, "inverse"_a, "rest"_a, "prime"_a, "steps"_a);
    m.def("descend", &descend, "rows"_a, "y"_a, "which"_a, "side"_a, "beta"_a, "w"_a, "b"_a, "options"_a, "over"_a);
}

}  // namespace rosenblatt
