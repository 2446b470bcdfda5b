// The log of updates, and what an epoch came to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace rosenblatt {

// Room for so many more, growing as push_back does: by a share of what is there.
template <class T>
void make_room_in(std::vector<T>& list, size_t more) {
    if (list.capacity() - list.size() < more) list.reserve(std::max(list.size() + more, 2 * list.capacity()));
}

// One entry for each update: the number of its row, the output, tau, the rows met so far, and which weight change it
// went into.
struct Log {
    std::vector<int64_t> row, output, visit, change;
    std::vector<double> step;

    void make_room(size_t more) {
        for (std::vector<int64_t>* list : {&row, &output, &visit, &change}) make_room_in(*list, more);
        make_room_in(step, more);
    }
};

struct EpochEnd {
    int64_t rows = 0, mistakes = 0, updates = 0;
    double criterion = 0, squared = 0;                       // the losses met, summed
    double norm = 0;                                         // ||w|| of all outputs together
    double moved = std::numeric_limits<double>::infinity();  // how far w' moved in the epoch, if that is measured
    std::vector<double> margin_upper;                        // law 9, for each output
    int64_t repeats = -1;                                    // the epoch whose weights have come back (0: the start), or -1
};

}  // namespace rosenblatt
