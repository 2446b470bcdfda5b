// Bindings of the learner.

#include "arrays.hpp"
#include "chunk_part.hpp"
#include "coin.hpp"
#include "isa.hpp"
#include "saving.hpp"

namespace rosenblatt {
namespace {

using RuleNumbers = std::tuple<double, double, bool, double, double, double, double, double, double, double, bool>;  // as rules.Update lists them

Decision decision_named(const std::string& name) {
    if (name == "binary") return Decision::binary;
    if (name == "ovr") return Decision::ovr;
    if (name == "direct") return Decision::direct;
    throw nb::value_error("a decision is binary, ovr or direct");
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

void make_options(LearnerOptions* self, const RuleNumbers& rule, bool scaled, const std::string& decision, bool sparse, int64_t features,
                  int64_t outputs, double rho2, int64_t batch, double eta, bool keep_log, bool keep_average, bool keep_pocket, bool detect_cycles,
                  bool measure_moves, bool surveyed) {
    const Decision how = decision_named(decision);
    check(features >= 0 && outputs >= 1 && batch >= 1 && (how == Decision::binary) == (outputs == 1), "options that cannot be");
    if (outputs > (int64_t{1} << 40) || features > (int64_t{1} << 46) / (outputs + 4)) throw std::bad_alloc();
    const auto [theta0, beta, strict, cap, e, g, p, q, share, coin, squares] = rule;
    LearnerOptions made;
    made.rule = {theta0, beta, strict, cap, e, g, p, q, share, coin, squares, scaled};
    made.decision = how;
    made.layout = layout_for(sparse, features, outputs);
    made.rho2 = rho2;
    made.batch = batch;
    made.eta = eta;
    made.keep_log = keep_log;
    made.keep_average = keep_average;
    made.keep_pocket = keep_pocket;
    made.detect_cycles = detect_cycles;
    made.measure_moves = measure_moves;
    made.surveyed = surveyed;
    check(coin >= 0 && (coin == 0 || (batch == 1 && !detect_cycles)), "options that cannot be");
    new (self) LearnerOptions(made);
}

// The chunks, the order of their rows and the sizes: a Visit, and the arrays that keep it alive.
struct VisitArrays {
    Integers chunks;
    std::optional<Integers> order, sizes;

    Visit view() const { return {chunks.data(), int64_t(chunks.size()), data_or_null(order), data_or_null(sizes)}; }
};

void make_visit(VisitArrays* self, Integers chunks, std::optional<Integers> order, std::optional<Integers> sizes) {
    check(!sizes || sizes->size() == chunks.size(), "a visit of another shape");
    new (self) VisitArrays{std::move(chunks), std::move(order), std::move(sizes)};
}

// A learner is changed by one call at a time: neither from another thread, nor from a counter that it asks.
class SoleUse {
   public:
    explicit SoleUse(Learner& l) : l_(l) {
        check(!l.in_use, "the learner is in use");
        l.in_use = true;
        l.user = std::this_thread::get_id();
    }
    ~SoleUse() { l_.in_use = false; }
    SoleUse(const SoleUse&) = delete;
    SoleUse& operator=(const SoleUse&) = delete;

   private:
    Learner& l_;
};

// It may be read meanwhile by a counter, which is asked in the same thread.
void check_readable(const Learner& l) { check(!l.in_use || l.user == std::this_thread::get_id(), "the learner is in use"); }

// For the length of a call the learner may ask `counter`, a Python function, for the mistakes on all rows.
class CounterScope {
   public:
    CounterScope(Learner& l, const std::optional<nb::callable>& counter) : l_(l) {
        check(!l.keep_pocket || counter.has_value(), "pocket needs a counter");
        if (!l.keep_pocket) return;
        count_ = [&l, f = *counter](int64_t output) {
            nb::gil_scoped_acquire lock;
            auto counts = nb::cast<std::vector<int64_t>>(f(output));
            check(counts.size() == l.candidates[size_t(output)].size(), "a count for each candidate is needed");
            return counts;
        };
        l_.counter = &count_;
    }
    ~CounterScope() { l_.counter = nullptr; }
    CounterScope(const CounterScope&) = delete;
    CounterScope& operator=(const CounterScope&) = delete;

   private:
    Learner& l_;
    MistakeCounter count_;
};

void settle(Learner& l, const nb::callable& counter) {
    const SoleUse use(l);
    const CounterScope scope(l, counter);
    if (l.keep_pocket) l.settle_pocket();
}

// The largest sample weight of all rows, and the whole number that stands for it.
using WeightScale = std::optional<std::tuple<double, double>>;

WholeWeights whole_weights(const Taken& taken, const WeightScale& scale) {
    check(taken.weight.has_value() == scale.has_value(), "weights need a scale, and a scale weights");
    if (!scale) return {};
    return {taken.weight->data(), std::get<0>(*scale), std::get<1>(*scale)};
}

std::vector<int64_t> mistakes(const Learner& l, const Taken& taken, const WeightScale& scale, int64_t output, int threads) {
    check_readable(l);
    check_shape(taken.rows.view, l.layout);
    check(output >= 0 && output < int64_t(l.candidates.size()), "an output out of range");
    taken.check_labels_of(l.layout.outputs);
    const TakenRows rows = taken.view();
    check_labels(rows.labels, 0, rows.view.n, l);
    const WholeWeights weights = whole_weights(taken, scale);
    nb::gil_scoped_release free;
    return ROSENBLATT_DISPATCH(mistakes(rows, weights, l, output, threads));
}

int64_t errors(const Learner& l, const Taken& taken, const WeightScale& scale, int threads) {
    check_readable(l);
    check(l.keep_average, "no average was kept");
    check_shape(taken.rows.view, l.layout);
    taken.check_labels_of(l.layout.outputs);
    const TakenRows rows = taken.view();
    const WholeWeights weights = whole_weights(taken, scale);
    nb::gil_scoped_release free;
    return ROSENBLATT_DISPATCH(survey(rows, weights, l.averaged(), l.layout, true, false, threads)).errors;
}

Column<bool> right(const Learner& l, const Taken& taken) {
    check_readable(l);
    check(l.keep_average, "no average was kept");
    check_shape(taken.rows.view, l.layout);
    taken.check_labels_of(l.layout.outputs);
    nb::capsule owner;
    const size_t n = size_t(taken.rows.view.n);
    bool* out = allocate<bool>(n, owner);
    {
        nb::gil_scoped_release free;
        ROSENBLATT_DISPATCH(right(taken.view(), l.averaged(), l.layout, out));
    }
    return Column<bool>(out, {n}, owner);
}

Matrix scores_now(const Learner& l, const Rows& rows, bool averaged) {
    check_readable(l);
    check_shape(rows.view, l.layout);
    check(!averaged || l.keep_average, "no average was kept");
    nb::capsule owner;
    double* out = allocate<double>(size_t(rows.view.n * l.layout.outputs), owner);
    ROSENBLATT_DISPATCH(scores_now(rows.view, l, averaged, out));
    return Matrix(out, {size_t(rows.view.n), size_t(l.layout.outputs)}, owner);
}

// (chunks finished, why the call ended, row, column, ||x'||² of that row)
std::tuple<int64_t, const char*, int64_t, int64_t, double> advance(Learner& l, const Taken& taken, const VisitArrays& visit,
                                                                   const std::optional<nb::callable>& counter, int threads, double seconds) {
    check_shape(taken.rows.view, l.layout);
    check(taken.labels.dtype() == (l.decision == Decision::binary ? nb::dtype<int8_t>() : nb::dtype<int32_t>()), "labels of another type");
    const TakenRows rows = taken.view();
    const Visit next = visit.view();
    check_visit(rows, next, visit.order ? int64_t(visit.order->size()) : 0, l);
    const SoleUse use(l);
    Outcome out;
    {
        const CounterScope scope(l, counter);
        nb::gil_scoped_release free;
        out = ROSENBLATT_DISPATCH(advance(rows, next, l, threads, seconds));
    }
    return {out.chunks, name_of(out.event), out.row, out.column, out.norm2};
}

nb::dict finish_epoch(Learner& l, const std::optional<nb::callable>& counter) {
    const SoleUse use(l);
    EpochEnd end;
    {
        const CounterScope scope(l, counter);
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

// (features, their sums, those of the offsets, tally, rows predicted wrong, and of each output: updates, Σ tau, path, whether all tau >= 0)
nb::tuple taken_chunk(Learner& l) {
    const SoleUse use(l);
    const ChunkPart part = take_chunk(l);
    nb::list outputs;
    for (const OutputState& c : part.outputs)
        outputs.append(nb::make_tuple(c.batch_updates, c.chunk_sum_tau, c.chunk_path_length, c.all_steps_nonnegative));
    const Tally& t = part.tally;
    return nb::make_tuple(column(part.features), column(part.sum), column(part.b), nb::make_tuple(t.rows, t.mistakes, t.criterion, t.squared_sum()),
                          part.wrong, outputs);
}

nb::tuple take_log(Learner& l) {
    const SoleUse use(l);
    nb::tuple t = nb::make_tuple(column(l.log.row), column(l.log.output), column(l.log.step), column(l.log.visit), column(l.log.change));
    l.log = Log{};
    return t;
}

void begin(Learner& l, const std::optional<std::tuple<Table, Doubles>>& start) {
    const SoleUse use(l);
    if (start) {
        set_vector(l.layout, l.weights, std::get<0>(*start), std::get<1>(*start));
        l.start = l.weights;
    }
    l.begin();
}

void set_largest(Learner& l, const Doubles& columns, double ones) {
    const SoleUse use(l);
    check(l.rule.coin > 0 && int64_t(columns.size()) == l.layout.features, "columns of another learner");
    check(coin_size_fits(ones) && std::all_of(columns.data(), columns.data() + columns.size(), coin_size_fits), "a column out of range");
    l.set_largest(columns.data(), ones);
}

void set_etas(Learner& l, int64_t first, const Doubles& etas) {
    const SoleUse use(l);
    for (const OutputState& output : l.outputs) check(first >= 1 && first <= output.changes + 1, "a table of steps that begins too late");
    l.first_eta = first;
    l.etas.assign(etas.data(), etas.data() + etas.size());
}

int64_t updates(const Learner& l) {
    int64_t sum = 0;
    for (const OutputState& output : l.outputs) sum += output.updates;
    return sum;
}

std::vector<int64_t> changes(const Learner& l) {
    std::vector<int64_t> found;
    for (const OutputState& output : l.outputs) found.push_back(output.changes);
    return found;
}

}  // namespace

void bind_learner(nb::module_& m) {
    nb::class_<LearnerOptions>(m, "LearnerOptions", "What is learnt, and how: see learner.hpp.")
        .def("__init__", &make_options, nb::kw_only(), "rule"_a, "scaled"_a, "decision"_a, "sparse"_a, "features"_a, "outputs"_a, "rho2"_a,
             "batch"_a = 1, "eta"_a = 1.0, "keep_log"_a = false, "keep_average"_a = false, "keep_pocket"_a = false, "detect_cycles"_a = false,
             "measure_moves"_a = false, "surveyed"_a = false);

    nb::class_<VisitArrays>(m, "Visit", "Chunks in the order to be met, the numbers of their rows, and how many of each.")
        .def("__init__", &make_visit, "chunks"_a, "order"_a.none() = nb::none(), "sizes"_a.none() = nb::none());

    nb::class_<Learner>(m, "Learner", "The mutable side of State.")
        .def(nb::init<const LearnerOptions&>(), "options"_a)
        .def("begin", &begin, "start"_a.none())
        .def("set_largest", &set_largest, "columns"_a, "ones"_a, "Of a rule that bets: the largest entry of every column, to begin with.")
        .def("set_etas", &set_etas, "first"_a, "etas"_a)
        .def("advance", &advance, "rows"_a, "visit"_a, "counter"_a.none() = nb::none(), "threads"_a = 1, "seconds"_a = 1e9)
        .def(
            "widen",
            [](Learner& l, int64_t features) {
                const SoleUse use(l);
                l.widen(features);
            },
            "features"_a, "More features of sparse rows, behind those there are.")
        .def("finish_epoch", &finish_epoch, "counter"_a.none() = nb::none())
        .def("settle", &settle, "counter"_a, "To be called before `save`, so that no candidate for the pocket is left waiting.")
        .def("mistakes", &mistakes, "rows"_a, "scale"_a.none(), "output"_a, "threads"_a,
             "Of each of the output's candidates for the pocket, on these rows.")
        .def("scores", &scores_now, "rows"_a, "averaged"_a, "Under the weights as they are now, or under their average.")
        .def("right", &right, "rows"_a, "Of each row whether the average predicts its label.")
        .def("errors", &errors, "rows"_a, "scale"_a.none(), "threads"_a, "The rows that the average gets wrong.")
        .def("save",
             [](Learner& l) {
                 check_readable(l);
                 return save(l);
             })
        .def(
            "restore",
            [](Learner& l, nb::dict saved) {
                const SoleUse use(l);
                restore(l, saved);
            },
            "saved"_a)
        .def("take_chunk", &taken_chunk, "What the open chunk adds to the pending batch, taken out of it: see ChunkPart.")
        .def("take_log", &take_log)
        .def_ro("visited", &Learner::visited)
        .def_ro("epoch", &Learner::epoch)
        .def_ro("epoch_rows", &Learner::epoch_rows)
        .def_rw("pause_at", &Learner::pause_at)
        .def_ro("wrong", &Learner::wrong)
        .def_ro("chunk", &Learner::chunk)
        .def_ro("chunk_place", &Learner::chunk_place)
        .def_ro("parallel_scans", &Learner::parallel_scans)
        .def_prop_ro("updates", &updates)
        .def_prop_ro("changes", &changes);
}

}  // namespace rosenblatt
