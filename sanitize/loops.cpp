// The loops of the core that read rows, driven with sanitizers and held to laws that a plain loop can check: learning,
// voting, scanning, products, the exact sums, the largest margin. `make sanitize` builds it with ASan and UBSan, and with
// TSan; of the instruction sets the portable one.

#include "made.hpp"

namespace {

struct Wanted {
    Decision decision;
    Rule rule;
    int64_t batch;
    bool pocket;
};

template <class M>
Learner learner(const M& made, bool sparse, const Wanted& wanted) {
    LearnerOptions options;
    options.rule = wanted.rule;
    options.decision = wanted.decision;
    options.layout = layout_of(made.view(sparse), wanted.decision == Decision::binary ? 1 : 5);
    options.rho2 = 1;
    options.batch = wanted.batch;
    options.keep_log = options.keep_average = options.measure_moves = true;
    options.detect_cycles = wanted.rule.coin == 0;
    options.keep_pocket = wanted.pocket;
    Learner l(options);
    l.begin();
    return l;
}

// Three epochs, in order or shuffled, in one go or stopped after every `pause` rows. The log of all of it.
template <class M>
Log learn(const M& made, bool sparse, Learner& l, bool shuffled, int threads, int64_t pause, const double* weight) {
    const RowsView view = made.view(sparse);
    const TakenRows taken{view, made.labels(l.decision), weight, 0, nullptr};
    const MistakeCounter counter = [&](int64_t output) { return ROSENBLATT_DISPATCH(mistakes(taken, WholeWeights{}, l, output, threads)); };
    l.counter = &counter;
    const int64_t n = made.n, chunks = (n + kChunk - 1) / kChunk;
    std::vector<int64_t> order(size_t(n), 0), blocks(size_t(n / kBlock), 0), numbers(size_t(chunks), 0);
    for (int64_t c = 0; c < chunks; ++c) numbers[size_t(c)] = c;
    for (uint64_t epoch = 1; epoch <= 3; ++epoch) {
        permutation(Stream(7, epoch, kBlockStream), n / kBlock, blocks.data());
        for (int64_t c = 0; c < chunks; ++c) rows_of_chunk(7, epoch, c, kChunk, blocks.data(), n, order.data() + c * kChunk);
        for (int64_t done = 0; done < chunks;) {
            l.pause_at = pause ? l.visited + pause : INT64_MAX;
            const int64_t* rest = shuffled ? order.data() + done * kChunk : nullptr;
            const Visit visit{numbers.data() + done, chunks - done, rest, nullptr};
            const Outcome out = ROSENBLATT_DISPATCH(advance(taken, visit, l, threads, 1e9));
            law(out.event == Event::done || out.event == Event::paused, "learning ends only where it is told to");
            done += out.chunks;
        }
        l.finish_epoch();
    }
    if (l.keep_pocket) l.settle_pocket();
    l.counter = nullptr;
    return std::move(l.log);
}

// The same three epochs, shuffled, from buffers: each chunk is gathered in its order, with the numbers of its rows.
template <class M>
Log learn_gathered(const M& made, bool sparse, Learner& l, int threads, const double* weight) {
    const MistakeCounter counter = [&](int64_t output) {
        return ROSENBLATT_DISPATCH(mistakes(TakenRows{made.view(sparse), made.labels(l.decision)}, WholeWeights{}, l, output, threads));
    };
    l.counter = &counter;
    const int64_t n = made.n, chunks = (n + kChunk - 1) / kChunk;
    std::vector<int64_t> blocks(size_t(n / kBlock), 0);
    for (uint64_t epoch = 1; epoch <= 3; ++epoch) {
        permutation(Stream(7, epoch, kBlockStream), n / kBlock, blocks.data());
        for (int64_t c = 0; c < chunks; ++c) {
            std::vector<int64_t> numbers(size_t(std::min(kChunk, n - c * kChunk)), 0);
            rows_of_chunk(7, epoch, c, kChunk, blocks.data(), n, numbers.data());
            const M some = made.gathered(numbers);
            std::vector<double> weights;
            for (int64_t i : numbers) weights.push_back(weight ? weight[i] : 1);
            const TakenRows taken{some.view(sparse), some.labels(l.decision), weight ? weights.data() : nullptr, 0, numbers.data()};
            const Outcome out = ROSENBLATT_DISPATCH(advance(taken, Visit{&c, 1, nullptr, nullptr}, l, threads, 1e9));
            law(out.event == Event::done && out.chunks == 1, "a gathered chunk is met in full");
        }
        l.finish_epoch();
    }
    if (l.keep_pocket) l.settle_pocket();
    l.counter = nullptr;
    return std::move(l.log);
}

// Whole steps on whole numbers: the log alone gives the weights, exactly, and each weight vector on the way.
template <class M, class F>
Vector replay(const M& made, const Learner& l, const Log& log, F&& each) {
    Vector v;
    v.zero(l.layout);
    for (size_t u = 0; u < log.row.size(); ++u) {
        const int64_t i = log.row[u], k = log.output[u];
        const bool own = l.decision == Decision::binary ? made.signs[size_t(i)] > 0 : made.classes[size_t(i)] == k;
        const double a = own ? log.step[u] : -log.step[u];
        for (int64_t j = 0; j < made.d; ++j) v.w[size_t(l.layout.at(j, k))] += a * made.at(i, j);
        v.b[size_t(k)] += a * l.rho2;
        each(u, v);
    }
    return v;
}

template <class T, class I>
void learning(int64_t n, int64_t d) {
    const Made<T, I> made(n, d, 5, 0.05, 11);
    const std::vector<double> twice(size_t(n), 2.0);
    Rule perceptron, margin, pa, coin;
    margin.beta = 0.25;
    pa.theta0 = 1, pa.strict = true, pa.g = -1, pa.p = 1, pa.q = 0, pa.scaled = false;
    coin.theta0 = 1, coin.strict = true, coin.coin = 0.1, coin.scaled = false;
    Rule squares = coin;
    squares.squares = true;
    for (bool sparse : {false, true})
        for (Decision how : {Decision::binary, Decision::ovr, Decision::direct})
            for (const Wanted& wanted : {Wanted{how, perceptron, 1, false}, Wanted{how, perceptron, 1, true}, Wanted{how, perceptron, 100, true},
                                         Wanted{how, perceptron, 6000, false}, Wanted{how, margin, 1, false}, Wanted{how, pa, 1, true},
                                         Wanted{how, coin, 1, true}, Wanted{how, squares, 1, false}}) {
                Learner one = learner(made, sparse, wanted), many = one, stopped = one, gathered = one;
                const double* weight = wanted.batch == 1 ? nullptr : twice.data();
                const Log log = learn(made, sparse, one, true, 1, 0, weight);
                learn(made, sparse, many, true, 3, 0, weight);
                learn(made, sparse, stopped, true, 2, 1000, weight);
                law(learn_gathered(made, sparse, gathered, 2, weight).row == log.row, "gathered rows are logged by their numbers");
                law(one.weights == gathered.weights && one.average == gathered.average && one.log_digest == gathered.log_digest,
                    "gathering changes nothing");
                law(one.weights == many.weights && one.average == many.average && one.log_digest == many.log_digest, "threads change nothing");
                law(one.weights == stopped.weights && one.average == stopped.average && one.log_digest == stopped.log_digest,
                    "pauses change nothing");
                law(!wanted.pocket || (one.pocket == many.pocket && one.pocket == stopped.pocket), "nor what is in the pocket");
                const Vector again = replay(made, one, log, [](size_t, const Vector&) {});
                if (wanted.rule.g == 0 && wanted.rule.coin == 0) law(again == one.weights, "the log ends at the weights");
                Learner cyclic = learner(made, sparse, wanted);
                learn(made, sparse, cyclic, false, 2, 0, nullptr);
            }
}

template <class T, class I>
void scanning(int64_t n, int64_t d) {
    const Made<T, I> made(n, d, 5, 0.1, 12);
    for (bool sparse : {false, true})
        for (int64_t outputs : {1, 2, 5, 9}) {
            const RowsView view = made.view(sparse);
            const Layout at = layout_of(view, outputs);
            Vector v;
            v.zero(at);
            Stream random(3, 1, 4);
            for (int64_t k = 0; k < outputs; ++k) {
                for (int64_t j = 0; j < d; ++j) v.w[size_t(at.at(j, k))] = double(random.below(15)) - 7;
                v.b[size_t(k)] = double(k) - 1;
            }
            std::vector<double> out(size_t(n * outputs));
            law(ROSENBLATT_DISPATCH(scores(view, v, at, out.data(), 3)) < 0, "every score is finite");
            double radius2 = 0;
            int64_t wrong = 0;
            for (int64_t i = 0; i < n; ++i) {
                int64_t best = 0;
                double norm2 = 0;
                for (int64_t k = 0; k < outputs; ++k) {
                    double s = v.b[size_t(k)];
                    for (int64_t j = 0; j < d; ++j) s += made.at(i, j) * v.w[size_t(at.at(j, k))];
                    law(s == out[size_t(i * outputs + k)], "a score is the plain sum");
                    if (s > out[size_t(i * outputs + best)]) best = k;
                }
                for (int64_t j = 0; j < d; ++j) norm2 += made.at(i, j) * made.at(i, j);
                radius2 = std::max(radius2, norm2);
                if (outputs == 1) wrong += (out[size_t(i)] > 0) != (made.signs[size_t(i)] > 0);
                if (outputs == 5) wrong += best != made.classes[size_t(i)];
            }
            std::vector<double> product(size_t(n * outputs), 0.0), table;
            for (int64_t j = 0; j < d; ++j)
                for (int64_t k = 0; k < outputs; ++k) table.push_back(v.w[size_t(at.at(j, k))]);
            ROSENBLATT_DISPATCH(product(view, table.data(), outputs, product.data()));
            for (int64_t p = 0; p < n * outputs; ++p) law(product[size_t(p)] == out[size_t(p)] - v.b[size_t(p % outputs)], "a product is the score");
            std::vector<double> sums(size_t(d * outputs), 0.0);
            ROSENBLATT_DISPATCH(combination(view, out.data(), outputs, sums.data()));
            for (int64_t j = 0; j < d; ++j)
                for (int64_t k = 0; k < outputs; ++k) {
                    double sum = 0;
                    for (int64_t i = 0; i < n; ++i) sum += made.at(i, j) * out[size_t(i * outputs + k)];
                    law(sum == sums[size_t(j * outputs + k)], "a combination is the plain sum");
                }
            law(ROSENBLATT_DISPATCH(radius2(view, 3)).first == radius2, "the radius is the largest norm");
            if (outputs != 1 && outputs != 5) continue;
            const Decision how = outputs == 1 ? Decision::binary : Decision::ovr;
            const Survey found = ROSENBLATT_DISPATCH(survey(TakenRows{view, made.labels(how)}, WholeWeights{}, v, at, false, true, 3));
            law(found.errors == wrong && found.radius2 == radius2, "the survey counts the rows predicted wrong");
            for (bool all : {false, true}) {
                const auto digest = [&](size_t cut) {
                    Digest d(n, view.d);
                    const size_t bytes = size_t(n) * (outputs == 1 ? 1 : 4);
                    for (size_t at = 0; at < bytes; at += cut) d.labels(static_cast<const char*>(made.labels(how)) + at, std::min(cut, bytes - at));
                    ROSENBLATT_DISPATCH(add_rows(TakenRows{view, made.labels(how)}, all, d));
                    return d.value();
                };
                law(digest(1 << 30) == digest(5) && digest(8) == digest(13), "the same data, the same digest, however cut");
            }
        }
}

// Stored weight vectors, one by one, against the vote that stores none.
template <class T, class I>
void voting(int64_t n, int64_t d) {
    const Made<T, I> made(n, d, 5, 0.2, 13);
    const Made<double, int64_t> wide(n, d, 5, 0.2, 13);
    for (bool sparse : {false, true}) {
        Learner l = learner(made, sparse, {Decision::binary, Rule{}, 1, false});
        const Log log = learn(made, sparse, l, true, 1, 0, nullptr);
        const int64_t size = int64_t(log.row.size()), tiles = (n + kTile - 1) / kTile;
        std::vector<double> step, count, first{double(log.visit.empty() ? l.visited + 1 : log.visit[0])};
        for (size_t u = 0; u < log.row.size(); ++u) {
            step.push_back(log.step[u] * double(made.signs[size_t(log.row[u])]));
            count.push_back(double((u + 1 < log.row.size() ? log.visit[u + 1] : l.visited + 1) - log.visit[u]));
        }
        std::vector<double> expected(size_t(n), 0.0), score(size_t(tiles * kTile), 0.0), votes(score.size());
        const auto sign = [](double s) { return double(s > 0) - double(s < 0); };
        replay(made, l, log, [&](size_t u, const Vector& v) {
            for (int64_t i = 0; i < n; ++i) {
                double s = v.b[0];
                for (int64_t j = 0; j < d; ++j) s += made.at(i, j) * v.w[size_t(j)];
                expected[size_t(i)] += count[u] * sign(s);
            }
        });
        const Ballots ballots{size, log.row.data(), log.output.data(), step.data(), count.data(), first.data(), 1, false, l.rho2};
        ROSENBLATT_DISPATCH(vote(wide.view(sparse), made.view(sparse), ballots, score.data(), votes.data(), 3));
        for (int64_t i = 0; i < n; ++i) law(votes[size_t(i)] == expected[size_t(i)], "a vote is the sum of the votes");
    }
}

template <class T, class I>
void products(int64_t n, int64_t d) {
    const Made<T, I> made(n, d, 5, 0.1, 17);
    for (bool sparse : {false, true}) {
        std::vector<double> found(size_t(n * n), 0.0);
        ROSENBLATT_DISPATCH(gram(made.view(sparse), found.data()));
        for (int64_t i = 0; i < n; ++i)
            for (int64_t h = 0; h < n; ++h) {
                double sum = 0;
                for (int64_t j = 0; j < d; ++j) sum += made.at(i, j) * made.at(h, j);
                law(found[size_t(i * n + h)] == sum, "a product of rows is the plain sum");
            }
    }
}

template <class T, class I>
void exactness(int64_t n, int64_t d) {
    const Made<T, I> made(n, d, 5, 0.1, 14);
    std::vector<int64_t> which;
    for (int64_t i = n - 1; i >= 0; i -= 2) which.push_back(i);
    std::vector<double> w, b{1, 0x1p-60};
    for (int64_t j = 0; j < 2 * d; ++j) w.push_back(j < d ? double(j % 7 - 3) : j % 2 ? 0x1p-70 : 0);
    for (bool sparse : {false, true}) {
        std::vector<int8_t> found(which.size());
        const int64_t count = int64_t(which.size());
        ROSENBLATT_DISPATCH(exact_signs(made.view(sparse), which.data(), count, w.data(), b.data(), 2, found.data(), 3));
        for (size_t p = 0; p < which.size(); ++p) {
            __int128 sum = (__int128{1} << 70) + (1 << 10);  // in units of 2^-70
            for (int64_t j = 0; j < d; ++j) {
                const auto x = __int128(made.at(which[p], j));
                sum += x * __int128(w[size_t(j)]) * (__int128{1} << 70) + (j + d) % 2 * x;
            }
            law(found[p] == (sum > 0) - (sum < 0), "a sign is that of the whole number");
        }
        constexpr int64_t cells = portable::Accumulator::kCells;
        std::vector<int64_t> sums(size_t(d * cells));
        ROSENBLATT_DISPATCH(exact_sums(made.view(sparse), made.signs.data(), sums.data(), 3));
        // In units of the last cell that holds whole numbers, modulo 2^128: a negative sum has all its high cells set.
        constexpr int64_t last = -portable::Accumulator::kLowest / 32, below = -portable::Accumulator::kLowest % 32;
        for (int64_t j = 0; j < d; ++j) {
            unsigned __int128 total = 0;
            for (int64_t c = cells - 1; c >= last; --c) total = (total << 32) + static_cast<unsigned __int128>(__int128(sums[size_t(j * cells + c)]));
            __int128 plain = 0;
            for (int64_t i = 0; i < n; ++i) plain += made.signs[size_t(i)] * __int128(made.at(i, j));
            plain *= __int128{1} << below;
            law(__int128(total) == plain, "an exact sum is the plain sum of whole numbers");
        }
    }
}

template <class T, class I>
void margins(int64_t n, int64_t d) {
    const Made<T, I> made(n, d, 5, 0, 15);
    std::vector<int64_t> which;
    for (int64_t i = 0; i < n; ++i) which.push_back(i);
    const Over never = [] { return false; };
    for (bool sparse : {false, true})
        for (bool free : {false, true}) {
            const SignedRows some{made.view(sparse), made.signs.data(), which.data(), n};
            const auto least = [&](const double* w, double b) {
                double m = 1e300;
                for (int64_t i = 0; i < n; ++i) {
                    double s = b;
                    for (int64_t j = 0; j < d; ++j) s += made.at(i, j) * w[j];
                    m = std::min(m, s * double(made.signs[size_t(i)]));
                }
                return m;
            };
            const Corral c = ROSENBLATT_DISPATCH(corral(some, {free, 1.0, nullptr, 0, 10000, never}));
            law(c.status == "optimal" && least(c.w.data(), c.b) > 1 - 1e-6, "every row lies on its side of the margin");
            if (free) continue;
            std::vector<double> side(size_t(n), 1.0), beta(size_t(n), 0.0), w(size_t(d), 0.0);
            DescentPoint point{beta.data(), w.data(), 0};
            ROSENBLATT_DISPATCH(descend(some, {side.data(), 1.0, 20000, 1e-6, 1, never}, point));
            law(least(w.data(), point.b) > 1 - 1e-3, "the descent comes to the same margin");
        }
}

// Indices that another thread changes: what is out of range when it is read is refused. (A race by design, so not for TSan.)
void changes() {
    Made<double, int32_t> made(3000, 40, 5, 0.1, 16);
    std::atomic<bool> over{false};
    std::thread other([&] {
        volatile int32_t* column = made.columns.data();
        volatile int64_t* start = made.starts.data();
        for (size_t round = 0; !over; ++round) {
            const size_t at = round * 7919 % made.columns.size(), row = round * 104729 % size_t(made.n);
            const int32_t good = column[at];
            const int64_t begin = start[row];
            column[at] = round % 2 ? INT32_MAX : -1;
            start[row] = round % 3 ? INT64_MAX : -1;
            column[at] = good;
            start[row] = begin;
        }
    });
    int refused = 0;
    for (int round = 0; round < 60 || (refused == 0 && round < 2000); ++round) {
        Learner l = learner(made, true, {Decision(round % 3), Rule{}, 1 + round % 2 * 50, false});
        std::vector<double> out(size_t(made.n));
        std::vector<int64_t> sums(size_t(made.d * portable::Accumulator::kCells));
        const Layout at = layout_of(made.view(true), 1);
        Vector v;
        v.zero(at);
        try {
            learn(made, true, l, round % 4 > 1, 2, 0, nullptr);
            ROSENBLATT_DISPATCH(scores(made.view(true), v, at, out.data(), 2));
            ROSENBLATT_DISPATCH(exact_sums(made.view(true), made.signs.data(), sums.data(), 2));
        } catch (const RowsChanged&) {
            ++refused;
        }
        ROSENBLATT_DISPATCH(examine(made.view(true), made.n + 1));
    }
    over = true;
    other.join();
    law(refused > 0, "an index out of range is refused");

    // With more columns than an index can name, no negative one may pass for a large one.
    const std::vector<double> value(1, 1.0);
    const std::vector<int32_t> columns(1, -1);
    const std::vector<int64_t> starts{0, 1};
    const RowsView wide{true, false, false, true, value.data(), columns.data(), starts.data(), 1, (int64_t{1} << 32) + 5, 1};
    bool seen = false;
    try {
        portable::with_rows(wide, [&](const auto& rows) {
            rows.each_entry(0, [](int64_t j, double) { law(j >= 0, "a column is not negative"); });
            return 0;
        });
    } catch (const RowsChanged&) {
        seen = true;
    }
    law(seen, "nor is it read");
}

template <class T, class I>
void all() {
    learning<T, I>(9001, 13);
    scanning<T, I>(5000, 21);
    scanning<T, I>(3, 1);
    voting<T, I>(250, 6);
    exactness<T, I>(4100, 17);
    margins<T, I>(60, 24);
    products<T, I>(50, 20);
}

}  // namespace

int main(int count, char** words) {
    const bool calm = count > 1 && std::string(words[1]) == "--no-races";
    all<double, int32_t>();
    if (!calm) all<float, int64_t>();  // who races does so whatever the types
    if (!calm) changes();
    std::puts("every law holds");
}
