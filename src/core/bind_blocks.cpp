// Bindings of rows kept in a file, and nothing but bindings.

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "arrays.hpp"
#include "block_reader.hpp"
#include "block_writer.hpp"

namespace rosenblatt {
namespace {

// Buffers of some megabytes come and go with every piece of rows. The C library would map and unmap each, and filling fresh
// pages takes as long as reading into them: it is asked to keep so much.
void keep_buffers() {
#ifdef M_MMAP_THRESHOLD
    static const bool done = mallopt(M_MMAP_THRESHOLD, 1 << 25) && mallopt(M_TRIM_THRESHOLD, 1 << 26);
    static_cast<void>(done);
#endif
}

template <class T>
Any handed_over(Growing<T>& grown) {
    const size_t size = size_t(grown.size());
    T* data = grown.release();
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    return nb::cast<Any>(nb::cast(nb::ndarray<nb::numpy, T>(data, 1, &size, owner)));
}

// Values are read as bytes, whatever they are.
Any values_of(Growing<char>& bytes, bool float32, std::vector<size_t> shape) {
    char* data = bytes.release();
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    if (float32) return nb::cast<Any>(nb::cast(nb::ndarray<nb::numpy, float>(data, shape.size(), shape.data(), owner)));
    return nb::cast<Any>(nb::cast(nb::ndarray<nb::numpy, double>(data, shape.size(), shape.data(), owner)));
}

Rows rows_of(const BlockReader& reader, BlockRows& read) {
    const BlockForm& form = reader.form;
    Rows r;
    r.view.float32 = form.float32;
    r.view.n = read.codes.size();
    r.view.d = reader.columns();
    r.owned = true;
    if (!form.sparse) {
        r.keep = {values_of(read.values, form.float32, {size_t(r.view.n), size_t(r.view.d)})};
        r.view.values = r.keep[0].data();
        return r;
    }
    r.view.sparse = r.view.starts64 = true;
    r.view.stored = read.columns.size();
    r.keep = {values_of(read.values, form.float32, {size_t(r.view.stored)}), handed_over(read.columns), handed_over(read.starts)};
    r.view.values = r.keep[0].data();
    r.view.columns = r.keep[1].data();
    r.view.starts = r.keep[2].data();
    return r;
}

using Found = std::tuple<std::string, int64_t, int64_t, nb::object, nb::object, nb::object, nb::object>;

// (what is wrong, errno, block; rows, codes, lines, weights): the rows are none where only heads were read.
template <class F>
Found found(const BlockReader& reader, bool with_rows, F&& read) {
    BlockRows rows;
    try {
        nb::gil_scoped_release free;
        rows = read();
    } catch (const BlockFault& fault) {
        return {fault.what(), fault.error, fault.block, nb::none(), nb::none(), nb::none(), nb::none()};
    }
    nb::object made = with_rows ? nb::cast(rows_of(reader, rows)) : nb::none();
    nb::object lines = !with_rows && reader.form.lines ? nb::cast(handed_over(rows.lines)) : nb::none();
    nb::object weights = reader.form.weights ? nb::cast(handed_over(rows.weights)) : nb::none();
    return {"", 0, -1, made, nb::cast(handed_over(rows.codes)), lines, weights};
}

}  // namespace

void bind_blocks(nb::module_& m) {
    nb::class_<BlockForm>(m, "BlockForm", "What a block of rows holds: see blocks.hpp.")
        .def(
            "__init__",
            [](BlockForm* self, bool sparse, bool float32, bool lines, bool weights, int64_t d) {
                check(d >= 0 && d < int64_t{1} << 40, "columns that cannot be");
                keep_buffers();
                new (self) BlockForm{sparse, float32, lines, weights, d};
            },
            nb::kw_only(), "sparse"_a, "float32"_a, "lines"_a, "weights"_a, "d"_a);

    nb::class_<BlockWriter>(m, "BlockWriter", "Turns rows into the bytes of blocks.")
        .def(nb::init<const BlockForm&>(), "form"_a)
        .def(
            "add",
            [](BlockWriter& w, const Rows& rows, Array<uint16_t> codes, std::optional<Integers> lines, std::optional<Doubles> weights) {
                const RowsView& v = rows.view;
                const auto n = size_t(v.n);
                check(v.sparse == w.form.sparse && v.float32 == w.form.float32 && (v.sparse || v.d == w.form.d), "rows of another form");
                check(codes.size() == n && (!lines || lines->size() == n) && (!weights || weights->size() == n),
                      "codes, lines or weights of another length");
                nb::gil_scoped_release free;
                w.add(v, codes.data(), data_or_null(lines), data_or_null(weights));
            },
            "rows"_a, "codes"_a, "lines"_a.none(), "weights"_a.none())
        .def("finish", &BlockWriter::finish, "All rows have come.")
        .def(
            "take", [](BlockWriter& w) { return handed_over(w.out); }, "The bytes that wait to be written.")
        .def_prop_ro(
            "waiting", [](const BlockWriter& w) { return w.out.size(); }, "How many they are.")
        .def_prop_ro("rows", &BlockWriter::rows)
        .def_ro("entries", &BlockWriter::entries)
        .def_ro("weighted", &BlockWriter::weighted, "Whether any weight is not 1.")
        .def(
            "index", [](const BlockWriter& w) { return std::tuple{column(w.index.chunks), column(w.index.blocks)}; },
            "Of each chunk its first byte, and where all ends; of each block, by how many words of 8 bytes it comes later.");

    nb::class_<BlockReader>(m, "BlockReader", "Reads rows out of a file of blocks.")
        .def(
            "__init__",
            [](BlockReader* self, int file, const BlockForm& form, Integers chunks, Array<uint32_t> blocks, int64_t rows, int64_t columns,
               int64_t first_column) {
                check(rows >= 0 && columns >= 1 && columns < int64_t{1} << 40 && first_column >= 0 && first_column < 2, "a shape that cannot be");
                check(form.sparse || form.d == columns, "columns of another number");
                BlockIndex index;
                index.chunks.assign(chunks.data(), chunks.data() + chunks.size());
                index.blocks.assign(blocks.data(), blocks.data() + blocks.size());
                new (self) BlockReader(file, form, std::move(index), rows, columns, first_column);
            },
            "file"_a, "form"_a, "chunks"_a, "blocks"_a, "rows"_a, "columns"_a, "first_column"_a)
        .def(
            "span", [](const BlockReader& r, int64_t first, int64_t count) { return found(r, true, [&] { return r.span(first, count); }); },
            "first"_a, "count"_a, "Rows one after the other.")
        .def(
            "gather",
            [](const BlockReader& r, Integers numbers) { return found(r, true, [&] { return r.gather(numbers.data(), int64_t(numbers.size())); }); },
            "numbers"_a, "The rows of these numbers, in this order.")
        .def(
            "heads",
            [](const BlockReader& r, std::optional<Integers> numbers, int64_t first, int64_t count) {
                if (numbers) count = int64_t(numbers->size());
                return found(r, false, [&] { return r.heads(data_or_null(numbers), first, count); });
            },
            "numbers"_a.none(), "first"_a, "count"_a, "Labels, lines and weights alone.")
        .def_prop_ro("longest_chunk", &BlockReader::longest_chunk, "Bytes of a chunk, of the one that has most.");
}

}  // namespace rosenblatt
