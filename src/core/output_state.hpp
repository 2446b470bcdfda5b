// What is kept of each output, and the tallies of an epoch.
#pragma once

#include <cstdint>

namespace rosenblatt {

// Who is updated, by how much: the sign of one output; each output against the rest; or the true class against its
// strongest rival (Crammer and Singer 2003).
enum class Decision { binary, ovr, direct };

// The tallies of a chunk or an epoch. `squared` has four lanes, by place in the chunk.
struct Tally {
    int64_t rows = 0, mistakes = 0;
    double criterion = 0, squared[4] = {0, 0, 0, 0};

    double squared_sum() const { return (squared[0] + squared[1]) + (squared[2] + squared[3]); }
};

// The run of one output (one for all outputs of `direct`, which move together): what the laws of the theory speak of.
struct OutputState {
    int64_t updates = 0, changes = 0;                   // rows that moved w, and times w changed
    int64_t epoch_updates = 0, batch_updates = 0;       // of these, in this epoch and in the pending batch
    double sum_tau = 0, chunk_sum_tau = 0;              // the sum of tau: of closed chunks, and of the open one
    double applied_tau = 0;                             // the sum of tau in w, without the pending batch's; for rules with a share
    bool all_steps_nonnegative = true;                  // every tau so far was >= 0
    double path_length = 0, chunk_path_length = 0;      // the sum of |tau|·||x'|| in this epoch, likewise
    double norm = 0;                                    // ||w'|| when the epoch began
    double rounding_bound = 0;                          // at least || w' as stored - w' in exact arithmetic ||
    double norm2 = 0;                                   // ||w'||² now, kept in O(1) for rules whose theta moves
    int64_t streak = 0, longest_streak = 0;             // rows in a row that left w alone: now, and at most, for this w
    int64_t longest_candidate_streak = 0;               // the longest streak of any candidate for the pocket
    int64_t pocket_mistakes = -1;                       // of the w in the pocket, on all rows; -1: the pocket is empty
    int64_t present_mistakes = -1;                      // of the present w, at the last snapshot

    void close_chunk() {
        sum_tau += chunk_sum_tau;
        path_length += chunk_path_length;
        chunk_sum_tau = chunk_path_length = 0;
    }
};

}  // namespace rosenblatt
