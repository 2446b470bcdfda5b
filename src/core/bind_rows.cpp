// Bindings of rows, and of what is asked of them.

#include "arrays.hpp"
#include "isa.hpp"
#include "saving.hpp"

namespace rosenblatt {
namespace {

bool is_float32(const Any& a) {
    if (a.dtype() == nb::dtype<float>()) return true;
    if (a.dtype() == nb::dtype<double>()) return false;
    throw nb::type_error("values must be float32 or float64");
}

bool is_int64(const Any& a) {
    if (a.dtype() == nb::dtype<int64_t>()) return true;
    if (a.dtype() == nb::dtype<int32_t>()) return false;
    throw nb::type_error("indices must be int32 or int64");
}

Rows dense_rows(Any x) {
    if (x.ndim() != 2) throw nb::value_error("dense rows must be two-dimensional");
    Rows r;
    r.view.float32 = is_float32(x);
    r.view.values = x.data();
    r.view.n = int64_t(x.shape(0));
    r.view.d = int64_t(x.shape(1));
    r.keep = {std::move(x)};
    return r;
}

// Every index is checked here, before anything reads through it. (rows, or none; what is wrong; row; the value)
std::tuple<std::optional<Rows>, std::string, int64_t, int64_t> sparse_rows(Any values, Any columns, Any starts, int64_t n, int64_t d, bool owned) {
    Rows r;
    r.view.sparse = true;
    r.view.float32 = is_float32(values);
    r.view.columns64 = is_int64(columns);
    r.view.starts64 = is_int64(starts);
    r.view.values = values.data();
    r.view.columns = columns.data();
    r.view.starts = starts.data();
    r.view.n = n;
    r.view.d = d;
    r.view.stored = int64_t(std::min(columns.size(), values.size()));
    r.owned = owned;
    Flaw flaw;
    {
        nb::gil_scoped_release free;
        flaw = ROSENBLATT_DISPATCH(examine(r.view, int64_t(starts.size())));
    }
    if (!flaw.what.empty()) return {std::nullopt, flaw.what, flaw.row, flaw.value};
    r.keep = {std::move(values), std::move(columns), std::move(starts)};
    return {std::move(r), std::string(), -1, 0};
}

// Examples by name as rows of `columns` columns, or of so many times two that every name has one.
Rows rows_by_name(nb::dict places, nb::list examples, bool grow, int64_t columns) {
    check(columns >= 1 && columns <= int64_t{1} << 46, "columns that cannot be");
    auto own = std::make_shared<const NamedRows>(named_rows(places, examples, grow));
    Rows r;
    r.view.sparse = r.view.columns64 = r.view.starts64 = true;
    r.view.values = own->values.data();
    r.view.columns = own->columns.data();
    r.view.starts = own->starts.data();
    r.view.n = int64_t(own->starts.size()) - 1;
    r.view.d = columns;
    r.view.stored = int64_t(own->values.size());
    while (r.view.d < int64_t(places.size())) r.view.d *= 2;
    r.own = std::move(own);
    return r;
}

// The arrays are the caller's, who may have changed them since.
bool sound(const Rows& r) {
    if (!r.view.sparse || r.own || r.owned) return true;
    nb::gil_scoped_release free;
    return ROSENBLATT_DISPATCH(examine(r.view, int64_t(r.keep[2].size()))).what.empty();
}

void take(Taken* self, const Rows& rows, Labels labels, std::optional<Doubles> weight, int64_t first_row, std::optional<Integers> numbers) {
    const int64_t n = rows.view.n;
    check(int64_t(labels.size()) == n && (!weight || int64_t(weight->size()) == n), "labels or weights of another length");
    check(first_row >= 0 && (!numbers || int64_t(numbers->size()) == n), "row numbers of another length");
    for (int64_t p = 0; numbers && p < n; ++p) check(numbers->data()[p] >= 0, "a row out of range");
    new (self) Taken{rows, std::move(labels), std::move(weight), first_row, std::move(numbers)};
}

// (scores n × K; the first row whose score is not finite, or -1; its first column that is not finite, or -1)
std::tuple<Matrix, int64_t, int64_t> scores(const Rows& rows, const Table& w, const Doubles& b, int threads) {
    const Layout at = layout_of(rows.view, int64_t(w.shape(1)));
    Vector v;
    set_vector(at, v, w, b);
    nb::capsule owner;
    double* out = allocate<double>(size_t(rows.view.n * at.outputs), owner);
    int64_t bad, where = -1;
    {
        nb::gil_scoped_release free;
        bad = ROSENBLATT_DISPATCH(scores(rows.view, v, at, out, threads));
        if (bad >= 0) where = ROSENBLATT_DISPATCH(first_nonfinite(rows.view, bad));
    }
    return {Matrix(out, {size_t(rows.view.n), size_t(at.outputs)}, owner), bad, where};
}

// (least margins, rows predicted wrong, R²)
std::tuple<std::vector<double>, int64_t, double> survey(const Rows& rows, const Labels& y, const Table& w, const Doubles& b, bool joint,
                                                        int threads) {
    const Layout at = layout_of(rows.view, int64_t(w.shape(1)));
    const Taken taken{rows, y, std::nullopt, 0, std::nullopt};
    check(int64_t(y.size()) == rows.view.n && at.outputs >= 1, "labels of another length, or no outputs");
    taken.check_labels_of(at.outputs);
    Vector v;
    set_vector(at, v, w, b);
    const TakenRows all = taken.view();
    nb::gil_scoped_release free;
    const auto found = ROSENBLATT_DISPATCH(survey(all, WholeWeights{}, v, at, joint, true, threads));
    return {found.least, found.errors, found.radius2};
}

// (R²; the first row whose length is not finite, or -1; its first column that is not finite, or -1)
std::tuple<double, int64_t, int64_t> radius2(const Rows& rows, int threads) {
    nb::gil_scoped_release free;
    const auto [most, bad] = ROSENBLATT_DISPATCH(radius2(rows.view, threads));
    return {most, bad, bad >= 0 ? ROSENBLATT_DISPATCH(first_nonfinite(rows.view, bad)) : -1};
}

Column<double> squares(const Rows& rows, int threads) {
    nb::capsule owner;
    double* out = allocate<double>(size_t(rows.view.n), owner);
    {
        nb::gil_scoped_release free;
        if (rows.view.n > 0) ROSENBLATT_DISPATCH(squares(rows.view, out, threads));
    }
    return Column<double>(out, {size_t(rows.view.n)}, owner);
}

// max |weight·x_j| of every column.
Column<double> column_largest(const Taken& taken) {
    nb::capsule owner;
    const size_t d = size_t(taken.rows.view.d);
    double* out = allocate<double>(d, owner);
    {
        nb::gil_scoped_release free;
        std::fill_n(out, d, 0.0);
        ROSENBLATT_DISPATCH(raise_largest(taken.view(), out));
    }
    return Column<double>(out, {d}, owner);
}

// A matrix of zeros, to which `sum` adds without holding Python's lock.
template <class F>
Matrix summed(int64_t rows, size_t columns, F&& sum) {
    nb::capsule owner;
    double* out = allocate<double>(size_t(rows) * columns, owner);
    {
        nb::gil_scoped_release free;
        std::fill_n(out, size_t(rows) * columns, 0.0);
        sum(out);
    }
    return {out, {size_t(rows), columns}, owner};
}

// X·v (n × K), Xᵀ·a (d × K) and X·Xᵀ (n × n): see products.hpp.
Matrix product(const Rows& rows, const Table& v) {
    check(int64_t(v.shape(0)) == rows.view.d, "a vector of another length");
    const auto K = int64_t(v.shape(1));
    return summed(rows.view.n, v.shape(1), [&](double* out) { ROSENBLATT_DISPATCH(product(rows.view, v.data(), K, out)); });
}

Matrix combination(const Rows& rows, const Table& a) {
    check(int64_t(a.shape(0)) == rows.view.n, "multipliers of another length");
    const auto K = int64_t(a.shape(1));
    return summed(rows.view.d, a.shape(1), [&](double* out) { ROSENBLATT_DISPATCH(combination(rows.view, a.data(), K, out)); });
}

Matrix gram(const Rows& rows) {
    return summed(rows.view.n, size_t(rows.view.n), [&](double* out) { ROSENBLATT_DISPATCH(gram(rows.view, out)); });
}

using Sums = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class... Columns>
void check_columns(const Rows& rows, const Columns&... columns) {
    check(((int64_t(columns.size()) == rows.view.d) && ...), "columns of another number");
}

// (the first row that is not finite, or -1; its first column that is not finite, or -1): see scaling.hpp.
std::tuple<int64_t, int64_t> column_ranges(const Rows& rows, Sums low, Sums high, Counts stored, Sums total, Sums lost) {
    check_columns(rows, low, high, stored, total, lost);
    nb::gil_scoped_release free;
    const int64_t bad = ROSENBLATT_DISPATCH(column_ranges(rows.view, low.data(), high.data(), stored.data(), total.data(), lost.data()));
    return {bad, bad >= 0 ? ROSENBLATT_DISPATCH(first_nonfinite(rows.view, bad)) : -1};
}

void column_squares(const Rows& rows, const Doubles& unit, const Doubles& centre, Sums total, Sums lost) {
    check_columns(rows, unit, centre, total, lost);
    nb::gil_scoped_release free;
    ROSENBLATT_DISPATCH(column_squares(rows.view, unit.data(), centre.data(), total.data(), lost.data()));
}

// Memory of our own as an array of NumPy's, kept as a caller's is.
template <class T>
Any array_of(T* data, std::vector<size_t> shape, const nb::capsule& owner) {
    return nb::cast<Any>(nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner)));
}

// Memory for scaled rows. A chunk of wide rows is many pages, and fresh ones cost as much as filling them: the last two
// are kept for the next. (Python's lock is held whenever they are taken or given back.)
struct Spare {
    std::unique_ptr<double[]> memory;
    size_t size;
};

std::vector<Spare>& spares() {
    static auto* kept = [] {
        auto* made = new std::vector<Spare>();
        made->reserve(2);
        return made;
    }();
    return *kept;
}

double* borrow(size_t size, nb::capsule& owner) {
    constexpr size_t least = size_t{1} << 18, most = size_t{1} << 23;  // 2 to 64 MB
    auto& kept = spares();
    auto own = std::make_unique<Spare>();
    const auto fits = std::find_if(kept.begin(), kept.end(), [&](const Spare& s) { return size <= s.size && s.size / 2 <= size; });
    if (fits != kept.end()) {
        *own = std::move(*fits);
        kept.erase(fits);
    } else {
        *own = {std::unique_ptr<double[]>(new double[size ? size : 1]), size};
    }
    double* memory = own->memory.get();
    owner = nb::capsule(own.release(), [](void* p) noexcept {
        std::unique_ptr<Spare> back(static_cast<Spare*>(p));
        if (back->size >= least && back->size <= most && spares().size() < 2) spares().push_back(std::move(*back));
    });
    return memory;
}

// A copy of n rows, those at these places or from `first` on, with (x - centre)/factor for x; sparse ones without a centre.
Rows scaled_rows(const Rows& rows, const Doubles& centre, const Doubles& factor, int64_t first, int64_t n, std::optional<Integers> places) {
    check_columns(rows, centre, factor);
    const int64_t* at = data_or_null(places);
    if (at) first = 0, n = int64_t(places->size());
    check(first >= 0 && n >= 0 && (at || first <= rows.view.n - n), "rows out of range");
    for (int64_t i = 0; at && i < n; ++i) check(at[i] >= 0 && at[i] < rows.view.n, "a row out of range");
    nb::capsule of_values, of_columns, of_starts;
    if (!rows.view.sparse) {
        double* out = borrow(size_t(n * rows.view.d), of_values);
        {
            nb::gil_scoped_release free;
            ROSENBLATT_DISPATCH(scaled_dense(rows.view, first, at, n, centre.data(), factor.data(), out));
        }
        return dense_rows(array_of(out, {size_t(n), size_t(rows.view.d)}, of_values));
    }
    int64_t* starts = allocate<int64_t>(size_t(n + 1), of_starts);
    ROSENBLATT_DISPATCH(scaled_starts(rows.view, first, at, n, starts));
    const auto size = size_t(starts[n]);
    double* values = borrow(size, of_values);
    Rows r;
    r.view = rows.view;
    r.view.float32 = false;
    r.view.starts64 = r.owned = true;
    const auto fill = [&](auto* columns) {
        r.keep = {array_of(values, {size}, of_values), array_of(columns, {size}, of_columns), array_of(starts, {size_t(n + 1)}, of_starts)};
        nb::gil_scoped_release free;
        ROSENBLATT_DISPATCH(scaled_sparse(rows.view, first, at, n, factor.data(), starts, values, columns));
    };
    rows.view.columns64 ? fill(allocate<int64_t>(size, of_columns)) : fill(allocate<int32_t>(size, of_columns));
    r.view.values = values;
    r.view.columns = r.keep[1].data();
    r.view.starts = starts;
    r.view.n = n;
    r.view.stored = int64_t(size);
    return r;
}

void digest_labels(Digest& digest, const Labels& labels) {
    nb::gil_scoped_release free;
    digest.labels(labels.data(), labels.size() * labels.itemsize());
}

void digest_rows(Digest& digest, const Taken& taken, bool all) {
    const TakenRows rows = taken.view();
    nb::gil_scoped_release free;
    ROSENBLATT_DISPATCH(add_rows(rows, all, digest));
}

std::vector<nb::ndarray<nb::numpy, nb::ro>> arrays_of(const Rows& r) {
    std::vector<nb::ndarray<nb::numpy, nb::ro>> arrays;
    for (const Any& a : r.keep) arrays.emplace_back(a);
    return arrays;
}

}  // namespace

void bind_rows(nb::module_& m) {
    nb::class_<Rows>(m, "Rows", "A view of rows, dense or CSR; keeps the arrays alive, copies nothing.")
        .def_static("dense", &dense_rows, "x"_a)
        .def_static("sparse", &sparse_rows, "values"_a, "columns"_a, "starts"_a, "n"_a, "d"_a, "owned"_a = false)
        .def("sound", &sound, "Whether a CSR matrix is still what it was when it was checked.")
        .def_prop_ro("arrays", &arrays_of, "The arrays themselves: one of dense rows; values, columns and starts of CSR ones.")
        .def_prop_ro("n", [](const Rows& r) { return r.view.n; })
        .def_prop_ro("d", [](const Rows& r) { return r.view.d; })
        .def_prop_ro("is_sparse", [](const Rows& r) { return r.view.sparse; });

    nb::class_<Taken>(m, "TakenRows", "Rows with their labels, sample weights and numbers: see visit.hpp.")
        .def("__init__", &take, "rows"_a, "labels"_a, "weight"_a.none() = nb::none(), "first_row"_a = 0, "numbers"_a.none() = nb::none())
        .def_ro("rows", &Taken::rows);

    nb::class_<Digest>(m, "Digest", "A number that tells data apart; fed with all labels, then with rows in order.")
        .def(nb::init<int64_t, int64_t>(), "rows"_a, "columns"_a)
        .def("add_labels", &digest_labels, "labels"_a)
        .def("add_rows", &digest_rows, "taken"_a, "all"_a, "Of these rows all, or some, evenly spread.")
        .def("every", &Digest::every, "all"_a, "Rows are looked at whose number is a multiple of this.")
        .def_prop_ro("value", &Digest::value);

    m.def("rows_by_name", &rows_by_name, "places"_a, "examples"_a, "grow"_a, "columns"_a);
    m.def("scores", &scores, "rows"_a, "w"_a, "b"_a, "threads"_a);
    m.def("survey", &survey, "rows"_a, "y"_a, "w"_a, "b"_a, "joint"_a, "threads"_a);
    m.def("radius2", &radius2, "rows"_a, "threads"_a);
    m.def("squares", &squares, "rows"_a, "threads"_a);
    m.def("column_largest", &column_largest, "rows"_a);
    m.def("product", &product, "rows"_a, "v"_a);
    m.def("combination", &combination, "rows"_a, "a"_a);
    m.def("gram", &gram, "rows"_a);
    m.def("column_ranges", &column_ranges, "rows"_a, "low"_a, "high"_a, "stored"_a, "total"_a, "lost"_a);
    m.def("column_squares", &column_squares, "rows"_a, "unit"_a, "centre"_a, "total"_a, "lost"_a);
    m.def("scaled_rows", &scaled_rows, "rows"_a, "centre"_a, "factor"_a, "first"_a, "n"_a, "places"_a.none() = nb::none());
}

}  // namespace rosenblatt
