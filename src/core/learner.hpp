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
#include <vector>

#include "rule.hpp"
#include "vector.hpp"

// Rows are cut into chunks of this many, whatever the memory, threads, files or workers: every reduction is per
// chunk, then in chunk order.
constexpr int64_t kChunk = 4096;

// The features a pending batch has touched (a feature may be listed twice), or all of them.
struct Touched {
    bool everything = false;
    std::vector<int64_t> features;
};

// An untyped view of the caller's rows.
struct RowsView {
    bool sparse = false, float32 = false, columns64 = false, starts64 = false;
    const void* values = nullptr;
    const void* columns = nullptr;
    const void* starts = nullptr;
    int64_t n = 0, d = 0;
    int64_t stored = 0;  // of a sparse one: how many entries lie in memory
};

// An index of a sparse row that was sound when it was checked, and is not any more.
struct RowsChanged : std::runtime_error {
    RowsChanged() : std::runtime_error("the sparse matrix was changed while it was read") {}
};

inline Layout layout_of(const RowsView& v, int64_t outputs) {
    return {v.d, outputs, v.sparse && outputs > 1 ? (outputs + 3) / 4 * 4 : outputs, v.sparse};
}

// Who is updated, by how much: the sign of one output; each output against the rest; or the true class against its
// strongest rival (Crammer and Singer 2003).
enum class Decision { binary, ovr, direct };

// The tallies of a chunk or an epoch. `squared` has four lanes, by place in the chunk.
struct Tally {
    int64_t rows = 0, mistakes = 0;
    double criterion = 0, squared[4] = {0, 0, 0, 0};

    double squared_sum() const { return (squared[0] + squared[1]) + (squared[2] + squared[3]); }
};

// The run of one output (one in all for `binary` and `direct`): what the laws of the theory speak of.
struct Course {
    int64_t updates = 0, changes = 0;              // rows that moved w, and times w changed
    int64_t epoch_updates = 0, batch_updates = 0;  // of these, in this epoch and in the pending batch
    double sum_tau = 0;                            // the sum of tau
    bool signs = true;                             // every tau so far was >= 0
    double travel = 0;                             // the sum of |tau|·||x'|| in this epoch
    double norm = 0;                               // ||w'|| when the epoch began
    double drift = 0;                              // bound on || w' as stored - w' in exact arithmetic ||
    double norm2 = 0;                              // ||w'||² now, kept in O(1) for rules with beta > 0
    int64_t streak = 0, longest = 0;               // rows in a row that left w alone: now, and at most, for this w
    int64_t record = 0;                            // the longest streak of any candidate for the pocket
    int64_t pocket_mistakes = -1;                  // of the w in the pocket, on all rows; -1: the pocket is empty
    int64_t present_mistakes = -1;                 // of the w that stands, at the last snapshot
};

// The mistakes of each of a course's candidates on all rows. Whoever knows all the rows answers; the learner only ever
// sees some.
using Count = std::function<std::vector<int64_t>(int64_t course)>;

// Room for so many more, growing as push_back does: by a share of what is there.
template <class T>
void make_room_in(std::vector<T>& list, size_t more) {
    if (list.capacity() - list.size() < more) list.reserve(std::max(list.size() + more, 2 * list.capacity()));
}

struct Log {
    std::vector<int64_t> row, output, visit, change;
    std::vector<double> step;

    void make_room(size_t more) {
        for (std::vector<int64_t>* list : {&row, &output, &visit, &change}) make_room_in(*list, more);
        make_room_in(step, more);
    }
};

struct EpochEnd {
    int64_t rows, mistakes, updates;
    double criterion, squared, norm, moved;
    std::vector<double> margin_upper;
    int64_t repeats;  // the epoch whose weights have come back (0: the start), or -1
};

constexpr double kUnit = 1.1102230246251565e-16;  // 2^-53, half the spacing at 1

struct Learner {
    // What is learnt, and how.
    Rule rule;
    Decision decision = Decision::binary;
    Layout layout;
    double rho2 = 0;             // the square of the constant appended to every row; 0: no offset
    int64_t batch = 1;           // rows per weight change
    bool logging = false, averaging = false, watching = false, stepping = false, pocketing = false;
    double eta = 1;              // the constant step, or
    std::vector<double> etas;    // a table of steps for weight changes first_eta, first_eta + 1, …
    int64_t first_eta = 0;

    // Where it stands.
    Vector weights, start, average;  // `start` is empty for zero; `average` holds the sum of t·(change at visit t)
    Vector part, pending;            // the batch: rows of this chunk, and of the chunks before it
    Touched part_touched, pending_touched;
    Vector epoch_start;              // for ||Δw|| over an epoch, when asked for
    std::vector<Course> courses;
    int64_t visited = 0, batch_rows = 0;
    int64_t epoch = 0, epoch_rows = 0;
    int64_t chunk = -1, place = 0;   // the open chunk, and how many of its rows have been met
    Tally chunk_tally, epoch_tally;

    // For whoever watches; no part of the state.
    int64_t pause_at = INT64_MAX;    // rows visited, over all epochs, before which `advance` returns
    int64_t wrong = 0;               // rows predicted wrong before they were learnt, in this process

    Vector saved;                    // Brent's one saved vector: the weights at the end of epoch `saved_epoch`
    int64_t saved_epoch = 0, saved_power = 1;
    Vector best;                     // the pocket: of each course the weights with the fewest mistakes so far
    std::vector<std::vector<Vector>> candidates;  // of each course, those not yet counted; none in a saved state
    Log log;
    int64_t logged = 0;
    uint64_t digest = 0;
    int64_t shared_looks = 0;        // times that threads looked ahead together; not part of the state
    const Count* count = nullptr;    // answers for all rows, during a call; not part of the state

    bool batching() const { return batch > 1; }

    Course& course(int64_t k) { return courses[decision == Decision::ovr ? size_t(k) : 0]; }

    double rate(const Course& c) const {
        if (!rule.scaled) return 1;
        return etas.empty() ? eta : etas[size_t(c.changes + 1 - first_eta)];
    }

    bool out_of_etas(const Course& c) const { return rule.scaled && !etas.empty() && c.changes + 1 - first_eta >= int64_t(etas.size()); }

    void open() {
        weights.zero(layout);
        if (averaging) average.zero(layout);
        if (batching()) {
            part.zero(layout);
            pending.zero(layout);
        }
        courses.assign(decision == Decision::ovr ? size_t(layout.outputs) : 1, Course{});
        if (pocketing) {
            best.zero(layout);
            candidates.resize(courses.size());
        }
    }

    // To be called when `weights` have been set from outside, before the first row.
    void begin() {
        if (watching) saved = weights;
        if (stepping) epoch_start = weights;
        const std::vector<Norm> now = norms(weights, nullptr);
        for (size_t c = 0; c < courses.size(); ++c) {
            courses[c].norm = now[c].augmented;
            courses[c].norm2 = now[c].squared;
        }
    }

    void close_chunk() {
        if (chunk < 0) return;
        epoch_tally.rows += chunk_tally.rows;
        epoch_tally.mistakes += chunk_tally.mistakes;
        epoch_tally.criterion += chunk_tally.criterion;
        epoch_tally.squared[0] += chunk_tally.squared_sum();
        chunk_tally = Tally{};
        if (batching()) fold(part, part_touched, pending, &pending_touched);
        chunk = -1;
        place = 0;
    }

    // w += the pending batch: one weight change for each output that had an update in it.
    void apply_batch() {
        // A batch that began in this chunk lies in `part` alone.
        const bool spans = pending_touched.everything || !pending_touched.features.empty();
        if (spans) fold(part, part_touched, pending, &pending_touched);
        Vector& sum = spans ? pending : part;
        Touched& touched = spans ? pending_touched : part_touched;
        if (pocketing)
            for (size_t c = 0; c < courses.size(); ++c)
                if (courses[c].batch_updates > 0) ratchet(int64_t(c));
        const double t = double(visited);
        const auto move = [&](double& g, double& w, double* u) {
            if (u) *u += t * g;
            w += g;
            g = 0;
        };
        each_touched(touched, [&](size_t at) { move(sum.w[at], weights.w[at], averaging ? &average.w[at] : nullptr); });
        for (size_t k = 0; k < sum.b.size(); ++k) move(sum.b[k], weights.b[k], averaging ? &average.b[k] : nullptr);
        touched = Touched{};
        for (Course& c : courses) {
            if (c.batch_updates == 0) continue;
            ++c.changes;
            c.batch_updates = 0;
            c.streak = c.longest = 0;
        }
        batch_rows = 0;
        // Computed afresh: a sum over the features a batch has touched would depend on where a run was resumed.
        if (rule.beta > 0) {
            const std::vector<Norm> now = norms(weights, nullptr);
            for (size_t c = 0; c < courses.size(); ++c) courses[c].norm2 = now[c].squared;
        }
    }

    EpochEnd finish_epoch() {
        if (batching()) apply_batch();
        close_chunk();
        ++epoch;
        EpochEnd end{epoch_tally.rows,
                     epoch_tally.mistakes,
                     0,
                     epoch_tally.criterion,
                     epoch_tally.squared_sum(),
                     0,
                     std::numeric_limits<double>::infinity(),
                     {},
                     -1};
        if (stepping) end.moved = 0;
        // What gradual underflow may lose in one update: some of the least doubles, and of b, seen as b/rho.
        const double tiny = 1e-306 + (rho2 > 0 ? 1e-322 / std::sqrt(rho2) : 0);
        const std::vector<Norm> norms_now = norms(weights, nullptr);
        const std::vector<Norm> from_start = start.empty() ? norms_now : norms(weights, &start);
        const std::vector<Norm> moved = stepping ? norms(weights, &epoch_start) : std::vector<Norm>();
        for (size_t i = 0; i < courses.size(); ++i) {
            Course& c = courses[i];
            // Each of the epoch's updates rounded w (and the batch's sums) by at most a few units of the largest
            // norm on the way, which the triangle inequality bounds by where the epoch began plus how far it went.
            c.drift += double(c.epoch_updates) * (8 * kUnit * (c.norm + c.travel) + tiny);
            const Norm& now = norms_now[i];
            c.norm = now.augmented;
            c.norm2 = now.squared;
            end.norm = std::hypot(end.norm, now.plain);
            end.margin_upper.push_back(margin_upper(c, from_start[i].augmented));
            end.updates += c.epoch_updates;
            c.epoch_updates = 0;
            c.travel = 0;
            if (stepping) end.moved = std::hypot(end.moved, moved[i].augmented);
        }
        if (stepping) epoch_start = weights;
        epoch_tally = Tally{};
        epoch_rows = 0;
        if (watching) end.repeats = watch();
        return end;
    }

    // The pocket algorithm with ratchet (Gallant 1990), to be called while a course's weights still stand: if they left
    // alone more rows in a row than any before them, their mistakes on all rows are to be counted; into the pocket go
    // those with the fewest, the first of equals. The start is always a candidate, so the pocket is never empty.
    // Candidates wait until there are some, because counting them together takes hardly longer than counting one.
    void ratchet(int64_t i) {
        constexpr size_t together = 8;
        Course& c = courses[size_t(i)];
        c.longest = std::max(c.longest, c.streak);
        std::vector<Vector>& waiting = candidates[size_t(i)];
        const bool first = c.pocket_mistakes < 0 && waiting.empty();
        if (c.longest <= c.record && !first) return;
        waiting.push_back(weights_of(i));
        c.record = std::max(c.record, c.longest);
        if (waiting.size() >= together) settle(i);  // more, if counting them failed the last time
    }

    // Before a snapshot: what stands is a candidate like any other, and counted even if it is not one. Whether it was
    // counted early, and again when its streak ended, or then only, comes to the same.
    void settle_all() {
        for (size_t i = 0; i < courses.size(); ++i) {
            ratchet(int64_t(i));
            candidates[i].push_back(weights_of(int64_t(i)));
            courses[i].present_mistakes = settle(int64_t(i), 1);
        }
    }

    // Counts the candidates and empties the list. The last `guests` of them are counted only: the mistakes of the last.
    int64_t settle(int64_t i, size_t guests = 0) {
        std::vector<Vector>& waiting = candidates[size_t(i)];
        std::vector<int64_t> mistakes;
        try {
            mistakes = (*count)(i);
        } catch (...) {
            waiting.resize(waiting.size() - guests);  // the candidates wait on; a guest does not become one
            throw;
        }
        Course& c = courses[size_t(i)];
        for (size_t w = 0; w + guests < waiting.size(); ++w) {
            if (c.pocket_mistakes >= 0 && mistakes[w] >= c.pocket_mistakes) continue;
            c.pocket_mistakes = mistakes[w];
            const int64_t from = decision == Decision::ovr ? i : 0;
            for (int64_t k = 0; k < outputs_of_course(); ++k) {
                for (int64_t j = 0; j < layout.features; ++j) best.w[size_t(layout.at(j, from + k))] = waiting[w].w[size_t(k * layout.features + j)];
                best.b[size_t(from + k)] = waiting[w].b[size_t(k)];
            }
        }
        waiting.clear();
        return mistakes.back();
    }

    int64_t outputs_of_course() const { return decision == Decision::ovr ? 1 : layout.outputs; }

    // The weights of a course alone, output after output.
    Vector weights_of(int64_t i) const {
        const int64_t from = decision == Decision::ovr ? i : 0;
        Vector v;
        v.w.reserve(size_t(outputs_of_course() * layout.features));
        for (int64_t k = from; k < from + outputs_of_course(); ++k) {
            for (int64_t j = 0; j < layout.features; ++j) v.w.push_back(weights.w[size_t(layout.at(j, k))]);
            v.b.push_back(weights.b[size_t(k)]);
        }
        return v;
    }

    // Law 9: u·(w' - w'_0) >= gamma'·Σ tau for every unit separator u with augmented margin gamma', so gamma' is at
    // most ||w' - w'_0|| / Σ tau. Rounded outward: the norm up, by its own rounding and the drift; Σ tau down.
    double margin_upper(const Course& c, double length) const {
        const double inf = std::numeric_limits<double>::infinity();
        if (!c.signs || !(c.sum_tau > 0) || !std::isfinite(c.sum_tau)) return inf;
        const double terms = double(layout.features * (decision == Decision::ovr ? 1 : layout.outputs)) + 16;
        const double size = length * (1 + 4 * kUnit * terms);
        const double steps = c.sum_tau * (1 - 2 * kUnit * (double(c.updates) + 8));
        return std::nextafter((size + c.drift) / steps * (1 + 8 * kUnit), inf);
    }

    // The norms of each course, or of its difference to `minus`.
    std::vector<Norm> norms(const Vector& a, const Vector* minus) const {
        const std::vector<double> known = squares_of(layout, a, minus);
        std::vector<Norm> found;
        for (int64_t i = 0; i < int64_t(courses.size()); ++i) {
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
        ++logged;
        uint64_t bits;
        static_assert(sizeof bits == sizeof step);
        std::copy_n(reinterpret_cast<const char*>(&step), sizeof bits, reinterpret_cast<char*>(&bits));
        for (uint64_t word : {uint64_t(row), uint64_t(output), bits, uint64_t(visited)}) digest = (digest ^ word) * 0x100000001b3ULL;
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
    void fold(Vector& from, Touched& touched, Vector& to, Touched* to_touched) const {
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
    int64_t watch() {
        if (weights == saved) return saved_epoch;
        if (epoch == saved_epoch + saved_power) {
            saved = weights;
            saved_epoch = epoch;
            saved_power *= 2;
        }
        return -1;
    }
};
