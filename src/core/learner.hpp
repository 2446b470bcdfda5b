// What learning needs to go on, and nothing that touches a row: the mutable side of State.
//
// One learner owns the weights of K outputs, the pending batch, the sums of the average, the counters, the tallies of
// the epoch, the cycle detector and the pocket. `advance` (advance.hpp) moves it along rows; `finish_epoch` closes an epoch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "coin.hpp"
#include "log.hpp"
#include "output_state.hpp"
#include "rows_view.hpp"
#include "rule.hpp"
#include "vector.hpp"

namespace rosenblatt {

// The features a pending batch has touched (a feature may be listed twice), or all of them.
struct Touched {
    bool everything = false;
    std::vector<int64_t> features;
};

// The mistakes, on all rows, of each of an output's candidates for the pocket. Whoever knows all the rows answers; the
// learner only ever sees some.
using MistakeCounter = std::function<std::vector<int64_t>(int64_t output)>;

constexpr double kUnit = 1.1102230246251565e-16;  // 2^-53, half the spacing at 1

// What is learnt, and how.
struct LearnerOptions {
    Rule rule;
    Decision decision = Decision::binary;
    Layout layout;
    double rho2 = 0;              // the square of the constant appended to every row; 0: no offset
    int64_t batch = 1;            // rows per weight change
    double eta = 1;               // the constant step
    bool keep_log = false, keep_average = false, keep_pocket = false;
    bool detect_cycles = false;   // whether to look for weights that come back at the end of an epoch
    bool measure_moves = false;   // whether to measure how far w' moves in an epoch
    bool surveyed = false;        // whether coins know the largest entry of every column that there will be
};

struct Learner : LearnerOptions {
    bool in_use = false;             // by a call that changes it; not part of the state
    std::thread::id user;            // the thread of that call
    std::vector<double> etas;        // in place of a constant step: those of weight changes first_eta, first_eta + 1, …
    int64_t first_eta = 0;

    // Where it stands.
    Vector weights, start, average;  // `start` is empty for zero; `average` holds the sum of t·(change at visit t)
    Vector batch_chunk_sum, batch_sum;  // the pending batch: of its rows in the open chunk, and of those in chunks before it
    Touched batch_chunk_touched, batch_touched;
    Vector epoch_start;              // for ||Δw|| over an epoch, when asked for
    Coins coins;                     // of every coordinate that bets: see coin.hpp
    std::vector<OutputState> outputs;  // one for each output; for `direct`, whose outputs move together, one in all
    int64_t visited = 0, batch_rows = 0;
    int64_t epoch = 0, epoch_rows = 0;
    int64_t chunk = -1, chunk_place = 0;  // the open chunk, and how many of its rows have been met
    Tally chunk_tally, epoch_tally;

    // No part of the state.
    int64_t pause_at = INT64_MAX;    // rows visited, over all epochs, before which `advance` returns
    int64_t wrong = 0;               // rows predicted wrong before they were learnt, in this process

    Vector cycle_weights;            // Brent's one saved vector: the weights at the end of epoch `cycle_epoch`
    int64_t cycle_epoch = 0, cycle_power = 1;  // it is renewed `cycle_power` epochs later, a power of 2 that doubles each time
    Vector pocket;                   // of each output the weights with the fewest mistakes so far
    std::vector<std::vector<Vector>> candidates;  // of each output, those not yet counted; none in a saved state
    Log log;
    int64_t log_length = 0;
    uint64_t log_digest = 0;
    int64_t parallel_scans = 0;              // times that threads scanned ahead together; not part of the state
    const MistakeCounter* counter = nullptr;  // answers for all rows, during a call; not part of the state

    explicit Learner(const LearnerOptions& options) : LearnerOptions(options) {
        weights.zero(layout);
        if (keep_average) average.zero(layout);
        if (has_batches()) {
            batch_chunk_sum.zero(layout);
            batch_sum.zero(layout);
        }
        if (rule.coin > 0) coins.zero(layout);
        outputs.assign(decision == Decision::ovr ? size_t(layout.outputs) : 1, OutputState{});
        if (keep_pocket) {
            pocket.zero(layout);
            candidates.resize(outputs.size());
        }
    }

    // More features, behind those there are: their weights are 0, as an absent feature's have been all along.
    void widen(int64_t features) {
        if (!layout.feature_major || features < layout.features || rule.coin > 0) throw std::invalid_argument("a learner that cannot be widened");
        layout.features = features;
        const auto grow = [&](Vector& v) {
            if (!v.w.empty()) v.w.resize(size_t(layout.size()), 0.0);
        };
        for (Vector* v : {&weights, &start, &average, &batch_chunk_sum, &batch_sum, &epoch_start, &cycle_weights, &pocket}) grow(*v);
        for (auto& some : candidates)
            for (Vector& v : some) grow(v);
    }

    bool has_batches() const { return batch > 1; }

    OutputState& output(int64_t k) { return outputs[decision == Decision::ovr ? size_t(k) : 0]; }

    double rate(const OutputState& c) const {
        if (!rule.scaled) return 1;
        return etas.empty() ? eta : etas[size_t(c.changes + 1 - first_eta)];
    }

    bool out_of_etas(const OutputState& c) const { return rule.scaled && !etas.empty() && c.changes + 1 - first_eta >= int64_t(etas.size()); }

    // The mean over the T + 1 moments after 0, 1, … T rows, of a number that is `now`, where `sum` is that of t·(its change
    // at visit t): of a weight, or of a score.
    double mean(double now, double sum) const {
        const double moments = double(visited + 1);
        return (moments * now - sum) / moments;
    }

    Vector averaged() const {
        Vector v = weights;
        for (size_t i = 0; i < v.w.size(); ++i) v.w[i] = mean(v.w[i], average.w[i]);
        for (size_t k = 0; k < v.b.size(); ++k) v.b[k] = mean(v.b[k], average.b[k]);
        return v;
    }

    // To be called when `weights` have been set from outside, before the first row.
    void begin() {
        if (detect_cycles) cycle_weights = weights;
        if (measure_moves) epoch_start = weights;
        const std::vector<Norm> now = norms(weights, nullptr);
        for (size_t c = 0; c < outputs.size(); ++c) {
            outputs[c].norm = now[c].augmented;
            outputs[c].norm2 = now[c].squared;
        }
    }

    // The largest entry of every column, and of the column of ones: the same for all outputs.
    void set_largest(const double* columns, double ones) {
        for (int64_t k = 0; k < layout.outputs; ++k) {
            for (int64_t j = 0; j < layout.features; ++j) coins.at(layout.at(j, k), kCoinLargest) = columns[j];
            coins.b[size_t(kCoinParts * k + kCoinLargest)] = ones;
        }
    }

    void close_chunk() {
        if (chunk < 0) return;
        epoch_tally.rows += chunk_tally.rows;
        epoch_tally.mistakes += chunk_tally.mistakes;
        epoch_tally.criterion += chunk_tally.criterion;
        epoch_tally.squared[0] += chunk_tally.squared_sum();
        chunk_tally = Tally{};
        for (OutputState& output : outputs) output.close_chunk();
        if (has_batches()) move_sum(batch_chunk_sum, batch_chunk_touched, batch_sum, &batch_touched);
        chunk = -1;
        chunk_place = 0;
    }

    // w += the pending batch: one weight change for each output that had an update in it.
    void apply_batch() {
        // A batch that began in this chunk lies in `batch_chunk_sum` alone. Rows without features move b and touch nothing.
        const bool moves_b = std::any_of(batch_sum.b.begin(), batch_sum.b.end(), [](double b) { return b != 0; });
        const bool spans = moves_b || batch_touched.everything || !batch_touched.features.empty();
        if (spans) move_sum(batch_chunk_sum, batch_chunk_touched, batch_sum, &batch_touched);
        Vector& sum = spans ? batch_sum : batch_chunk_sum;
        Touched& touched = spans ? batch_touched : batch_chunk_touched;
        if (keep_pocket)
            for (size_t c = 0; c < outputs.size(); ++c)
                if (outputs[c].batch_updates > 0) ratchet(int64_t(c));
        const double t = double(visited);
        const auto move = [&](double& g, double& w, double* u) {
            if (u) *u += t * g;
            w += g;
            g = 0;
        };
        each_touched(touched, [&](size_t at) { move(sum.w[at], weights.w[at], keep_average ? &average.w[at] : nullptr); });
        for (size_t k = 0; k < sum.b.size(); ++k) move(sum.b[k], weights.b[k], keep_average ? &average.b[k] : nullptr);
        touched = Touched{};
        for (OutputState& c : outputs) {
            if (c.batch_updates == 0) continue;
            ++c.changes;
            c.batch_updates = 0;
            c.streak = c.longest_streak = 0;
        }
        batch_rows = 0;
        // Computed afresh: a sum over the features a batch has touched would depend on where a run was resumed.
        if (rule.adapts()) {
            const std::vector<Norm> now = norms(weights, nullptr);
            for (size_t c = 0; c < outputs.size(); ++c) outputs[c].norm2 = now[c].squared;
            if (rule.share > 0)
                for (OutputState& c : outputs) c.applied_tau = c.sum_tau + c.chunk_sum_tau;
        }
    }

    // What the threshold is made of, after a step tau on a row with the margin m. Of rules without a share `applied_tau`
    // is not asked for, and stays 0.
    void adapt(OutputState& c, double m, double tau, double length2) const {
        // ||w' + tau·y·x'||² = ||w'||² + 2·tau·m + tau²·||x'||²
        c.norm2 = std::max(0.0, c.norm2 + 2 * tau * m + tau * tau * length2);
        if (rule.share > 0) c.applied_tau = c.sum_tau + c.chunk_sum_tau;
    }

    double threshold(const OutputState& c) const { return rule.threshold(c.norm2, c.applied_tau); }

    EpochEnd finish_epoch() {
        if (has_batches()) apply_batch();
        close_chunk();
        ++epoch;
        EpochEnd end;
        end.rows = epoch_tally.rows;
        end.mistakes = epoch_tally.mistakes;
        end.criterion = epoch_tally.criterion;
        end.squared = epoch_tally.squared_sum();
        if (measure_moves) end.moved = 0;
        // What gradual underflow may lose in one update: some of the least doubles, and of b, seen as b/rho.
        const double tiny = 1e-306 + (rho2 > 0 ? 1e-322 / std::sqrt(rho2) : 0);
        const std::vector<Norm> norms_now = norms(weights, nullptr);
        const std::vector<Norm> from_start = start.empty() ? norms_now : norms(weights, &start);
        const std::vector<Norm> moved = measure_moves ? norms(weights, &epoch_start) : std::vector<Norm>();
        for (size_t i = 0; i < outputs.size(); ++i) {
            OutputState& c = outputs[i];
            // Each of the epoch's updates rounded w (and the batch's sums) by at most a few units of the largest
            // norm on the way, which the triangle inequality bounds by where the epoch began plus how far it went.
            c.rounding_bound += double(c.epoch_updates) * (8 * kUnit * (c.norm + c.path_length) + tiny);
            const Norm& now = norms_now[i];
            c.norm = now.augmented;
            c.norm2 = now.squared;
            end.norm = std::hypot(end.norm, now.plain);
            end.margin_upper.push_back(margin_upper(c, from_start[i].augmented));
            end.updates += c.epoch_updates;
            c.epoch_updates = 0;
            c.path_length = 0;
            if (measure_moves) end.moved = std::hypot(end.moved, moved[i].augmented);
        }
        if (measure_moves) epoch_start = weights;
        epoch_tally = Tally{};
        epoch_rows = 0;
        if (detect_cycles) end.repeats = find_cycle();
        return end;
    }

    // The pocket algorithm with ratchet (Gallant 1990), to be called just before an output's weights change: if they left
    // alone more rows in a row than any before them, their mistakes on all rows are to be counted; into the pocket go
    // those with the fewest, the first of equals. The start is always a candidate, so the pocket is never empty.
    // Candidates wait until there are some, because counting them together takes hardly longer than counting one.
    void ratchet(int64_t i) {
        constexpr size_t together = 8;
        OutputState& c = outputs[size_t(i)];
        c.longest_streak = std::max(c.longest_streak, c.streak);
        std::vector<Vector>& waiting = candidates[size_t(i)];
        const bool first = c.pocket_mistakes < 0 && waiting.empty();
        if (c.longest_streak <= c.longest_candidate_streak && !first) return;
        waiting.push_back(weights_of(i));
        c.longest_candidate_streak = std::max(c.longest_candidate_streak, c.longest_streak);
        if (waiting.size() >= together) count_candidates(i);  // more, if counting them failed the last time
    }

    // Before a snapshot: the present weights are a candidate like any other, and are counted even if they are not one.
    // Whether they were counted early, and again when their streak ended, or only then, comes to the same.
    void settle_pocket() {
        for (size_t i = 0; i < outputs.size(); ++i) {
            ratchet(int64_t(i));
            candidates[i].push_back(weights_of(int64_t(i)));
            outputs[i].present_mistakes = count_candidates(int64_t(i), 1);
        }
    }

    // Counts the mistakes of the candidates, takes the best into the pocket and empties the list. The last `extra` of
    // them are counted, but never taken. Returns the mistakes of the last.
    int64_t count_candidates(int64_t i, size_t extra = 0) {
        std::vector<Vector>& waiting = candidates[size_t(i)];
        std::vector<int64_t> mistakes;
        try {
            mistakes = (*counter)(i);
        } catch (...) {
            waiting.resize(waiting.size() - extra);  // the candidates wait on, without the extra ones
            throw;
        }
        if (mistakes.size() != waiting.size()) throw std::invalid_argument("a count for each candidate is needed");
        OutputState& c = outputs[size_t(i)];
        for (size_t w = 0; w + extra < waiting.size(); ++w) {
            if (c.pocket_mistakes >= 0 && mistakes[w] >= c.pocket_mistakes) continue;
            c.pocket_mistakes = mistakes[w];
            const int64_t from = decision == Decision::ovr ? i : 0;
            for (int64_t k = 0; k < hyperplanes_per_output(); ++k) {
                for (int64_t j = 0; j < layout.features; ++j)
                    pocket.w[size_t(layout.at(j, from + k))] = waiting[w].w[size_t(k * layout.features + j)];
                pocket.b[size_t(from + k)] = waiting[w].b[size_t(k)];
            }
        }
        waiting.clear();
        return mistakes.back();
    }

    int64_t hyperplanes_per_output() const { return decision == Decision::ovr ? 1 : layout.outputs; }

    // The weights that one OutputState speaks of, hyperplane after hyperplane.
    Vector weights_of(int64_t i) const {
        const int64_t from = decision == Decision::ovr ? i : 0;
        Vector v;
        v.w.reserve(size_t(hyperplanes_per_output() * layout.features));
        for (int64_t k = from; k < from + hyperplanes_per_output(); ++k) {
            for (int64_t j = 0; j < layout.features; ++j) v.w.push_back(weights.w[size_t(layout.at(j, k))]);
            v.b.push_back(weights.b[size_t(k)]);
        }
        return v;
    }

    // Law 9: u·(w' - w'_0) >= gamma'·Σ tau for every unit separator u with augmented margin gamma', so gamma' is at
    // most ||w' - w'_0|| / Σ tau. Rounded outward: the norm up, by its own rounding and that of w'; Σ tau down.
    double margin_upper(const OutputState& c, double length) const {
        const double inf = std::numeric_limits<double>::infinity();
        if (rule.coin > 0 || !c.all_steps_nonnegative || !(c.sum_tau > 0) || !std::isfinite(c.sum_tau)) return inf;
        const double terms = double(layout.features * (decision == Decision::ovr ? 1 : layout.outputs)) + 16;
        const double size = length * (1 + 4 * kUnit * terms);
        const double steps = c.sum_tau * (1 - 2 * kUnit * (double(c.updates) + 8));
        return std::nextafter((size + c.rounding_bound) / steps * (1 + 8 * kUnit), inf);
    }

    // The norms of each output, or of its difference to `minus`.
    std::vector<Norm> norms(const Vector& a, const Vector* minus) const {
        const std::vector<double> known = squares_of(layout, a, minus);
        std::vector<Norm> found;
        for (int64_t i = 0; i < int64_t(outputs.size()); ++i) {
            const bool one = decision == Decision::ovr;
            found.push_back(norm_of(layout, rho2, a, minus, known, one ? i : 0, one ? i + 1 : layout.outputs));
        }
        return found;
    }

    void record(int64_t row, int64_t output, double step, int64_t change) {
        log.row.push_back(row);
        log.output.push_back(output);
        log.step.push_back(step);
        log.visit.push_back(visited);
        log.change.push_back(change);
        ++log_length;
        uint64_t bits;
        static_assert(sizeof bits == sizeof step);
        std::copy_n(reinterpret_cast<const char*>(&step), sizeof bits, reinterpret_cast<char*>(&bits));
        for (uint64_t word : {uint64_t(row), uint64_t(output), bits, uint64_t(visited)}) log_digest = (log_digest ^ word) * 0x100000001b3ULL;
    }

   private:
    template <class F>
    void each_touched(const Touched& touched, F&& f) const {
        if (touched.everything) {
            for (int64_t at = 0; at < layout.size(); ++at) f(size_t(at));
            return;
        }
        for (int64_t j : touched.features)
            for (int64_t k = 0; k < layout.outputs; ++k) f(size_t(layout.at(j, k)));
    }

    // to += from; from = 0. A feature listed twice adds zero the second time.
    void move_sum(Vector& from, Touched& touched, Vector& to, Touched* to_touched) const {
        each_touched(touched, [&](size_t at) {
            to.w[at] += from.w[at];
            from.w[at] = 0;
        });
        for (size_t k = 0; k < to.b.size(); ++k) {
            to.b[k] += from.b[k];
            from.b[k] = 0;
        }
        if (to_touched) {
            to_touched->everything |= touched.everything;
            if (!to_touched->everything) to_touched->features.insert(to_touched->features.end(), touched.features.begin(), touched.features.end());
            if (int64_t(to_touched->features.size()) > layout.features) to_touched->everything = true;
        }
        touched = Touched{};
    }

    // Brent's cycle finding: one saved vector, renewed at epochs 0, 1, 3, 7, … In a deterministic order with a
    // constant step the weights are the whole state of an epoch's end, so if they come back the run loops for ever.
    int64_t find_cycle() {
        if (weights == cycle_weights) return cycle_epoch;
        if (epoch == cycle_epoch + cycle_power) {
            cycle_weights = weights;
            cycle_epoch = epoch;
            cycle_power *= 2;
        }
        return -1;
    }
};

}  // namespace rosenblatt
