// Is this CSR matrix what it claims to be? Asked before anything reads through its indices.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

template <class I, class P>
Flaw examine_typed(const RowsView& v, int64_t starts_size) {
    const I* columns = static_cast<const I*>(v.columns);
    const P* starts = static_cast<const P*>(v.starts);
    if (v.n < 0 || v.d < 0 || starts_size != v.n + 1) return {"length of indptr", -1, starts_size};
    if (starts[0] != 0) return {"first indptr", 0, int64_t(starts[0])};
    for (int64_t i = 0; i < v.n; ++i)
        if (starts[i + 1] < starts[i]) return {"falling indptr", i, int64_t(starts[i + 1])};
    // Read once, here and below: another thread of the caller's may be changing them.
    const int64_t total = int64_t(starts[v.n]);
    if (total < 0 || total > v.stored) return {"last indptr", v.n - 1, total};
    // Long loops without a branch, in the width of an index, which compilers vectorise; the culprit is looked for only
    // when there is one. Indices rise within every row if each place where they do not lies between two rows.
    I least = 0, most = 0;
    int64_t falls = 0;
    for (int64_t block = 0; block < total; block += 65536) {
        const int64_t end = std::min(total, block + 65536);
        I fallen = 0;
        for (int64_t p = std::max<int64_t>(block, 1); p < end; ++p) fallen = I(fallen + (columns[p - 1] >= columns[p]));
        for (int64_t p = block; p < end; ++p) {
            least = std::min(least, columns[p]);
            most = std::max(most, columns[p]);
        }
        falls += fallen;
    }
    const bool sound = least >= 0 && (total == 0 || int64_t(most) < v.d);
    for (int64_t i = 1; i < v.n; ++i) {
        const int64_t p = int64_t(starts[i]);
        if (p > std::max<int64_t>(0, int64_t(starts[i - 1])) && p < total) falls -= columns[p - 1] >= columns[p];
    }
    if (!sound) {
        int64_t row = 0, p = 0;
        while (p < total && columns[p] >= 0 && int64_t(columns[p]) < v.d) ++p;
        while (row + 1 < v.n && int64_t(starts[row + 1]) <= p) ++row;
        return {"column", row, p < total ? int64_t(columns[p]) : -1};
    }
    return {falls == 0 ? "" : "unsorted", -1, 0};
}

inline Flaw examine(const RowsView& v, int64_t starts_size) {
    if (v.columns64) return v.starts64 ? examine_typed<int64_t, int64_t>(v, starts_size) : examine_typed<int64_t, int32_t>(v, starts_size);
    return v.starts64 ? examine_typed<int32_t, int64_t>(v, starts_size) : examine_typed<int32_t, int32_t>(v, starts_size);
}
