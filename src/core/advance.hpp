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
// Between two updates w stands still, so the loop is: look ahead for the next row that triggers, deal with it, go on
// behind it. Looking ahead is read-only, so several threads may do it: each takes a stretch of the rows to come, and
// the first trigger in row order counts. What any thread saw behind it is forgotten; not a bit depends on it.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

// Row number (within the view) of the p-th place of an open chunk.
struct Places {
    int64_t first;         // the view's row at place 0, if they are met as they come
    const int64_t* order;  // the numbers of the rows to be met, or none
    int64_t first_row;     // the number of the view's first row
    int64_t operator()(int64_t p) const { return order ? order[p] - first_row : first + p; }
};

// Labels: ±1 in a byte each, or the number of the class.
template <Decision how>
using Label = std::conditional_t<how == Decision::binary, int8_t, int32_t>;

// What one look at a row gives: its scores are in `s`.
template <class Rows, Decision how>
struct Look {
    const Rows& rows;
    const Learner& learner;
    const Label<how>* y;
    const double* bars;  // the largest m that triggers, for each output

    // Computes the scores and the squared loss, and tells whether the row triggers. A score that is not finite does.
    bool triggers(int64_t i, double* s, double& loss) const {
        const Vector& v = learner.weights;
        constexpr double most = std::numeric_limits<double>::max();
        if constexpr (how == Decision::binary) {
            s[0] = rows.score(i, v.w.data()) + v.b[0];
            const double m = s[0] * double(y[i]);
            loss = (1 - m) * (1 - m);
            return !(m > bars[0] && m <= most);
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
                    hit |= !(m > bars[k] && m <= most);
                }
                return hit;
            } else {
                const double m = s[y[i]] - s[rival(s, y[i])];
                loss = (1 - m) * (1 - m);
                return !(m > bars[0] && m <= most);
            }
        }
    }

    // The strongest wrong class; the first on a tie.
    int64_t rival(const double* s, int32_t label) const {
        int64_t best = label == 0 ? 1 : 0;
        for (int64_t k = best + 1; k < learner.layout.outputs; ++k)
            if (k != label && s[k] > s[best]) best = k;
        return best;
    }

    // The first place in [from, to) that triggers, or `to`; losses[p - from] is set for every place looked at. Gives up
    // where another thread has found a trigger before. A function of its own: inlined into the walk, it would share the
    // registers with all the rest, and lose a fifth of its speed.
    __attribute__((noinline)) int64_t ahead(const Places& at, int64_t from, int64_t to, double* s, double* losses,
                                            const std::atomic<int64_t>& known) const {
        constexpr int64_t far = 6;  // rows between asking for a row and reading it
        // Sparse rows pick weights from everywhere: more than a near cache holds, they are asked for a row ahead.
        // (Of one output they are so few lines that the asking costs more than the waiting.)
        const bool scattered = Rows::feature_major && learner.layout.outputs > 1 && learner.layout.size() > 32768;
        for (int64_t p = from; p < to; ++p) {
            if (known.load(std::memory_order_relaxed) < p) return to;
            if (at.order && p + far < to) rows.prefetch(at(p + far));
            if (scattered && p + 1 < to) rows.prefetch_weights(at(p + 1), learner.weights.w.data(), learner.layout);
            if (triggers(at(p), s, losses[p - from])) return p;
        }
        return to;
    }
};

template <class Rows, Decision how>
class Walk {
   public:
    Walk(const Rows& rows, const Label<how>* y, const double* weight, int64_t first_row, Learner& learner, int threads, double seconds)
        : rows_(rows), y_(y), weight_(weight), first_row_(first_row), l_(learner), team_(threads), seconds_(seconds), began_(Clock::now()) {
        const size_t outputs = size_t(l_.layout.outputs);
        scores_.resize(outputs * size_t(std::max(threads, 1)));
        bars_.resize(outputs);
        losses_.resize(size_t(kChunk));
        found_.resize(size_t(team_.size()));
        row_cost_ = std::max(1.0, rows_.mean_width() * double(outputs));
        worth_sharing_ = std::max<int64_t>(16, int64_t(20000 / row_cost_));
        raise_bars();
    }

    Outcome along(const Visit& visit) {
        Outcome out;
        int64_t before = 0;  // places of the visit's earlier chunks in `order`
        for (int64_t c = 0; c < visit.count; ++c) {
            const int64_t chunk = visit.chunks[c];
            const int64_t first = chunk * kChunk - first_row_;
            const int64_t size = visit.sizes ? visit.sizes[c] : std::min(kChunk, rows_.n - first);
            // The open chunk is taken up where it was left; any other begins, and so does one already met in full.
            if (l_.chunk != chunk || l_.place >= size) {
                l_.close_chunk();
                l_.chunk = chunk;
            }
            const Places at{first, visit.order ? visit.order + before : nullptr, first_row_};
            if (!through(at, size, out)) return out;
            before += size;
            ++out.chunks;
        }
        return out;
    }

   private:
    using Clock = std::chrono::steady_clock;

    // Meets the rest of the open chunk. False: the call ends here, and `out` says why.
    bool through(const Places& at, int64_t size, Outcome& out) {
        while (l_.place < size) {
            if (l_.visited >= l_.pause_at) {
                out.event = Event::paused;
                return false;
            }
            int64_t to = std::min(size, l_.place + std::min(stretch(), l_.pause_at - l_.visited));
            if (l_.batching()) to = std::min(to, l_.place + (l_.batch - l_.batch_rows));
            double* s = scores_.data();
            const int64_t from = l_.place;
            const int64_t hit = look(at, from, to, s);
            const int64_t clear = hit - from;  // rows that needed nothing
            for (int64_t p = from; p < hit; ++p) l_.chunk_tally.squared[p & 3] += losses_[size_t(p - from)];
            meet(clear);
            gap_ += clear;
            if (l_.pocketing)
                for (Course& c : l_.courses) c.streak += clear;
            if (hit < to) {
                quiet_ += (double(gap_) - quiet_) / 8;
                gap_ = 0;
                if (!deal_with(at(hit), s, losses_[size_t(clear)], out)) return false;
            }
            if (l_.batching() && l_.batch_rows >= l_.batch) {
                l_.apply_batch();
                raise_bars();
            }
            work_ += double(l_.place - from) * row_cost_;
            if (work_ > 1e6 && l_.place < size) {
                work_ = 0;
                if (std::chrono::duration<double>(Clock::now() - began_).count() > seconds_) {
                    out.event = Event::paused;
                    return false;
                }
            }
        }
        return true;
    }

    void meet(int64_t rows) {
        l_.visited += rows;
        l_.place += rows;
        l_.epoch_rows += rows;
        l_.chunk_tally.rows += rows;
        if (l_.batching()) l_.batch_rows += rows;
    }

    // How far to look at a time: never so far that an interrupt would have to wait.
    int64_t stretch() const { return std::max<int64_t>(1, int64_t(4e7 / row_cost_)); }

    // Looking ahead is shared when triggers are so far apart that it takes some ten microseconds: less, and the threads
    // only wait for each other.
    bool sharing() const { return team_.size() > 1 && quiet_ + double(gap_) >= double(worth_sharing_); }

    // The first place that triggers, or `to`, and its scores.
    int64_t look(const Places& at, int64_t from, int64_t to, double*& s) {
        const Look<Rows, how> eye{rows_, l_, y_, bars_.data()};
        std::atomic<int64_t> first{to};
        if (!sharing() || to - from < 2 * worth_sharing_) return eye.ahead(at, from, to, s, losses_.data(), first);
        ++l_.shared_looks;
        std::fill(found_.begin(), found_.end(), -1);
        const int64_t piece = std::max<int64_t>(8, worth_sharing_ / 4);  // small: what is looked at behind a trigger is lost
        std::atomic<int64_t> next{from};
        // Pieces are taken in order and each is looked through, so whatever lies before the first trigger has been
        // looked at by somebody.
        team_.run([&](int member) {
            double* mine = scores_.data() + member * l_.layout.outputs;
            for (int64_t lo = next.fetch_add(piece); lo < first.load(); lo = next.fetch_add(piece)) {
                const int64_t hi = std::min(to, lo + piece), p = eye.ahead(at, lo, hi, mine, losses_.data() + (lo - from), first);
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

    // A row that triggers: tally its mistake and update. False when it cannot be dealt with (see `out`).
    __attribute__((noinline)) bool deal_with(int64_t i, const double* s, double loss, Outcome& out) {
        out.row = first_row_ + i;
        for (int64_t k = 0; k < l_.layout.outputs; ++k)
            if (!std::isfinite(s[k])) return fault(rows_.first_nonfinite(i) >= 0 ? Event::not_finite : Event::score_overflow, i, out);
        for (const Course& c : l_.courses)
            if (l_.out_of_etas(c)) {
                out.event = Event::out_of_etas;
                return false;
            }
        const double norm2 = rows_.norm2(i) + l_.rho2;
        if (!(norm2 <= std::numeric_limits<double>::max() / 4)) return fault(Event::norm_overflow, i, out);
        double norm = std::sqrt(norm2);
        if (norm2 < 1e-280) {
            // Squares of such small numbers vanish; the largest entry bounds the norm well enough for the laws.
            norm = rows_.largest(i) * std::sqrt(double(rows_.width(i)) + 1) + std::sqrt(l_.rho2);
            if (norm > 0 && (l_.rule.p > 0 || l_.rule.beta > 0)) return fault(Event::norm_underflow, i, out);
        }
        if constexpr (how == Decision::direct) norm *= std::sqrt(2.0);

        // First every step, then every change: a row is dealt with whole or not at all.
        steps_.clear();
        int64_t mistakes = 0;
        double criterion = 0;
        const auto consider = [&](int64_t k, double m, double length2) {
            if (m <= 0) {
                ++mistakes;
                criterion -= m;
            }
            if (m > bars_[size_t(k)]) return true;
            Course& c = l_.course(k);
            double tau = l_.rate(c) * l_.rule.step(m, length2);
            if (weight_) tau = l_.rule.weighted(tau, weight_[i], m, length2);
            if (tau == 0) return true;
            // Within this reach neither w nor b = rho·w'_b nor the sums of the average can overflow.
            const double reach = c.norm + c.travel + std::fabs(tau) * norm;
            if (!(reach * std::max(1.0, std::sqrt(l_.rho2)) * (l_.averaging ? double(l_.visited + 1) : 1.0) < 1e300)) return false;
            // Nor may ||w'||² overflow or vanish, where the rule's threshold is made of it.
            const bool seen = length2 == 0 || tau * tau * length2 > 1e-280;
            if (l_.rule.beta > 0 && !(reach < 1e150 && c.norm2 < 1e300 && seen)) return false;
            steps_.push_back({k, m, tau, length2});
            return true;
        };
        if constexpr (how == Decision::binary) {
            if (!consider(0, s[0] * double(y_[i]), norm2)) return fault(Event::step_overflow, i, out);
        } else if constexpr (how == Decision::ovr) {
            for (int64_t k = 0; k < l_.layout.outputs; ++k)
                if (!consider(k, k == y_[i] ? s[k] : -s[k], norm2)) return fault(Event::step_overflow, i, out);
        } else {
            const Look<Rows, how> eye{rows_, l_, y_, bars_.data()};
            rival_ = eye.rival(s, y_[i]);
            // In the joint space of the classes the row stands once with each sign: twice the squared length.
            if (!consider(0, s[y_[i]] - s[rival_], 2 * norm2)) return fault(Event::step_overflow, i, out);
        }

        make_room(i);
        if (l_.pocketing) keep_pocket();
        l_.wrong += is_wrong(i, s);
        l_.chunk_tally.squared[l_.place & 3] += loss;
        l_.chunk_tally.mistakes += mistakes;
        l_.chunk_tally.criterion += criterion;
        meet(1);
        for (const Step& step : steps_) update(i, step, norm);
        if (l_.rule.beta > 0 && !l_.batching() && !steps_.empty()) raise_bars();
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
        if (l_.logging) l_.log.make_room(2 * steps_.size());
        if (l_.batching() && !steps_.empty()) rows_.make_room(i, 2 * int64_t(steps_.size()), l_.part_touched);
    }

    // The weights that are about to change end their streak; of a batch's they only pause it. Before anything else is
    // changed, because counting asks the caller, who may object.
    void keep_pocket() {
        for (const Step& step : steps_)
            if (!l_.batching()) l_.ratchet(how == Decision::ovr ? step.k : 0);
        for (Course& c : l_.courses) ++c.streak;
        for (const Step& step : steps_) {
            Course& c = l_.course(step.k);
            c.longest = l_.batching() ? std::max(c.longest, c.streak - 1) : 0;
            c.streak = 0;
        }
    }

    void update(int64_t i, const Step& step, double norm) {
        Course& c = l_.course(step.k);
        if constexpr (how == Decision::binary) {
            change(i, 0, step.tau * double(y_[i]));
        } else if constexpr (how == Decision::ovr) {
            change(i, step.k, step.k == y_[i] ? step.tau : -step.tau);
        } else {
            change(i, y_[i], step.tau);
            change(i, rival_, -step.tau);
        }
        ++c.updates;
        ++c.epoch_updates;
        c.sum_tau += step.tau;
        c.signs &= step.tau >= 0;
        c.travel += std::fabs(step.tau) * norm;
        if (l_.logging) {
            const int64_t row = first_row_ + i;
            if constexpr (how == Decision::direct) {
                l_.record(row, y_[i], step.tau, c.changes + 1);
                l_.record(row, rival_, step.tau, c.changes + 1);
            } else {
                l_.record(row, step.k, step.tau, c.changes + 1);
            }
        }
        if (l_.batching()) {
            ++c.batch_updates;
            return;
        }
        ++c.changes;
        // ||w' + tau·y·x'||² = ||w'||² + 2·tau·m + tau²·||x'||²
        if (l_.rule.beta > 0) c.norm2 = std::max(0.0, c.norm2 + 2 * step.tau * step.m + step.tau * step.tau * step.length2);
    }

    // One output moves by a·x'.
    void change(int64_t i, int64_t k, double a) {
        Vector& to = l_.batching() ? l_.part : l_.weights;
        to.b[size_t(k)] += a * l_.rho2;
        if (l_.batching() || !l_.averaging) {
            rows_.add(i, a, to.w.data(), l_.layout, k);
            if (l_.batching()) rows_.touch(i, l_.part_touched);
        } else {
            const double at = a * double(l_.visited);
            rows_.add2(i, a, to.w.data(), at, l_.average.w.data(), l_.layout, k);
            l_.average.b[size_t(k)] += at * l_.rho2;
        }
    }

    void raise_bars() {
        for (int64_t k = 0; k < l_.layout.outputs; ++k) bars_[size_t(k)] = l_.rule.bar(std::sqrt(l_.course(k).norm2));
    }

    bool fault(Event event, int64_t i, Outcome& out) const {
        out.event = event;
        out.column = rows_.first_nonfinite(i);
        out.norm2 = rows_.norm2(i) + l_.rho2;
        return false;
    }

    const Rows& rows_;
    const Label<how>* y_;
    const double* weight_;
    const int64_t first_row_;
    Learner& l_;
    Team team_;
    const double seconds_;
    const Clock::time_point began_;
    std::vector<double> scores_, bars_, losses_;
    std::vector<Step> steps_;
    std::vector<int64_t> found_;  // the place each thread's look ended at
    int64_t rival_ = 0, worth_sharing_ = 0, gap_ = 0;
    double row_cost_ = 0, quiet_ = 0, work_ = 0;
};

// `y` points to labels of the type that the learner's decision takes.
inline Outcome advance(const RowsView& view, const void* y, const double* weight, int64_t first_row, const Visit& visit, Learner& learner,
                       int threads, double seconds) {
    return with_rows(view, [&](const auto& rows) {
        using Rows = std::decay_t<decltype(rows)>;
        const auto walk = [&](auto how) {
            const auto* labels = static_cast<const Label<how.value>*>(y);
            return Walk<Rows, how.value>(rows, labels, weight, first_row, learner, threads, seconds).along(visit);
        };
        switch (learner.decision) {
            case Decision::binary: return walk(std::integral_constant<Decision, Decision::binary>{});
            case Decision::ovr: return walk(std::integral_constant<Decision, Decision::ovr>{});
            default: return walk(std::integral_constant<Decision, Decision::direct>{});
        }
    });
}
