// The module: what it consists of is bound here and in bind_*.cpp, which check what they are given and compute nothing.

#include "arrays.hpp"
#include "isa.hpp"

namespace rosenblatt {
namespace {

// The full blocks of so many rows, in the order of the epoch.
Column<int64_t> block_order(uint64_t seed, uint64_t epoch, int64_t rows) {
    const int64_t blocks = rows / kBlock;
    check(rows >= 0 && blocks <= int64_t{1} << 32, "too many rows");
    nb::capsule owner;
    int64_t* out = allocate<int64_t>(size_t(blocks), owner);
    order_blocks(seed, epoch, rows, out);
    return Column<int64_t>(out, {size_t(blocks)}, owner);
}

// The rows of these chunks of the epoch, one after the other.
Column<int64_t> row_orders(uint64_t seed, uint64_t epoch, const Integers& chunks, const Integers& blocks, int64_t rows) {
    check(rows >= 0 && int64_t(blocks.size()) == rows / kBlock, "blocks of other rows");
    for (size_t c = 0; c < chunks.size(); ++c)
        check(chunks.data()[c] >= 0 && chunks.data()[c] <= rows / kChunk && chunks.data()[c] * kChunk < rows, "a chunk outside the rows");
    const int64_t total = rows_in_chunks(chunks.data(), int64_t(chunks.size()), kChunk, rows);
    nb::capsule owner;
    int64_t* out = allocate<int64_t>(size_t(total), owner);
    rows_of_chunks(seed, epoch, chunks.data(), int64_t(chunks.size()), kChunk, blocks.data(), rows, out);
    return Column<int64_t>(out, {size_t(total)}, owner);
}

// The numbers of a random start: uniform in [-1, 1).
Column<double> uniform(uint64_t seed, uint64_t draw, int64_t size) {
    check(size >= 0, "a negative size");
    nb::capsule owner;
    double* out = allocate<double>(size_t(size), owner);
    random_start(seed, draw, size, out);
    return Column<double>(out, {size_t(size)}, owner);
}

void bind_all(nb::module_& m) {
    m.doc() = "The compiled core of rosenblatt. Private: its signatures may change at any time.";
    // A user's global that lives until the interpreter ends is no leak of ours to complain about.
    nb::set_leak_warnings(false);
    ready_to_throw();
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const RowsChanged& changed) {
            PyErr_SetString(nb::module_::import_("rosenblatt.errors").attr("InputError").ptr(), changed.what());
        }
    });
    m.attr("CHUNK") = kChunk;
    m.def("isa", [] { return use_avx2() ? "avx2" : "portable"; }, "The instruction set in use.");
    m.def("block_order", &block_order, "seed"_a, "epoch"_a, "rows"_a);
    m.def("row_orders", &row_orders, "seed"_a, "epoch"_a, "chunks"_a, "blocks"_a, "rows"_a);
    m.def("uniform", &uniform, "seed"_a, "draw"_a, "size"_a);
    bind_text(m);
    bind_rows(m);
    bind_learner(m);
    bind_vote(m);
    bind_search(m);
    bind_blocks(m);
}

}  // namespace
}  // namespace rosenblatt

NB_MODULE(_core, m) { rosenblatt::bind_all(m); }
