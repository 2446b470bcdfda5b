// A learner's fields as Python sees them: saved into a dictionary of records, and restored from one that is not trusted.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "checks.hpp"
#include "coin.hpp"
#include "learner.hpp"

namespace rosenblatt {

inline void set_vector(const Layout& at, Vector& v, const Table& w, const Doubles& b) {
    if (int64_t(w.shape(0)) != at.features || int64_t(w.shape(1)) != at.outputs || int64_t(b.size()) != at.outputs)
        throw nb::value_error("weights of another shape");
    v.b.assign(b.data(), b.data() + at.outputs);
    if (at.feature_major && at.stride == at.outputs) {
        v.w.assign(w.data(), w.data() + at.size());
        return;
    }
    v.w.assign(size_t(at.size()), 0.0);
    for (int64_t j = 0; j < at.features; ++j)
        for (int64_t k = 0; k < at.outputs; ++k) v.w[size_t(at.at(j, k))] = w.data()[j * at.outputs + k];
}

inline nb::object get_vector(const Layout& at, const Vector& v) {
    if (v.empty()) return nb::none();
    nb::capsule owner;
    double* w = allocate<double>(size_t(at.features * at.outputs), owner);
    if (at.feature_major && at.stride == at.outputs) {
        std::copy(v.w.begin(), v.w.end(), w);
    } else {
        for (int64_t j = 0; j < at.features; ++j)
            for (int64_t k = 0; k < at.outputs; ++k) w[j * at.outputs + k] = v.w[size_t(at.at(j, k))];
    }
    return nb::make_tuple(Matrix(w, {size_t(at.features), size_t(at.outputs)}, owner), column(v.b));
}

// One kind of the numbers of the coins, which is a pair to whoever saves it.
struct PartOfCoins {
    Coins& coins;
    CoinPart part;
};

// The fields of each noun, named once: saving, restoring and checking are visitors of these lists, and runs/state.py has
// dataclasses of the same names.
template <class F>
void each_field(Tally& t, F&& f) {
    f("rows", t.rows);
    f("mistakes", t.mistakes);
    f("criterion", t.criterion);
    f("squared", t.squared);
}

template <class F>
void each_field(OutputState& o, F&& f) {
    f("updates", o.updates);
    f("changes", o.changes);
    f("epoch_updates", o.epoch_updates);
    f("batch_updates", o.batch_updates);
    f("sum_tau", o.sum_tau);
    f("chunk_sum_tau", o.chunk_sum_tau);
    f("applied_tau", o.applied_tau);
    f("all_steps_nonnegative", o.all_steps_nonnegative);
    f("path_length", o.path_length);
    f("chunk_path_length", o.chunk_path_length);
    f("norm", o.norm);
    f("rounding_bound", o.rounding_bound);
    f("norm2", o.norm2);
    f("streak", o.streak);
    f("longest_streak", o.longest_streak);
    f("longest_candidate_streak", o.longest_candidate_streak);
    f("pocket_mistakes", o.pocket_mistakes);
    f("present_mistakes", o.present_mistakes);
}

template <class F>
void each_field(Learner& l, F&& f) {
    f("weights", l.weights);
    f("start", l.start);
    f("average", l.average);
    f("batch_chunk_sum", l.batch_chunk_sum);
    f("batch_sum", l.batch_sum);
    f("epoch_start", l.epoch_start);
    f("coin_sum", PartOfCoins{l.coins, kCoinSum});
    f("coin_spread", PartOfCoins{l.coins, kCoinSpread});
    f("coin_gain", PartOfCoins{l.coins, kCoinGain});
    f("coin_largest", PartOfCoins{l.coins, kCoinLargest});
    f("cycle_weights", l.cycle_weights);
    f("pocket", l.pocket);
    f("visited", l.visited);
    f("batch_rows", l.batch_rows);
    f("epoch", l.epoch);
    f("epoch_rows", l.epoch_rows);
    f("chunk", l.chunk);
    f("chunk_place", l.chunk_place);
    f("cycle_epoch", l.cycle_epoch);
    f("cycle_power", l.cycle_power);
    f("log_length", l.log_length);
    f("log_digest", l.log_digest);
    f("chunk_tally", l.chunk_tally);
    f("epoch_tally", l.epoch_tally);
    f("outputs", l.outputs);
}

using Lanes4 = std::tuple<double, double, double, double>;

struct Save {
    const Layout& at;
    nb::dict out;

    template <class Noun>
    nb::dict record(Noun& noun) const {
        Save inner{at, nb::dict()};
        each_field(noun, inner);
        return inner.out;
    }
    void operator()(const char* name, const Vector& v) { out[name] = get_vector(at, v); }
    void operator()(const char* name, const PartOfCoins& p) { out[name] = get_vector(at, p.coins.get(p.part)); }
    void operator()(const char* name, const double (&v)[4]) { out[name] = Lanes4(v[0], v[1], v[2], v[3]); }
    void operator()(const char* name, Tally& t) { out[name] = record(t); }
    void operator()(const char* name, std::vector<OutputState>& outputs) {
        nb::list records;
        for (OutputState& output : outputs) records.append(record(output));
        out[name] = records;
    }
    template <class T>
    void operator()(const char* name, const T& v) {
        out[name] = v;
    }
};

struct Restore {
    const Layout& at;
    nb::dict in;

    template <class Noun>
    void record(nb::handle value, Noun& noun) const {
        Restore inner{at, nb::cast<nb::dict>(value)};
        each_field(noun, inner);
    }
    void operator()(const char* name, Vector& v) {
        nb::object o = in[name];
        if (o.is_none()) {
            v = Vector{};
            return;
        }
        nb::tuple pair = nb::cast<nb::tuple>(o);
        if (pair.size() != 2) throw nb::value_error("weights without offsets");
        set_vector(at, v, nb::cast<Table>(pair[0]), nb::cast<Doubles>(pair[1]));
    }
    void operator()(const char* name, const PartOfCoins& p) {
        Vector v;
        (*this)(name, v);
        if (v.empty()) {
            p.coins = Coins{};
            return;
        }
        check(!p.coins.empty(), "a state of another rule");
        p.coins.set(p.part, v);
    }
    void operator()(const char* name, double (&v)[4]) {
        const auto [a, b, c, d] = nb::cast<Lanes4>(in[name]);
        v[0] = a, v[1] = b, v[2] = c, v[3] = d;
    }
    void operator()(const char* name, Tally& t) { record(in[name], t); }
    void operator()(const char* name, std::vector<OutputState>& outputs) {
        nb::list records = nb::cast<nb::list>(in[name]);
        check(records.size() == outputs.size(), "a state of another number of outputs");
        for (size_t i = 0; i < outputs.size(); ++i) record(records[i], outputs[i]);
    }
    template <class T>
    void operator()(const char* name, T& v) {
        v = nb::cast<T>(in[name]);
    }
};

// Every number finite, every count within what can be counted up from.
struct CheckRange {
    bool tally = false;

    void operator()(const char*, const Vector& v) const {
        for (const Numbers* part : {&v.w, &v.b})
            check(std::all_of(part->begin(), part->end(), [](double x) { return std::isfinite(x); }), "a weight that is not finite");
    }
    void operator()(const char* name, const PartOfCoins& p) const { (*this)(name, p.coins.get(p.part)); }
    // The losses of an epoch may add up to more than float64 holds; nothing is computed from them.
    void operator()(const char*, double v) const { check(std::isfinite(v) || (tally && v > 0), "a number that is not finite"); }
    void operator()(const char* name, const double (&v)[4]) const {
        for (double lane : v) (*this)(name, lane);
    }
    void operator()(const char*, int64_t v) const { check(v >= -1 && v <= int64_t{1} << 61, "a count out of range"); }
    void operator()(const char*, uint64_t) const {}
    void operator()(const char*, bool) const {}
    void operator()(const char*, Tally& t) const { each_field(t, CheckRange{true}); }
    void operator()(const char*, std::vector<OutputState>& outputs) const {
        for (OutputState& output : outputs) each_field(output, CheckRange{});
    }
};

// Coins that could have been: no purse is in debt, and no size out of range.
inline void check_coins(const Learner& l) {
    const auto check_one = [&](double sum, double spread, double gain, double largest) {
        check(coin_size_fits(largest) && spread >= 0 && spread < 1e300, "a column out of range");
        // With the spread a bound on the sum, weights are within 1e300.
        check(l.rule.squares || std::fabs(sum) <= spread * (1 + 1e-6), "a purse that cannot be");
        check(std::fabs(sum) < 1e160 && gain > -l.rule.coin && gain < 1e160, "a purse that cannot be");
    };
    const Coins& c = l.coins;
    for (int64_t i = 0; i < c.size; ++i) check_one(c.at(i, kCoinSum), c.at(i, kCoinSpread), c.at(i, kCoinGain), c.at(i, kCoinLargest));
    for (size_t k = 0; k < c.b.size(); k += kCoinParts) check_one(c.b[k], c.b[k + kCoinSpread], c.b[k + kCoinGain], c.b[k + kCoinLargest]);
}

inline nb::dict save(Learner& l) {
    for (const std::vector<Vector>& waiting : l.candidates) check(waiting.empty(), "candidates for the pocket wait: settle before you save");
    Save s{l.layout, nb::dict()};
    each_field(l, s);
    return s.out;
}

// What is restored may come from anywhere: it is put into a copy and checked before anything is changed.
inline void restore(Learner& l, nb::dict saved) {
    Learner copy = l;
    Restore r{copy.layout, saved};
    each_field(copy, r);
    check(!copy.weights.empty(), "a state without weights");
    check(copy.average.empty() != copy.keep_average && copy.batch_chunk_sum.empty() != copy.has_batches() &&
              copy.batch_sum.empty() != copy.has_batches(),
          "a state of another plan");
    check(copy.cycle_weights.empty() != copy.detect_cycles && copy.epoch_start.empty() != copy.measure_moves, "a state of another plan");
    check(copy.pocket.empty() != copy.keep_pocket, "a state of another plan");
    check(copy.coins.empty() != (copy.rule.coin > 0), "a state of another rule");
    each_field(copy, CheckRange{});
    if (copy.rule.coin > 0) check_coins(copy);
    check(copy.chunk_place >= 0 && copy.chunk_place <= kChunk && copy.chunk < (int64_t{1} << 50), "a place outside its chunk");
    check(copy.chunk >= 0 ? copy.chunk_place <= copy.epoch_rows : copy.chunk_place == 0, "a place outside its chunk");
    check(copy.batch_rows >= 0 && copy.batch_rows < copy.batch, "a batch with too many rows");
    check(copy.visited >= 0 && copy.epoch >= 0 && copy.epoch_rows >= 0 && copy.epoch_rows <= copy.visited, "counts that cannot be");
    for (const OutputState& c : copy.outputs) {
        check(c.changes >= 0 && c.batch_updates >= 0 && c.epoch_updates >= c.batch_updates && c.updates >= c.epoch_updates, "counts that cannot be");
        check(c.updates <= copy.visited && c.changes <= c.updates && c.epoch_updates <= copy.epoch_rows, "counts that cannot be");
        check(c.streak >= 0 && c.longest_streak >= 0 && c.longest_candidate_streak >= 0 &&
                  std::max(c.streak, c.longest_candidate_streak) <= copy.visited,
              "counts that cannot be");
        check(c.norm >= 0 && c.norm2 >= 0 && c.rounding_bound >= 0 && c.path_length >= 0 && c.chunk_path_length >= 0, "a negative length");
        check(c.applied_tau >= 0, "a negative sum of steps");
    }
    // Which features a batch has touched is not part of the state: after a restore, all of them may be.
    for (std::vector<Vector>& waiting : copy.candidates) waiting.clear();
    copy.etas.clear();  // a table of steps is not part of it either, and may begin elsewhere
    copy.batch_chunk_touched.everything = copy.batch_touched.everything = copy.has_batches();
    l = std::move(copy);
}

}  // namespace rosenblatt
