// A learner's fields as Python sees them: saved into a dictionary, and restored from one that is not trusted.
#pragma once

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "checks.hpp"
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

// Every field of the state, named once: saving and restoring are two visitors of this list.
template <class F>
void each_field(Learner& l, F&& f) {
    f("weights", l.weights);
    f("start", l.start);
    f("average", l.average);
    f("part", l.part);
    f("pending", l.pending);
    f("epoch_start", l.epoch_start);
    f("saved", l.saved);
    f("best", l.best);
    f("visited", l.visited);
    f("batch_rows", l.batch_rows);
    f("epoch", l.epoch);
    f("epoch_rows", l.epoch_rows);
    f("chunk", l.chunk);
    f("place", l.place);
    f("saved_epoch", l.saved_epoch);
    f("saved_power", l.saved_power);
    f("logged", l.logged);
    f("digest", l.digest);
    for (auto [name, t] : {std::pair{"chunk_tally", &l.chunk_tally}, std::pair{"epoch_tally", &l.epoch_tally}}) {
        f((std::string(name) + "_rows").c_str(), t->rows);
        f((std::string(name) + "_mistakes").c_str(), t->mistakes);
        f((std::string(name) + "_criterion").c_str(), t->criterion);
        for (int lane = 0; lane < 4; ++lane) f((std::string(name) + "_squared" + char('0' + lane)).c_str(), t->squared[lane]);
    }
    for (size_t i = 0; i < l.outputs.size(); ++i) {
        OutputState& c = l.outputs[i];
        const auto at = [&](const char* name) { return std::string("course") + std::to_string(i) + "_" + name; };
        f(at("updates").c_str(), c.updates);
        f(at("changes").c_str(), c.changes);
        f(at("epoch_updates").c_str(), c.epoch_updates);
        f(at("batch_updates").c_str(), c.batch_updates);
        f(at("sum_tau").c_str(), c.sum_tau);
        f(at("signs").c_str(), c.signs);
        f(at("travel").c_str(), c.travel);
        f(at("norm").c_str(), c.norm);
        f(at("drift").c_str(), c.drift);
        f(at("norm2").c_str(), c.norm2);
        f(at("streak").c_str(), c.streak);
        f(at("longest").c_str(), c.longest);
        f(at("record").c_str(), c.record);
        f(at("pocket_mistakes").c_str(), c.pocket_mistakes);
        f(at("present_mistakes").c_str(), c.present_mistakes);
    }
}

struct Save {
    const Layout& at;
    nb::dict out;
    void operator()(const char* name, const Vector& v) { out[name] = get_vector(at, v); }
    template <class T>
    void operator()(const char* name, const T& v) {
        out[name] = v;
    }
};

struct Restore {
    const Layout& at;
    nb::dict in;
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
    template <class T>
    void operator()(const char* name, T& v) {
        v = nb::cast<T>(in[name]);
    }
};

// Every number finite, every count within what can be counted up from.
struct Sane {
    void operator()(const char*, const Vector& v) const {
        for (const Numbers* part : {&v.w, &v.b})
            check(std::all_of(part->begin(), part->end(), [](double x) { return std::isfinite(x); }), "a weight that is not finite");
    }
    // The losses of an epoch may add up to more than float64 holds; nothing is computed from them.
    void operator()(const char* name, double v) const {
        check(std::isfinite(v) || (std::strstr(name, "tally") && v > 0), "a number that is not finite");
    }
    void operator()(const char*, int64_t v) const { check(v >= -1 && v <= int64_t{1} << 61, "a count out of range"); }
    void operator()(const char*, uint64_t) const {}
    void operator()(const char*, bool) const {}
};

inline nb::dict save(Learner& l) {
    for (const std::vector<Vector>& waiting : l.candidates) check(waiting.empty(), "settle before you save");
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
    check(copy.average.empty() != copy.keep_average && copy.part.empty() != copy.has_batches() && copy.pending.empty() != copy.has_batches(),
          "a state of another plan");
    check(copy.saved.empty() != copy.detect_cycles && copy.epoch_start.empty() != copy.measure_moves, "a state of another plan");
    check(copy.best.empty() != copy.keep_pocket, "a state of another plan");
    each_field(copy, Sane{});
    check(copy.place >= 0 && copy.place <= kChunk && copy.chunk < (int64_t{1} << 50), "a place outside its chunk");
    check(copy.chunk >= 0 ? copy.place <= copy.epoch_rows : copy.place == 0, "a place outside its chunk");
    check(copy.batch_rows >= 0 && copy.batch_rows < copy.batch, "a batch with too many rows");
    check(copy.visited >= 0 && copy.epoch >= 0 && copy.epoch_rows >= 0 && copy.epoch_rows <= copy.visited, "counts that cannot be");
    for (const OutputState& c : copy.outputs) {
        check(c.changes >= 0 && c.batch_updates >= 0 && c.epoch_updates >= c.batch_updates && c.updates >= c.epoch_updates, "counts that cannot be");
        check(c.updates <= copy.visited && c.changes <= c.updates && c.epoch_updates <= copy.epoch_rows, "counts that cannot be");
        check(c.streak >= 0 && c.longest >= 0 && c.record >= 0 && std::max(c.streak, c.record) <= copy.visited, "counts that cannot be");
        check(c.norm >= 0 && c.norm2 >= 0 && c.drift >= 0 && c.travel >= 0, "a negative length");
    }
    // Which features a batch has touched is not part of the state: after a restore, all of them may be.
    for (std::vector<Vector>& waiting : copy.candidates) waiting.clear();
    copy.part_touched.everything = copy.pending_touched.everything = copy.has_batches();
    l = std::move(copy);
}

}  // namespace rosenblatt
