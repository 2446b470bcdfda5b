// Bindings, and nothing but bindings.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "fields.hpp"
#include "isa.hpp"
#include "named.hpp"
#include "order.hpp"

using nb::literals::operator""_a;

void bind_text(nb::module_& m);  // text.cpp

using Any = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Chunks = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

namespace {

// The caller's rows: a view, and the arrays that keep it alive.
struct Rows {
    RowsView view;
    std::vector<Any> keep;
    std::shared_ptr<const NamedRows> own;  // or rows that were made here
    bool owned = false;                    // the arrays are nobody else's, and so do not change
};

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
    auto own = std::make_shared<const NamedRows>(named_rows(places, examples, grow));
    Rows r;
    r.view = {true,
              false,
              true,
              true,
              own->values.data(),
              own->columns.data(),
              own->starts.data(),
              int64_t(own->starts.size()) - 1,
              columns,
              int64_t(own->values.size())};
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

const char* name_of(Event e) {
    switch (e) {
        case Event::done: return "done";
        case Event::paused: return "paused";
        case Event::out_of_etas: return "out of etas";
        case Event::not_finite: return "not finite";
        case Event::score_overflow: return "score overflow";
        case Event::norm_overflow: return "norm overflow";
        case Event::norm_underflow: return "norm underflow";
        default: return "step overflow";
    }
}

Decision decision_named(const std::string& name) {
    if (name == "binary") return Decision::binary;
    if (name == "ovr") return Decision::ovr;
    if (name == "direct") return Decision::direct;
    throw nb::value_error("a decision is binary, ovr or direct");
}

// Labels are read as numbers of outputs, so each one to be read is checked.
template <class T>
void check_labels(const Labels& y, int64_t from, int64_t to, int64_t outputs) {
    const T* label = static_cast<const T*>(y.data());
    T bad = 0;  // no branch and one width, so that this costs next to nothing
    if (outputs == 1)
        for (int64_t i = from; i < to; ++i) bad = T(bad | T((label[i] != 1) & (label[i] != -1)));
    else
        for (int64_t i = from; i < to; ++i) bad = T(bad | (label[i] < 0) | (int64_t(label[i]) >= outputs));
    check(bad == 0, "a label out of range");
}

// For the length of a call the learner may ask `count`, a Python function, for the mistakes on all rows.
class Asking {
   public:
    Asking(Learner& l, const std::optional<nb::callable>& count) : l_(l) {
        check(!l.pocketing || count.has_value(), "a pocket needs somebody who counts");
        if (!l.pocketing) return;
        ask_ = [&l, f = *count](int64_t course) {
            nb::gil_scoped_acquire hold;
            auto counts = nb::cast<std::vector<int64_t>>(f(course));
            check(counts.size() == l.candidates[size_t(course)].size(), "a count for each candidate is needed");
            return counts;
        };
        l_.count = &ask_;
    }
    ~Asking() { l_.count = nullptr; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

   private:
    Learner& l_;
    Count ask_;
};

void settle(Learner& l, const nb::callable& count) {
    const Asking asking(l, count);
    if (l.pocketing) l.settle_all();
}

std::vector<int64_t> mistakes(const Learner& l, const Rows& rows, const Labels& y, const std::optional<Chunks>& weight, int64_t course, int threads) {
    const bool binary = l.decision == Decision::binary;
    check(y.dtype() == (binary ? nb::dtype<int8_t>() : nb::dtype<int32_t>()), "labels of another type");
    check(rows.view.d == l.layout.features && rows.view.sparse == l.layout.feature_major, "rows of another shape");
    check(int64_t(y.size()) == rows.view.n && course >= 0 && course < int64_t(l.candidates.size()), "labels of another length");
    check(!weight || int64_t(weight->size()) == rows.view.n, "weights of another length");
    if (binary) check_labels<int8_t>(y, 0, rows.view.n, 1);
    else check_labels<int32_t>(y, 0, rows.view.n, l.layout.outputs);
    nb::gil_scoped_release free;
    return ROSENBLATT_DISPATCH(mistakes(rows.view, y.data(), weight ? weight->data() : nullptr, l, course, threads));
}

// (chunks finished, why the call ended, row, column, ||x'||² of that row)
std::tuple<int64_t, std::string, int64_t, int64_t, double> advance(Learner& l, const Rows& rows, const Labels& y,
                                                                   const std::optional<Doubles>& weight, int64_t first_row, const Chunks& chunks,
                                                                   const std::optional<Chunks>& order, const std::optional<Chunks>& sizes,
                                                                   const std::optional<nb::callable>& count, int threads, double seconds) {
    // The private caller keeps these; a wrong call must still not read outside the rows.
    const bool binary = l.decision == Decision::binary;
    check(y.dtype() == (binary ? nb::dtype<int8_t>() : nb::dtype<int32_t>()), "labels of another type");
    check(first_row >= 0 && (!sizes || sizes->size() == chunks.size()), "a visit of another shape");
    check(rows.view.d == l.layout.features && rows.view.sparse == l.layout.feature_major, "rows of another shape");
    check(int64_t(y.size()) == rows.view.n && (!weight || int64_t(weight->size()) == rows.view.n), "labels or weights of another length");
    int64_t places = 0;
    for (size_t c = 0; c < chunks.size(); ++c) {
        check(chunks.data()[c] >= 0 && chunks.data()[c] < (int64_t{1} << 50), "a chunk outside the rows");
        const int64_t first = chunks.data()[c] * kChunk - first_row;
        const int64_t there = std::min(kChunk, rows.view.n - first), size = sizes ? sizes->data()[c] : there;
        // An open chunk that was met in full begins again.
        const int64_t met = chunks.data()[c] == l.chunk && l.place < size ? l.place : 0;
        check(first < rows.view.n && (order || size == 0 || first + met >= 0), "a chunk outside the rows");
        check(size >= 0 && size <= kChunk && (order || size <= there), "a visit of too many rows");
        check(!order || places + size <= int64_t(order->size()), "an order of another length");
        const auto check_rows = [&](int64_t from, int64_t to) {
            if (binary) check_labels<int8_t>(y, from, to, 1);
            else check_labels<int32_t>(y, from, to, l.layout.outputs);
        };
        if (!order) check_rows(std::max<int64_t>(0, first), first + there);
        for (int64_t p = 0; order && p < size; ++p) {
            const int64_t row = order->data()[places + p] - first_row;
            check(row >= 0 && row < rows.view.n, "an order outside the rows");
            check_rows(row, row + 1);
        }
        places += size;
    }
    check(!order || int64_t(order->size()) == places, "an order of another length");
    Outcome out;
    {
        const Asking asking(l, count);
        nb::gil_scoped_release free;
        const Visit visit{chunks.data(), int64_t(chunks.size()), order ? order->data() : nullptr, sizes ? sizes->data() : nullptr};
        out = ROSENBLATT_DISPATCH(advance(rows.view, y.data(), weight ? weight->data() : nullptr, first_row, visit, l, threads, seconds));
    }
    return {out.chunks, name_of(out.event), out.row, out.column, out.norm2};
}

nb::dict finish_epoch(Learner& l, const std::optional<nb::callable>& count) {
    EpochEnd end;
    {
        const Asking asking(l, count);
        nb::gil_scoped_release free;
        end = l.finish_epoch();
    }
    nb::dict d;
    d["rows"] = end.rows;
    d["mistakes"] = end.mistakes;
    d["updates"] = end.updates;
    d["criterion"] = end.criterion;
    d["squared"] = end.squared;
    d["norm"] = end.norm;
    d["moved"] = end.moved;
    d["margin_upper"] = end.margin_upper;
    d["repeats"] = end.repeats;
    return d;
}

nb::tuple take_log(Learner& l) {
    nb::tuple t = nb::make_tuple(column(l.log.row), column(l.log.output), column(l.log.step), column(l.log.visit), column(l.log.change));
    l.log = Log{};
    return t;
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

int64_t errors(const Learner& l, const Rows& rows, const Labels& y, const std::optional<Chunks>& weight, int threads) {
    const Layout& at = l.layout;
    check(l.averaging, "no average was kept");
    check(y.dtype() == (at.outputs == 1 ? nb::dtype<int8_t>() : nb::dtype<int32_t>()), "labels of another type");
    check(rows.view.d == at.features && rows.view.sparse == at.feature_major, "rows of another shape");
    check(int64_t(y.size()) == rows.view.n && (!weight || int64_t(weight->size()) == rows.view.n), "labels or weights of another length");
    if (at.outputs > 1) check_labels<int32_t>(y, 0, rows.view.n, at.outputs);
    nb::gil_scoped_release free;
    const double moments = double(l.visited + 1);
    Vector mean = l.weights;
    for (size_t i = 0; i < mean.w.size(); ++i) mean.w[i] = (moments * mean.w[i] - l.average.w[i]) / moments;
    for (size_t k = 0; k < mean.b.size(); ++k) mean.b[k] = (moments * mean.b[k] - l.average.b[k]) / moments;
    return ROSENBLATT_DISPATCH(survey(rows.view, y.data(), weight ? weight->data() : nullptr, mean, at, true, false, threads)).errors;
}

// (least margins, rows predicted wrong, R²)
std::tuple<std::vector<double>, int64_t, double> survey(const Rows& rows, const Labels& y, const Table& w, const Doubles& b, bool joint,
                                                        int threads) {
    const Layout at = layout_of(rows.view, int64_t(w.shape(1)));
    check(y.dtype() == (at.outputs == 1 ? nb::dtype<int8_t>() : nb::dtype<int32_t>()) && int64_t(y.size()) == rows.view.n, "labels of another type");
    if (at.outputs > 1) check_labels<int32_t>(y, 0, rows.view.n, at.outputs);
    Vector v;
    set_vector(at, v, w, b);
    nb::gil_scoped_release free;
    const auto found = ROSENBLATT_DISPATCH(survey(rows.view, y.data(), nullptr, v, at, joint, true, threads));
    return {found.least, found.errors, found.radius2};
}

Matrix scores_now(const Learner& l, const Rows& rows, bool averaged) {
    check(rows.view.d == l.layout.features && rows.view.sparse == l.layout.feature_major, "rows of another shape");
    check(!averaged || l.averaging, "no average was kept");
    nb::capsule owner;
    double* out = allocate<double>(size_t(rows.view.n * l.layout.outputs), owner);
    ROSENBLATT_DISPATCH(scores_now(rows.view, l, averaged, out));
    return Matrix(out, {size_t(rows.view.n), size_t(l.layout.outputs)}, owner);
}

// (R²; the first row whose length is not finite, or -1; its first column that is not finite, or -1)
std::tuple<double, int64_t, int64_t> radius2(const Rows& rows, int threads) {
    nb::gil_scoped_release free;
    const auto [most, bad] = ROSENBLATT_DISPATCH(radius2(rows.view, threads));
    return {most, bad, bad >= 0 ? ROSENBLATT_DISPATCH(first_nonfinite(rows.view, bad)) : -1};
}

// A log made ready to vote, checked once: see vote.hpp.
struct Ballot {
    Chunks which, output;
    Doubles step, count, first;
    int64_t mistaken;
    bool direct;
    double rho2;

    Ballots view() const { return {int64_t(which.size()), which.data(), output.data(), step.data(), count.data(), first.data()}; }
};

void make_ballot(Ballot* self, Chunks which, Chunks output, Doubles step, Doubles count, Doubles first, int64_t mistaken, bool direct, double rho2) {
    const size_t size = which.size();
    check(output.size() == size && step.size() == size && count.size() == size && first.size() > 0, "ballots of another shape");
    for (size_t j = 0; j < size; ++j) {
        check(which.data()[j] >= 0 && which.data()[j] < mistaken, "a row out of range");
        check(output.data()[j] >= 0 && output.data()[j] < int64_t(first.size()), "an output out of range");
        check(direct || j == 0 || output.data()[j - 1] <= output.data()[j], "outputs out of order");
    }
    new (self) Ballot{std::move(which), std::move(output), std::move(step), std::move(count), std::move(first), mistaken, direct, rho2};
}

using Tiles = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// The votes on rows z as tiles × K × 16, the shape of the start's scores.
nb::ndarray<nb::numpy, double, nb::ndim<3>> vote(const Ballot& ballot, const Rows& mistaken, const Rows& z, const Tiles& start, int threads) {
    check(mistaken.view.n == ballot.mistaken && mistaken.view.d == z.view.d, "rows of another shape");
    check(!mistaken.view.float32 && (!mistaken.view.sparse || mistaken.view.columns64), "mistaken rows of another kind");
    check(int64_t(start.shape(0)) == (z.view.n + kTile - 1) / kTile, "scores of another shape");
    check(start.shape(1) == ballot.first.size() && start.shape(2) == size_t(kTile), "scores of another shape");
    nb::capsule owner;
    double* votes = allocate<double>(start.size(), owner);
    {
        nb::gil_scoped_release free;
        std::vector<double> score(start.data(), start.data() + start.size());
        ROSENBLATT_DISPATCH(
            vote(mistaken.view, z.view, ballot.view(), int64_t(start.shape(1)), ballot.direct, ballot.rho2, score.data(), votes, threads));
    }
    return {votes, {start.shape(0), start.shape(1), start.shape(2)}, owner};
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

// The sign of w·x + b for these rows, exactly; (w, b) is the sum of the L rows of w (L × d) and of b (L).
Column<int8_t> exact_signs(const Rows& rows, const Chunks& which, const Table& w, const Doubles& b, int threads) {
    check(int64_t(w.shape(1)) == rows.view.d && w.shape(0) == b.size(), "weights of another shape");
    for (size_t p = 0; p < which.size(); ++p) check(which.data()[p] >= 0 && which.data()[p] < rows.view.n, "a row out of range");
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

// (how it ended; rows on the margin, or of a witness; their multipliers; w; b): see corral.hpp.
std::tuple<std::string, Column<int64_t>, Column<double>, Column<double>, double> corral(const Rows& rows, const Labels& y, const Chunks& which,
                                                                                        bool free, double rho, const Chunks& hint, int64_t most_steps,
                                                                                        double seconds) {
    check(y.dtype() == nb::dtype<int8_t>() && int64_t(y.size()) == rows.view.n && which.size() > 0, "labels or rows of another shape");
    check_labels<int8_t>(y, 0, rows.view.n, 1);
    const int8_t* labels = static_cast<const int8_t*>(y.data());
    bool up = false, down = false;
    for (const Chunks* some : {&which, &hint})
        for (size_t p = 0; p < some->size(); ++p) {
            check(some->data()[p] >= 0 && some->data()[p] < rows.view.n, "a row out of range");
            if (some == &which) (labels[some->data()[p]] > 0 ? up : down) = true;
        }
    check(!free || (up && down), "a free offset needs rows of both classes");
    Corral c;
    {
        nb::gil_scoped_release release;
        c = ROSENBLATT_DISPATCH(
            corral(rows.view, labels, which.data(), int64_t(which.size()), free, rho, hint.data(), int64_t(hint.size()), most_steps, seconds));
    }
    return {c.status, column(c.rows), column(c.multipliers), column(c.w), c.b};
}

// β and w move in place, and b is returned: see descent.hpp.
double descend(const Rows& rows, const Labels& y, const Chunks& which, const Doubles& side, double rho2,
               nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu> beta,
               nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu> w, double b, int64_t epochs, double tolerance, double seconds,
               uint64_t seed) {
    check(y.dtype() == nb::dtype<int8_t>() && int64_t(y.size()) == rows.view.n, "labels of another shape");
    check_labels<int8_t>(y, 0, rows.view.n, 1);
    check(side.size() == which.size() && beta.size() == which.size() && int64_t(w.size()) == rows.view.d, "multipliers or weights of another shape");
    for (size_t p = 0; p < which.size(); ++p) check(which.data()[p] >= 0 && which.data()[p] < rows.view.n, "a row out of range");
    nb::gil_scoped_release free;
    const int8_t* labels = static_cast<const int8_t*>(y.data());
    ROSENBLATT_DISPATCH(descend(rows.view, labels, which.data(), int64_t(which.size()), side.data(), rho2, beta.data(), w.data(), &b, epochs,
                                tolerance, seconds, seed));
    return b;
}

uint64_t digest(const Rows& rows, const Labels& y, bool all) {
    check(int64_t(y.size()) == rows.view.n, "labels of another length");
    nb::gil_scoped_release free;
    return ROSENBLATT_DISPATCH(digest(rows.view, y.data(), y.itemsize(), all));
}

// The full blocks of so many rows, in the order of the epoch.
Column<int64_t> block_order(uint64_t seed, uint64_t epoch, int64_t rows) {
    const int64_t blocks = rows / kBlock;
    check(rows >= 0 && blocks <= int64_t{1} << 32, "too many rows");
    nb::capsule owner;
    int64_t* out = allocate<int64_t>(size_t(blocks), owner);
    permutation(Stream(seed, epoch, kBlocks), blocks, out);
    return Column<int64_t>(out, {size_t(blocks)}, owner);
}

// The rows of these chunks of the epoch, one after the other.
Column<int64_t> row_orders(uint64_t seed, uint64_t epoch, const Chunks& chunks, const Chunks& blocks, int64_t rows) {
    check(rows >= 0 && int64_t(blocks.size()) == rows / kBlock, "blocks of other rows");
    const auto size = [&](size_t c) { return std::min(kChunk, rows - chunks.data()[c] * kChunk); };
    int64_t total = 0;
    for (size_t c = 0; c < chunks.size(); ++c) {
        check(chunks.data()[c] >= 0 && chunks.data()[c] * kChunk < rows, "a chunk outside the rows");
        total += size(c);
    }
    nb::capsule owner;
    int64_t* out = allocate<int64_t>(size_t(total), owner);
    int64_t at = 0;
    for (size_t c = 0; c < chunks.size(); at += size(c), ++c) rows_of_chunk(seed, epoch, chunks.data()[c], kChunk, blocks.data(), rows, out + at);
    return Column<int64_t>(out, {size_t(total)}, owner);
}

Column<double> uniform(uint64_t seed, uint64_t draw, int64_t size) {
    check(size >= 0, "a negative size");
    nb::capsule owner;
    double* out = allocate<double>(size_t(size), owner);
    Stream stream(seed, draw, kBlocks - 1);
    for (int64_t i = 0; i < size; ++i) out[i] = stream.uniform();
    return Column<double>(out, {size_t(size)}, owner);
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of rosenblatt. Private: its signatures may change at any time.";
    // A user's global that lives until the interpreter ends is no leak of ours to complain about.
    nb::set_leak_warnings(false);
    ready_to_throw();
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const RowsChanged& changed) {
            PyErr_SetString(nb::module_::import_("rosenblatt.errors").attr("InputError").ptr(), changed.what());
        }
    });
    bind_text(m);
    m.attr("CHUNK") = kChunk;
    m.def("isa", [] { return use_avx2() ? "avx2" : "portable"; }, "The instruction set in use.");

    nb::class_<Rows>(m, "Rows", "A view of rows, dense or CSR; keeps the arrays alive, copies nothing.")
        .def_static("dense", &dense_rows, "x"_a)
        .def_static("sparse", &sparse_rows, "values"_a, "columns"_a, "starts"_a, "n"_a, "d"_a, "owned"_a = false)
        .def("sound", &sound, "Whether a CSR matrix is still what it was when it was checked.")
        .def_prop_ro(
            "arrays",
            [](const Rows& r) {
                std::vector<nb::ndarray<nb::numpy, nb::ro>> arrays;
                for (const Any& a : r.keep) arrays.emplace_back(a);
                return arrays;
            },
            "The arrays themselves: one of dense rows; values, columns and starts of CSR ones.")
        .def_prop_ro("n", [](const Rows& r) { return r.view.n; })
        .def_prop_ro("d", [](const Rows& r) { return r.view.d; })
        .def_prop_ro("is_sparse", [](const Rows& r) { return r.view.sparse; });

    nb::class_<Learner>(m, "Learner", "The mutable side of State.")
        .def(
            "__init__",
            [](Learner* self, nb::tuple rule, bool scaled, const std::string& decision, const Rows& rows, int64_t outputs, double rho2, int64_t batch,
               double eta, bool logging, bool averaging, bool watching, bool stepping, bool pocketing) {
                if (rule.size() != 8) throw nb::value_error("a rule is eight numbers");
                if (outputs < 1 || batch < 1 || rows.view.d > (int64_t{1} << 46) / (outputs + 4)) throw std::bad_alloc();
                Learner* l = new (self) Learner();
                l->rule = {nb::cast<double>(rule[0]), nb::cast<double>(rule[1]), nb::cast<bool>(rule[2]),
                           nb::cast<double>(rule[3]), nb::cast<double>(rule[4]), nb::cast<double>(rule[5]),
                           nb::cast<double>(rule[6]), nb::cast<double>(rule[7]), scaled};
                l->decision = decision_named(decision);
                l->layout = layout_of(rows.view, outputs);
                l->rho2 = rho2;
                l->batch = batch;
                l->eta = eta;
                l->logging = logging;
                l->averaging = averaging;
                l->watching = watching;
                l->stepping = stepping;
                l->pocketing = pocketing;
                l->open();
            },
            "rule"_a, "scaled"_a, "decision"_a, "rows"_a, "outputs"_a, "rho2"_a, "batch"_a, "eta"_a, "logging"_a, "averaging"_a, "watching"_a,
            "stepping"_a, "pocketing"_a)
        .def(
            "begin",
            [](Learner& l, const std::optional<std::tuple<Table, Doubles>>& start) {
                if (start) {
                    set_vector(l.layout, l.weights, std::get<0>(*start), std::get<1>(*start));
                    l.start = l.weights;
                }
                l.begin();
            },
            "start"_a.none())
        .def(
            "set_etas",
            [](Learner& l, int64_t first, const Doubles& etas) {
                for (const Course& c : l.courses) check(first >= 1 && first <= c.changes + 1, "a table of steps that begins too late");
                l.first_eta = first;
                l.etas.assign(etas.data(), etas.data() + etas.size());
            },
            "first"_a, "etas"_a)
        .def("advance", &advance, "rows"_a, "y"_a, "weight"_a.none(), "first_row"_a, "chunks"_a, "order"_a.none(), "sizes"_a.none(), "count"_a.none(),
             "threads"_a, "seconds"_a)
        .def("finish_epoch", &finish_epoch, "count"_a.none())
        .def("settle", &settle, "count"_a, "To be called before `save`, so that no candidate for the pocket is left waiting.")
        .def("mistakes", &mistakes, "rows"_a, "y"_a, "weight"_a.none(), "course"_a, "threads"_a, "Of each candidate of the course, on these rows.")
        .def("scores", &scores_now, "rows"_a, "averaged"_a, "Under the weights as they are now, or under their average.")
        .def("errors", &errors, "rows"_a, "y"_a, "weight"_a.none(), "threads"_a, "The rows that the average gets wrong.")
        .def("save", &save)
        .def("restore", &restore, "saved"_a)
        .def("take_log", &take_log)
        .def_prop_ro("visited", [](const Learner& l) { return l.visited; })
        .def_prop_ro("epoch", [](const Learner& l) { return l.epoch; })
        .def_prop_ro("epoch_rows", [](const Learner& l) { return l.epoch_rows; })
        .def_rw("pause_at", &Learner::pause_at)
        .def_ro("wrong", &Learner::wrong)
        .def_prop_ro("chunk", [](const Learner& l) { return l.chunk; })
        .def_prop_ro("place", [](const Learner& l) { return l.place; })
        .def_prop_ro("shared_looks", [](const Learner& l) { return l.shared_looks; })
        .def_prop_ro("updates",
                     [](const Learner& l) {
                         int64_t sum = 0;
                         for (const Course& c : l.courses) sum += c.updates;
                         return sum;
                     })
        .def_prop_ro("changes", [](const Learner& l) {
            std::vector<int64_t> v;
            for (const Course& c : l.courses) v.push_back(c.changes);
            return v;
        });

    m.def("scores", &scores, "rows"_a, "w"_a, "b"_a, "threads"_a);
    m.def("survey", &survey, "rows"_a, "y"_a, "w"_a, "b"_a, "joint"_a, "threads"_a);
    m.def("radius2", &radius2, "rows"_a, "threads"_a);
    m.def("product", &product, "rows"_a, "v"_a);
    m.def("combination", &combination, "rows"_a, "a"_a);
    m.def("gram", &gram, "rows"_a);
    m.attr("TILE") = kTile;
    nb::class_<Ballot>(m, "Ballot", "A log made ready to vote.")
        .def("__init__", &make_ballot, "which"_a, "output"_a, "step"_a, "count"_a, "first"_a, "mistaken"_a, "direct"_a, "rho2"_a)
        .def("vote", &vote, "mistaken"_a, "rows"_a, "start"_a, "threads"_a);
    m.def("exact_signs", &exact_signs, "rows"_a, "which"_a, "w"_a, "b"_a, "threads"_a);
    m.def("corral", &corral, "rows"_a, "y"_a, "which"_a, "free"_a, "rho"_a, "hint"_a, "most_steps"_a, "seconds"_a);
    m.def("descend", &descend, "rows"_a, "y"_a, "which"_a, "side"_a, "rho2"_a, "beta"_a, "w"_a, "b"_a, "epochs"_a, "tolerance"_a, "seconds"_a,
          "seed"_a);
    m.def("exact_sums", &exact_sums, "rows"_a, "sign"_a, "threads"_a);
    m.def("digest", &digest, "rows"_a, "y"_a, "all"_a);
    m.def("block_order", &block_order, "seed"_a, "epoch"_a, "rows"_a);
    m.def("row_orders", &row_orders, "seed"_a, "epoch"_a, "chunks"_a, "blocks"_a, "rows"_a);
    m.def("rows_by_name", &rows_by_name, "places"_a, "examples"_a, "grow"_a, "columns"_a);
    m.def("uniform", &uniform, "seed"_a, "draw"_a, "size"_a);
}
