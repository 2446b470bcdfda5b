// Team, driven hard: many rounds, all of the work done, whatever a member throws thrown again to the caller.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "../src/core/team.hpp"
#include "law.hpp"

using namespace rosenblatt;

namespace {

// Pieces handed out one by one; `fails(member, piece)` may throw.
template <class F>
void round_of(Team& team, std::vector<int>& done, F&& fails) {
    std::atomic<size_t> next{0};
    team.run([&](int member) {
        for (size_t piece = next++; piece < done.size(); piece = next++) {
            fails(member, piece);
            ++done[piece];
        }
    });
}

}  // namespace

int main() {
    const auto never = [](int, size_t) {};
    for (int size : {1, 2, 3, 8}) {
        Team team(size);
        for (int round = 0; round < 300; ++round) {
            std::vector<int> done(size_t(round % 40), 0);
            round_of(team, done, never);
            law(std::accumulate(done.begin(), done.end(), 0) == round % 40, "every piece is done once");
        }
        int thrown = 0;
        for (int round = 0; round < 300; ++round) {
            std::vector<int> done(64, 0);
            std::atomic<int> failed{0};
            try {
                round_of(team, done, [&](int member, size_t piece) {
                    if (int(piece) < round % 3 * 7) return;
                    ++failed;
                    if (member % 2) throw std::bad_alloc();
                    throw std::runtime_error("piece " + std::to_string(piece));
                });
                law(false, "what is thrown comes to the caller");
            } catch (const std::bad_alloc&) {
                ++thrown;
            } catch (const std::runtime_error& error) {
                law(std::string(error.what()).rfind("piece ", 0) == 0, "as it was thrown");
                ++thrown;
            }
            law(failed >= 1 && failed <= size, "once for each member at the most");
            std::vector<int> after(64, 0);
            round_of(team, after, never);
            law(std::accumulate(after.begin(), after.end(), 0) == 64, "the next round is as good as new");
        }
        law(thrown == 300, "every time");
    }
    for (int life = 0; life < 200; ++life) Team(4).run([](int) {});
    std::puts("every law holds");
}
