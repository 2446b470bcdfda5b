// Bindings of what reads and writes text, and nothing but bindings.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <unistd.h>

#include <cerrno>

#include "svmlight.hpp"
#include "vw.hpp"
#include "words.hpp"

namespace rosenblatt {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

template <class T>
using Column = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
Column<T> column(Growing<T>& grown) {
    const size_t size = size_t(grown.size());
    T* data = grown.release();
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    return Column<T>(data, {size}, owner);
}

template <class T>
Column<T> copied(const std::vector<T>& from) {
    Growing<T> grown;
    grown.resize(int64_t(from.size()));
    std::copy(from.begin(), from.end(), grown.data());
    return column(grown);
}

// The bytes of anything with a buffer, for the length of a call.
class Bytes {
   public:
    explicit Bytes(nb::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    }
    ~Bytes() { PyBuffer_Release(&view_); }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;
    const char* data() const { return static_cast<const char*>(view_.buf); }
    int64_t size() const { return int64_t(view_.len); }

   private:
    Py_buffer view_;
};

using Wrong = std::optional<std::tuple<std::string, int64_t, int64_t, nb::bytes>>;

template <class Language>
Wrong fault_of(const LineReader<Language>& reader) {
    if (!reader.fault) return std::nullopt;
    const Fault& f = *reader.fault;
    return std::tuple{f.what, f.line, f.column, nb::bytes(f.text.data(), f.text.size())};
}

template <class Language>
void bind_reader(nb::class_<LineReader<Language>>& reader) {
    using Reader = LineReader<Language>;
    reader
        .def(
            "feed",
            [](Reader& r, nb::handle block) {
                const Bytes bytes(block);
                {
                    nb::gil_scoped_release free;
                    r.feed(bytes.data(), bytes.size());
                }
                return fault_of(r);
            },
            "block"_a, "Read a block of text, cut anywhere. (what is wrong, line, column, text), or None.")
        .def(
            "feed_from",
            [](Reader& r, int file, int64_t most) {
                int64_t taken = 0;
                int error = 0;
                {
                    nb::gil_scoped_release free;
                    r.feed_from(
                        [&](char* to, int64_t room) {
                            int64_t count = 0;
                            room = std::min(room, most - taken);
                            while (count < room) {
                                const ssize_t more = ::read(file, to + count, size_t(room - count));
                                if (more < 0 && errno == EINTR) continue;
                                if (more < 0) error = errno;
                                if (more <= 0) break;
                                count += more;
                            }
                            taken += count;
                            return count;
                        },
                        most);
                }
                return std::tuple{taken, error, fault_of(r)};
            },
            "file"_a, "most"_a, "Read so many bytes of an open file, or to its end: (bytes taken, errno, fault).")
        .def(
            "finish",
            [](Reader& r) {
                r.finish();
                return fault_of(r);
            },
            "The end of the text.")
        .def(
            "take",
            [](Reader& r, bool from_zero) {
                Gathered& g = r.gathered;
                if (from_zero) {
                    int32_t* c = g.columns.data();
                    for (int64_t i = 0; i < g.columns.size(); ++i) ++c[i];
                }
                std::tuple parts{column(g.values), column(g.columns), column(g.starts), column(g.labels), column(g.lines)};
                g.starts.push(0);
                return parts;
            },
            "from_zero"_a = false,
            "Values, columns, starts, labels and lines of what has come since the last time; columns one higher for a file that counts from 0.")
        .def("begin_file", &Reader::begin_file, "What comes next is another file: its lines are counted anew.")
        .def_prop_ro(
            "least", [](const Reader& r) { return r.gathered.least; }, "The least index.")
        .def_prop_ro("most", [](const Reader& r) { return r.gathered.most; }, "The largest index; -1 if there is none.");
}

}  // namespace

void bind_text(nb::module_& m) {
    nb::class_<LineReader<Svmlight>> svmlight(m, "Svmlight", "Reads svmlight text.");
    svmlight.def(
        "__init__",
        [](LineReader<Svmlight>* self, bool zero_allowed, int hash_bits, int threads) {
            new (self) LineReader<Svmlight>(Svmlight{zero_allowed, hash_bits}, threads);
        },
        "zero_allowed"_a, "hash_bits"_a, "threads"_a);
    bind_reader(svmlight);

    nb::class_<LineReader<Vw>> vw(m, "Vw", "Reads Vowpal Wabbit's text.");
    vw.def(
        "__init__",
        [](LineReader<Vw>* self, int hash_bits, bool keep_names, int threads) { new (self) LineReader<Vw>(Vw{hash_bits, keep_names, {}}, threads); },
        "hash_bits"_a, "keep_names"_a, "threads"_a);
    bind_reader(vw);
    vw.def_prop_ro(
        "names",
        [](const LineReader<Vw>& r) {
            const auto& list = r.language.names.list();
            return std::vector<std::string>(list.begin(), list.end());
        },
        "The names, in the order in which they first came.");

    vw.def("take_weights", [](LineReader<Vw>& r) { return column(r.gathered.weights); }, "The importance of each row.");

    m.def(
        "codes_past_ascii",
        [](nb::handle text) {
            const Bytes bytes(text);
            return codes_past_ascii(bytes.data(), bytes.size());
        },
        "text"_a, "The characters past ASCII that UTF-8 text has, by number.");
    m.def(
        "word_counts",
        [](nb::handle text, nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig> offsets, const std::vector<uint32_t>& codes,
           const std::vector<std::string>& folded) {
            const Bytes bytes(text);
            const int64_t n = int64_t(offsets.size()) - 1;
            if (n < 0 || codes.size() != folded.size()) throw nb::value_error("one more offset than sentences, a text for each code");
            for (int64_t i = 0; i < n; ++i)
                if (offsets.data()[i] < 0 || offsets.data()[i] > offsets.data()[i + 1]) throw nb::value_error("offsets that rise");
            if (offsets.data()[n] > bytes.size()) throw nb::value_error("offsets within the text");
            for (const uint32_t code : codes)
                if (code < 0x80 || code >= kCodePoints) throw nb::value_error("codes past ASCII");
            WordCounts found;
            {
                nb::gil_scoped_release free;
                found.read(bytes.data(), offsets.data(), n, codes, folded);
            }
            return std::tuple{std::move(found.words), copied(found.starts), copied(found.columns), copied(found.counts)};
        },
        "text"_a, "offsets"_a, "codes"_a, "folded"_a, "The words, sorted; and which sentence has which, how often: starts, columns and counts.");

    m.def(
        "hashed_columns",
        [](const std::vector<std::string>& names, int bits) {
            if (bits < 1 || bits > 30) throw nb::value_error("1 to 30 bits");
            std::vector<int64_t> found;
            for (const std::string& name : names) found.push_back(hashed_column(name, bits));
            return found;
        },
        "names"_a, "bits"_a, "The column of each name among 2**bits.");
}

}  // namespace rosenblatt
