// A chunk's part of a batch that spans all rows. Such parts can be made anywhere, for the weights do not change on the
// way; added up in the order of the chunks, they are the sum that one pass over all rows makes, bit for bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "learner.hpp"

namespace rosenblatt {

// What the rows of one chunk add to a pending batch, and to all that is summed chunk by chunk.
struct ChunkPart {
    std::vector<int64_t> features;     // those that are touched, rising
    std::vector<double> sum, b;        // of their updates: features × outputs, and outputs
    Tally tally;
    int64_t wrong = 0;                 // rows predicted wrong
    std::vector<OutputState> outputs;  // batch_updates, chunk_sum_tau, chunk_path_length, all_steps_nonnegative
};

// The open chunk's part of the pending batch, taken out again: as if its rows had not been met. Of a batch that spans
// all rows, parts of chunks can be made anywhere, and are added up in the order of the chunks.
inline ChunkPart take_chunk(Learner& l) {
    if (!l.has_batches()) throw std::invalid_argument("a chunk is taken out of a pending batch, and there is none");
    ChunkPart part;
    std::vector<int64_t>& features = part.features;
    if (l.batch_chunk_touched.everything) {
        features.resize(size_t(l.layout.features));
        std::iota(features.begin(), features.end(), int64_t{0});
    } else {
        features = std::move(l.batch_chunk_touched.features);
        std::sort(features.begin(), features.end());
        features.erase(std::unique(features.begin(), features.end()), features.end());
    }
    part.sum.reserve(features.size() * size_t(l.layout.outputs));
    for (int64_t j : features)
        for (int64_t k = 0; k < l.layout.outputs; ++k) part.sum.push_back(std::exchange(l.batch_chunk_sum.w[size_t(l.layout.at(j, k))], 0.0));
    for (double& b : l.batch_chunk_sum.b) part.b.push_back(std::exchange(b, 0.0));
    l.batch_chunk_touched = Touched{};
    part.tally = std::exchange(l.chunk_tally, Tally{});
    part.wrong = std::exchange(l.wrong, 0);
    part.outputs = l.outputs;
    for (OutputState& c : l.outputs) {
        c.updates -= c.batch_updates;
        c.epoch_updates -= c.batch_updates;
        c.batch_updates = 0;
        c.chunk_sum_tau = c.chunk_path_length = 0;
    }
    for (int64_t* rows : {&l.visited, &l.epoch_rows, &l.batch_rows}) *rows -= part.tally.rows;
    l.chunk = -1;
    l.chunk_place = 0;
    return part;
}

}  // namespace rosenblatt
