// THE loop. state + rows -> state.
//
// Given rows (x_i, y_i), a rule (rule.hpp) and a learner (learner.hpp), meet the rows in the order of the visit:
//
//     m = y·(w·x + b)                              the functional margin
//     if m <= theta:   w += tau·y·x,  b += tau·y·rho²
//
// Rosenblatt 1958; Novikoff 1962 for the perceptron's bound; Freund and Schapire 1999 for the average. A batch of B
// rows shares one w: its updates gather in the learner's pending sum and move w together. K outputs share the pass.
//
// Between two updates w does not change, so the loop is: scan ahead for the next row that triggers, handle it, go on
// behind it. Scanning is read-only, so several threads may do it: each takes some of the rows to come, and the first
// trigger in row order counts. What any thread saw behind it is forgotten; not a bit depends on it.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Where in the rows that were given the p-th row of the open chunk lies.
struct Places {
    int64_t first;         // the place of the chunk's first row, if they are met as they lie
    const int64_t* order;  // the numbers of the rows to be met, or none
    int64_t first_row;     // the number of the first row given
    int64_t operator()(int64_t p) const { return order ? order[p] - first_row : first + p; }
};

// Labels: ±1 in a byte each, or the number of the class.
template <Decision how>
using Label = std::conditional_t<how == Decision::binary, int8_t, int32_t>;

// The read-only half of the loop: the scores of a row, and whether it triggers.
template <class Rows, Decision how>
struct RowScan {
    const Rows& rows;
    const Learner& learner;
    const Label<how>* y;
    const double* thresholds;  // the largest m that triggers, for each output

    // Computes the scores and the squared loss, and tells whether the row triggers. A score that is not finite does.
    bool triggers(int64_t i, double* s, double& loss) const {
        const Vector& v = learner.weights;
        constexpr double most = std::numeric_limits<double>::max();
        if constexpr (how == Decision::binary) {
            s[0] = rows.score(i, v.w.data()) + v.b[0];
            const double m = s[0] * double(y[i]);
            loss = (1 - m) * (1 - m);
            return !(m > thresholds[0] && m <= most);
        } else {
            const int64_t outputs = learner.layout.outputs;
            rows.scores(i, v.w.data(), learner.layout, s);
            for (int64_t k = 0; k < outputs; ++k) s[k] += v.b[size_t(k)];
            if constexpr (how == Decision::ovr) {
                bool hit = false;
                loss = 0;
                for (int64_t k = 0; k < outputs; ++k) {
                    const double m = k == y[i] ? s[k] : -s[k];
                    loss += (1 - m) * (1 - m);
                    hit |= !(m > thresholds[k] && m <= most);
                }
                return hit;
            } else {
                const int64_t own = checked_label(y[i], outputs);
                const double m = s[own] - s[rival(s, own)];
                loss = (1 - m) * (1 - m);
                return !(m > thresholds[0] && m <= most);
            }
        }
    }

    // The strongest wrong class; the first on a tie.
    int64_t rival(const double* s, int64_t label) const {
        int64_t best = label == 0 ? 1 : 0;
        for (int64_t k = best + 1; k < learner.layout.outputs; ++k)
            if (k != label && s[k] > s[best]) best = k;
        return best;
    }

    // The first place in [from, to) that triggers, or `to`; losses[p - from] is set for every place scanned. Gives up
    // where another thread has found a trigger before. A function of its own: inlined into the loop, it would share the
    // registers with all the rest, and lose a fifth of its speed.
    __attribute__((noinline)) int64_t first_trigger(const Places& at, int64_t from, int64_t to, double* s, double* losses,
                                                    const std::atomic<int64_t>& known) const {
        constexpr int64_t ahead = 6;  // rows between the prefetch of a row and reading it
        // Sparse rows pick weights from everywhere: where these are more than a near cache holds, they are prefetched a
        // row ahead. (Those of one output are so few cache lines that prefetching costs more than it saves.)
        const bool scattered = Rows::feature_major && learner.layout.outputs > 1 && learner.layout.size() > 32768;
        for (int64_t p = from; p < to; ++p) {
            if (known.load(std::memory_order_relaxed) < p) return to;
            if (at.order && p + ahead < to) rows.prefetch(at(p + ahead));
            if (scattered && p + 1 < to) rows.prefetch_weights(at(p + 1), learner.weights.w.data(), learner.layout);
            if (triggers(at(p), s, losses[p - from])) return p;
        }
        return to;
    }
};

template <class Rows, Decision how>
class Loop {
   public:
    Loop(const Rows& rows, const TakenRows& taken, Learner& learner, int threads, double seconds)
        : rows_(rows), taken_(taken), y_(static_cast<const Label<how>*>(taken.labels)), l_(learner), team_(threads), seconds_(seconds),
          began_(Clock::now()) {
        const size_t outputs = size_t(l_.layout.outputs);
        scores_.resize(outputs * size_t(std::max(threads, 1)));
        thresholds_.resize(outputs);
        losses_.resize(size_t(kChunk));
        found_.resize(size_t(team_.size()));
        row_cost_ = std::max(1.0, rows_.mean_width() * double(outputs));
        worth_sharing_ = std::max<int64_t>(16, int64_t(20000 / row_cost_));
        update_thresholds();
    }

    Outcome run(const Visit& visit) {
        Outcome out;
        int64_t before = 0;  // rows of the visit's earlier chunks
        for (int64_t c = 0; c < visit.count; ++c) {
            const int64_t chunk = visit.chunks[c];
            const auto [first, size] = span_of(taken_, visit, c, before);
            // The open chunk is taken up where it was left; any other begins, and so does one already met in full.
            if (l_.chunk != chunk || l_.chunk_place >= size) {
                l_.close_chunk();
                l_.chunk = chunk;
            }
            const Places at{first, visit.order ? visit.order + before : nullptr, taken_.first_row};
            if (!run_chunk(at, size, out)) return out;
            before += size;
            ++out.chunks;
        }
        return out;
    }

   private:
    using Clock = std::chrono::steady_clock;

    // Meets the rest of the open chunk. False: the call ends here, and `out` says why.
    bool run_chunk(const Places& at, int64_t size, Outcome& out) {
        while (l_.chunk_place < size) {
            if (l_.visited >= l_.pause_at) {
                out.event = Event::paused;
                return false;
            }
            int64_t to = std::min(size, l_.chunk_place + std::min(longest_scan(), l_.pause_at - l_.visited));
            if (l_.has_batches()) to = std::min(to, l_.chunk_place + (l_.batch - l_.batch_rows));
            double* s = scores_.data();
            const int64_t from = l_.chunk_place;
            const int64_t hit = find_trigger(at, from, to, s);
            const int64_t clear = hit - from;  // rows that needed nothing
            for (int64_t p = from; p < hit; ++p) l_.chunk_tally.squared[p & 3] += losses_[size_t(p - from)];
            count_rows(clear);
            gap_ += clear;
            if (l_.keep_pocket)
                for (OutputState& c : l_.outputs) c.streak += clear;
            if (hit < to) {
                mean_gap_ += (double(gap_) - mean_gap_) / 8;
                gap_ = 0;
                if (!handle_trigger(at(hit), s, losses_[size_t(clear)], out)) return false;
            }
            if (l_.has_batches() && l_.batch_rows >= l_.batch) {
                l_.apply_batch();
                update_thresholds();
            }
            work_ += double(l_.chunk_place - from) * row_cost_;
            if (work_ > 1e6 && l_.chunk_place < size) {
                work_ = 0;
                if (std::chrono::duration<double>(Clock::now() - began_).count() > seconds_) {
                    out.event = Event::paused;
                    return false;
                }
            }
        }
        return true;
    }

    void count_rows(int64_t rows) {
        l_.visited += rows;
        l_.chunk_place += rows;
        l_.epoch_rows += rows;
        l_.chunk_tally.rows += rows;
        if (l_.has_batches()) l_.batch_rows += rows;
    }

    // How many rows to scan at a time: never so many that an interrupt would have to wait.
    int64_t longest_scan() const { return std::max<int64_t>(1, int64_t(4e7 / row_cost_)); }

    // Threads share a scan when triggers are so far apart that it takes some ten microseconds: less, and they only wait
    // for each other.
    bool worth_threads() const { return team_.size() > 1 && mean_gap_ + double(gap_) >= double(worth_sharing_); }

    // The first place that triggers, or `to`, and its scores.
    int64_t find_trigger(const Places& at, int64_t from, int64_t to, double*& s) {
        const RowScan<Rows, how> scan{rows_, l_, y_, thresholds_.data()};
        std::atomic<int64_t> first{to};
        if (!worth_threads() || to - from < 2 * worth_sharing_) return scan.first_trigger(at, from, to, s, losses_.data(), first);
        ++l_.parallel_scans;
        std::fill(found_.begin(), found_.end(), -1);
        const int64_t piece = std::max<int64_t>(8, worth_sharing_ / 4);  // small: what is scanned behind a trigger is lost
        std::atomic<int64_t> next{from};
        // Pieces are taken in order and each is scanned to its end, so every row before the first trigger is scanned.
        team_.run([&](int member) {
            double* mine = scores_.data() + member * l_.layout.outputs;
            for (int64_t lo = next.fetch_add(piece); lo < first.load(); lo = next.fetch_add(piece)) {
                const int64_t hi = std::min(to, lo + piece), p = scan.first_trigger(at, lo, hi, mine, losses_.data() + (lo - from), first);
                if (p == hi) continue;
                lower(first, p);
                found_[size_t(member)] = p;
                return;
            }
        });
        for (int member = 0; member < team_.size(); ++member)
            if (first.load() < to && found_[size_t(member)] == first.load()) s = scores_.data() + member * l_.layout.outputs;
        return first.load();
    }

    // A row that triggers: tally its mistake and update. False when that is not possible (see `out`).
    __attribute__((noinline)) bool handle_trigger(int64_t i, const double* s, double loss, Outcome& out) {
        out.row = taken_.number(i);
        for (int64_t k = 0; k < l_.layout.outputs; ++k)
            if (!std::isfinite(s[k])) return stop_at(rows_.first_nonfinite(i) >= 0 ? Event::not_finite : Event::score_overflow, i, out);
        for (const OutputState& c : l_.outputs)
            if (l_.out_of_etas(c)) {
                out.event = Event::out_of_etas;
                return false;
            }
        const double norm2 = l_.rule.coin > 0 ? 0 : rows_.norm2(i) + l_.rho2;  // of which bets know nothing
        if (!(norm2 <= std::numeric_limits<double>::max() / 4)) return stop_at(Event::norm_overflow, i, out);
        double norm = std::sqrt(norm2);
        if (norm2 < 1e-280) {
            // Squares of such small numbers vanish; the largest entry bounds the norm well enough for the laws.
            norm = rows_.largest(i) * std::sqrt(double(rows_.width(i)) + 1) + std::sqrt(l_.rho2);
            if (norm > 0 && (l_.rule.p > 0 || l_.rule.beta > 0)) return stop_at(Event::norm_underflow, i, out);
        }
        if constexpr (how == Decision::direct) norm *= std::sqrt(2.0);

        // First every step, then every change: a row is learnt from wholly or not at all.
        steps_.clear();
        int64_t mistakes = 0;
        double criterion = 0;
        const auto consider = [&](int64_t k, double m, double length2) {
            if (m <= 0) {
                ++mistakes;
                criterion -= m;
            }
            if (m > thresholds_[size_t(k)]) return true;
            OutputState& c = l_.output(k);
            double tau = l_.rate(c) * l_.rule.step(m, length2);
            if (taken_.weight) tau = l_.rule.weighted(tau, taken_.weight[i], m, length2);
            if (tau == 0) return true;
            steps_.push_back({k, m, tau, length2});
            if (l_.rule.coin > 0) return true;
            // Within this reach neither w nor b = rho·w'_b nor the sums of the average can overflow.
            const double reach = c.norm + (c.path_length + c.chunk_path_length) + std::fabs(tau) * norm;
            if (!(reach * std::max(1.0, std::sqrt(l_.rho2)) * (l_.keep_average ? double(l_.visited + 1) : 1.0) < 1e300)) return false;
            // Nor may ||w'||² overflow or vanish, where the rule's threshold is made of it.
            const bool seen = length2 == 0 || tau * tau * length2 > 1e-280;
            return !(l_.rule.beta > 0 && !(reach < 1e150 && c.norm2 < 1e300 && seen));
        };
        if constexpr (how == Decision::binary) {
            if (!consider(0, s[0] * double(y_[i]), norm2)) return stop_at(Event::step_overflow, i, out);
        } else if constexpr (how == Decision::ovr) {
            for (int64_t k = 0; k < l_.layout.outputs; ++k)
                if (!consider(k, k == y_[i] ? s[k] : -s[k], norm2)) return stop_at(Event::step_overflow, i, out);
        } else {
            const RowScan<Rows, how> scan{rows_, l_, y_, thresholds_.data()};
            own_ = checked_label(y_[i], l_.layout.outputs);
            rival_ = scan.rival(s, own_);
            // In the joint space of the classes the row stands once with each sign: twice the squared length.
            if (!consider(0, s[own_] - s[rival_], 2 * norm2)) return stop_at(Event::step_overflow, i, out);
        }

        for (const Step& step : steps_)
            for (int64_t k : {how == Decision::direct ? own_ : step.k, how == Decision::direct ? rival_ : step.k})
                if (!bet_fits(rows_, i, l_, k, step.tau)) return stop_at(Event::step_overflow, i, out);
        make_room(i);
        if (l_.keep_pocket) end_streaks();
        l_.wrong += is_wrong(i, s);
        l_.chunk_tally.squared[l_.chunk_place & 3] += loss;
        l_.chunk_tally.mistakes += mistakes;
        l_.chunk_tally.criterion += criterion;
        count_rows(1);
        for (const Step& step : steps_) update(i, step, norm);
        if (l_.rule.beta > 0 && !l_.has_batches() && !steps_.empty()) update_thresholds();
        return true;
    }

    // Whether the row is predicted wrong before it is learnt, as `predict` has it: a score > 0 is the positive class; of
    // K outputs the first of the largest wins. One that does not trigger never is.
    bool is_wrong(int64_t i, const double* s) const {
        if constexpr (how == Decision::binary) return (s[0] > 0) != (y_[i] > 0);
        else return std::max_element(s, s + l_.layout.outputs) - s != y_[i];
    }

    struct Step {
        int64_t k;
        double m, tau, length2;
    };

    // The memory that the changes will take, before the first of them: where there is none left the row is not met.
    void make_room(int64_t i) {
        if (l_.keep_log) l_.log.make_room(2 * steps_.size());
        if (l_.has_batches() && !steps_.empty()) rows_.make_room(i, 2 * int64_t(steps_.size()), l_.batch_chunk_touched);
    }

    // The streak of weights that are about to change ends; in a batch it is only interrupted. Before anything else is
    // changed, because counting asks the caller, who may raise an exception.
    void end_streaks() {
        for (const Step& step : steps_)
            if (!l_.has_batches()) l_.ratchet(how == Decision::ovr ? step.k : 0);
        for (OutputState& c : l_.outputs) ++c.streak;
        for (const Step& step : steps_) {
            OutputState& c = l_.output(step.k);
            c.longest_streak = l_.has_batches() ? std::max(c.longest_streak, c.streak - 1) : 0;
            c.streak = 0;
        }
    }

    void update(int64_t i, const Step& step, double norm) {
        OutputState& c = l_.output(step.k);
        if constexpr (how == Decision::binary) {
            change(i, 0, step.tau * double(y_[i]));
        } else if constexpr (how == Decision::ovr) {
            change(i, step.k, step.k == y_[i] ? step.tau : -step.tau);
        } else {
            change(i, own_, step.tau);
            change(i, rival_, -step.tau);
        }
        ++c.updates;
        ++c.epoch_updates;
        c.chunk_sum_tau += step.tau;
        c.all_steps_nonnegative &= step.tau >= 0;
        c.chunk_path_length += std::fabs(step.tau) * norm;
        if (l_.keep_log) {
            const int64_t row = taken_.number(i);
            if constexpr (how == Decision::direct) {
                l_.record(row, own_, step.tau, c.changes + 1);
                l_.record(row, rival_, step.tau, c.changes + 1);
            } else {
                l_.record(row, step.k, step.tau, c.changes + 1);
            }
        }
        if (l_.has_batches()) {
            ++c.batch_updates;
            return;
        }
        ++c.changes;
        // ||w' + tau·y·x'||² = ||w'||² + 2·tau·m + tau²·||x'||²
        if (l_.rule.beta > 0) c.norm2 = std::max(0.0, c.norm2 + 2 * step.tau * step.m + step.tau * step.tau * step.length2);
    }

    // One output moves by a·x'.
    void change(int64_t i, int64_t k, double a) {
        if (l_.rule.coin > 0) return bet(rows_, i, l_, k, a);
        Vector& to = l_.has_batches() ? l_.batch_chunk_sum : l_.weights;
        to.b[size_t(k)] += a * l_.rho2;
        if (l_.has_batches() || !l_.keep_average) {
            rows_.add(i, a, to.w.data(), l_.layout, k);
            if (l_.has_batches()) rows_.touch(i, l_.batch_chunk_touched);
        } else {
            const double at = a * double(l_.visited);
            rows_.add2(i, a, to.w.data(), at, l_.average.w.data(), l_.layout, k);
            l_.average.b[size_t(k)] += at * l_.rho2;
        }
    }

    void update_thresholds() {
        for (int64_t k = 0; k < l_.layout.outputs; ++k) thresholds_[size_t(k)] = l_.rule.threshold(std::sqrt(l_.output(k).norm2));
    }

    bool stop_at(Event event, int64_t i, Outcome& out) const {
        out.event = event;
        out.column = rows_.first_nonfinite(i);
        out.norm2 = rows_.norm2(i) + l_.rho2;
        return false;
    }

    const Rows& rows_;
    const TakenRows& taken_;
    const Label<how>* y_;
    Learner& l_;
    Team team_;
    const double seconds_;
    const Clock::time_point began_;
    std::vector<double> scores_, thresholds_, losses_;
    std::vector<Step> steps_;
    std::vector<int64_t> found_;  // the trigger each thread found
    int64_t own_ = 0, rival_ = 0, worth_sharing_ = 0, gap_ = 0;
    double row_cost_ = 0, mean_gap_ = 0, work_ = 0;
};

// state + rows -> state: the learner moves along the visit, until its end, a pause, a fault, or `seconds` have passed.
inline Outcome advance(const TakenRows& taken, const Visit& visit, Learner& learner, int threads, double seconds) {
    return with_rows(taken.view, [&](const auto& rows) {
        using Rows = std::decay_t<decltype(rows)>;
        const auto run = [&](auto how) { return Loop<Rows, how.value>(rows, taken, learner, threads, seconds).run(visit); };
        switch (learner.decision) {
            case Decision::binary: return run(std::integral_constant<Decision, Decision::binary>{});
            case Decision::ovr: return run(std::integral_constant<Decision, Decision::ovr>{});
            default: return run(std::integral_constant<Decision, Decision::direct>{});
        }
    });
}
