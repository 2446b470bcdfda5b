// Learns on made-up rows with every decision, layout and kind of rule, and prints what came out, bit by bit.
// test_isa.py compiles it for several CPUs and compares what they print.

#include <cstdio>

#include "../../src/core/isa.hpp"
#include "../../src/core/order.hpp"

using namespace rosenblatt;

namespace {

template <class T>
void learn(const char* name, bool sparse, Decision decision, Rule rule, int64_t batch, int threads) {
    const int64_t n = 9000, d = 37, outputs = decision == Decision::binary ? 1 : 5;
    std::vector<T> values(size_t(n * d));
    std::vector<int32_t> columns(size_t(n * d)), starts(size_t(n + 1)), y(static_cast<size_t>(n));
    std::vector<int8_t> signs(static_cast<size_t>(n));
    Stream stream(1, 2, 3);
    for (int64_t i = 0; i < n; ++i) {
        double score = 0;
        for (int64_t j = 0; j < d; ++j) {
            const double v = stream.uniform();
            values[size_t(i * d + j)] = T(v);
            columns[size_t(i * d + j)] = int32_t(j);
            score += v * double(j % 3 - 1);
        }
        starts[size_t(i + 1)] = int32_t((i + 1) * d);
        signs[size_t(i)] = score > 0.1 ? 1 : -1;
        y[size_t(i)] = int32_t(std::fmin(4, std::fmax(0, std::floor(score + 2))));
    }
    RowsView view{sparse, sizeof(T) == 4, false, false, values.data(), columns.data(), starts.data(), n, d, n * d};
    LearnerOptions options;
    options.rule = rule;
    options.decision = decision;
    options.layout = layout_for(sparse, d, outputs);
    options.rho2 = 0.25;
    options.batch = batch;
    options.keep_average = true;
    Learner l(options);
    l.begin();
    const int64_t chunks[] = {0, 1, 2};
    std::vector<int64_t> order(static_cast<size_t>(n)), blocks(static_cast<size_t>(n / kBlock));
    uint64_t digest = 0;
    const auto take = [&](double v) {
        uint64_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        digest = (digest ^ bits) * 0x100000001b3ULL;
    };
    for (uint64_t epoch = 1; epoch <= 3; ++epoch) {
        permutation(Stream(7, epoch, kBlockStream), n / kBlock, blocks.data());
        for (int64_t c = 0; c < 3; ++c) rows_of_chunk(7, epoch, c, kChunk, blocks.data(), n, order.data() + c * kChunk);
        const Visit visit{chunks, 3, order.data(), nullptr};
        const void* labels = decision == Decision::binary ? static_cast<const void*>(signs.data()) : y.data();
        const Outcome out = ROSENBLATT_DISPATCH(advance(TakenRows{view, labels}, visit, l, threads, 1e9));
        if (out.event != Event::done) std::printf("%s: ended early\n", name);
        const EpochEnd end = l.finish_epoch();
        take(end.squared);
        take(end.criterion);
        for (double upper : end.margin_upper) take(upper);
    }
    for (const Vector* v : {&l.weights, &l.average}) {
        for (double x : v->w) take(x);
        for (double x : v->b) take(x);
    }
    std::printf("%s %d %d %016llx %lld\n", name, int(sparse), int(sizeof(T)), static_cast<unsigned long long>(digest),
                static_cast<long long>(l.visited));
}

}  // namespace

int main() {
    Rule perceptron, margin, pa, coin;
    margin.beta = 0.05;
    pa.theta0 = 1, pa.strict = true, pa.g = -1, pa.p = 1, pa.q = 0, pa.scaled = false;
    coin.theta0 = 1, coin.strict = true, coin.coin = 0.1, coin.scaled = false;
    Rule squares = coin;
    squares.squares = true;
    for (bool sparse : {false, true})
        for (Decision decision : {Decision::binary, Decision::ovr, Decision::direct}) {
            const std::string name = decision == Decision::binary ? "binary" : decision == Decision::ovr ? "ovr" : "direct";
            learn<double>((name + "-perceptron").c_str(), sparse, decision, perceptron, 1, 1);
            learn<double>((name + "-perceptron-threads").c_str(), sparse, decision, perceptron, 1, 3);
            learn<float>((name + "-margin").c_str(), sparse, decision, margin, 1, 1);
            learn<double>((name + "-pa").c_str(), sparse, decision, pa, 1, 2);
            learn<double>((name + "-coin").c_str(), sparse, decision, coin, 1, 2);
            learn<float>((name + "-squares").c_str(), sparse, decision, squares, 1, 1);
            learn<double>((name + "-batch").c_str(), sparse, decision, perceptron, 100, 1);
            learn<float>((name + "-batch-margin").c_str(), sparse, decision, margin, 6000, 2);
        }
    return 0;
}
