// Bindings of the vote.

#include "arrays.hpp"
#include "isa.hpp"

namespace rosenblatt {
namespace {

// A log made ready to vote, checked once, and the arrays that keep it alive.
struct Ballot {
    Integers which, output;
    Doubles step, count, first;
    int64_t mistaken;
    bool direct;
    double rho2;

    Ballots view() const {
        return {int64_t(which.size()), which.data(), output.data(), step.data(), count.data(), first.data(), int64_t(first.size()), direct, rho2};
    }
};

void make_ballot(Ballot* self, Integers which, Integers output, Doubles step, Doubles count, Doubles first, int64_t mistaken, bool direct,
                 double rho2) {
    const size_t size = which.size();
    check(output.size() == size && step.size() == size && count.size() == size && first.size() > 0, "ballots of another shape");
    Ballot ballot{std::move(which), std::move(output), std::move(step), std::move(count), std::move(first), mistaken, direct, rho2};
    check_ballots(ballot.view(), mistaken);
    new (self) Ballot(std::move(ballot));
}

using Tiles = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// The votes on rows z as tiles × K × 16, the shape of the start's scores.
nb::ndarray<nb::numpy, double, nb::ndim<3>> vote(const Ballot& ballot, const Rows& mistaken, const Rows& z, const Tiles& start, int threads) {
    check(mistaken.view.n == ballot.mistaken && mistaken.view.d == z.view.d, "rows of another shape");
    check(!mistaken.view.float32 && (!mistaken.view.sparse || mistaken.view.columns64), "mistaken rows of another kind");
    check(int64_t(start.shape(0)) == (z.view.n + kTile - 1) / kTile, "scores of another shape");
    check(start.shape(1) == ballot.first.size() && start.shape(2) == size_t(kTile), "scores of another shape");
    nb::capsule owner;
    double* votes = allocate<double>(start.size(), owner);
    const Ballots log = ballot.view();
    {
        nb::gil_scoped_release free;
        std::vector<double> score(start.data(), start.data() + start.size());
        ROSENBLATT_DISPATCH(vote(mistaken.view, z.view, log, score.data(), votes, threads));
    }
    return {votes, {start.shape(0), start.shape(1), start.shape(2)}, owner};
}

}  // namespace

void bind_vote(nb::module_& m) {
    m.attr("TILE") = kTile;
    nb::class_<Ballot>(m, "Ballot", "A log made ready to vote: see ballots.hpp.")
        .def("__init__", &make_ballot, nb::kw_only(), "which"_a, "output"_a, "step"_a, "count"_a, "first"_a, "mistaken"_a, "direct"_a, "rho2"_a)
        .def("vote", &vote, "mistaken"_a, "rows"_a, "start"_a, "threads"_a);
}

}  // namespace rosenblatt
