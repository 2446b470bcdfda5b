// Four coordinates that lie apart are told together: the same arithmetic as `tell` of coin.hpp, and so the same bits.
//
// No include guard: isa.hpp includes this file inside one namespace per instruction set.

struct FourPlaces {
    int64_t at[4];
};

inline V4 root4(V4 v) { return V4{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])}; }

// No two of the places may be the same: the entries of a row are of different columns.
template <bool squares>
inline __attribute__((always_inline)) void tell4(const Purses& p, const FourPlaces& places, V4 g) {
    const int64_t a = places.at[0], b = places.at[1], c = places.at[2], d = places.at[3];
    const V4 zero = splat(0), one = splat(1), wealth = splat(p.wealth);
    const V4 ka = load4(p.sum + 4 * a), kb = load4(p.sum + 4 * b), kc = load4(p.sum + 4 * c), kd = load4(p.sum + 4 * d);
    const V4 w = {p.w[a], p.w[b], p.w[c], p.w[d]}, size = g < zero ? -g : g;
    const V4 known = {ka[3], kb[3], kc[3], kd[3]}, largest = size > known ? size : known;
    const V4 sum = V4{ka[0], kb[0], kc[0], kd[0]} + g;
    V4 spread = {ka[1], kb[1], kc[1], kd[1]}, gain = {ka[2], kb[2], kc[2], kd[2]}, next;
    if constexpr (squares) {
        gain += g * w;
        gain = gain > zero ? gain : zero;
        spread += g * g;
        const V4 room2 = spread + largest * largest, room = root4(room2);
        const V4 stake = sum > room ? room : (sum < -room ? -room : sum);
        next = (wealth + gain) * stake / (room2 > zero ? splat(2) * room2 : one);
    } else {
        const V4 clipped = g < zero ? -known : known;
        gain += (size > known ? clipped : g) * w;
        spread += size;
        const V4 scale = largest * (spread + largest);
        next = (wealth + gain) * sum / (scale > zero ? scale : one);
    }
    for (int lane = 0; lane < 4; ++lane) {
        const V4 now = {sum[lane], spread[lane], gain[lane], largest[lane]};
        std::memcpy(p.sum + 4 * places.at[lane], &now, sizeof now);
        p.w[places.at[lane]] = next[lane];
        if (p.average) p.average[places.at[lane]] += p.visits * (next[lane] - w[lane]);
    }
}
