// Functions of SIMD-groups of 32 threads, and of the quads of four in them.
// Each lane leaves its value with the engine and waits for the others; then it computes its result from what all have left. Sums and
// products go through the active lanes in ascending order, so that they are the same on every run.

namespace metal_oxide {

constexpr uint lanes = 32;

// Metal has these functions for scalars and vectors of up to 32 bits a component.
template <class T> struct component {
    static constexpr bool narrow = sizeof(T) <= 4;
};
template <class T, int N> struct component<metal::vec<T, N>> : component<T> {};

// What the lanes of a group left. Reading the value of a lane that does not take part gives bits that nobody expects.
template <class T> class gathered {
    static_assert(component<T>::narrow, "Metal has no operations of SIMD-groups on 64-bit values");
    const uchar *values;

public:
    uint active;
    uint lane;
    gathered(const T &value, uint line) : values(exchange(&value, sizeof(T), &active, line)), lane(metal_oxide::lane()) {}
    bool takes_part(uint other) const { return other < lanes && (active >> other & 1) != 0; }
    T at(uint other) const
    {
        T value;
        if (takes_part(other)) {
            __builtin_memcpy(static_cast<void *>(&value), values + other * 64, sizeof(T));
        } else {
            __builtin_memset(static_cast<void *>(&value), 0xa5, sizeof(T));
        }
        return value;
    }
    uint first() const { return uint(__builtin_ctz(active)); }
    // The lanes from `begin` up to, but without, `end`, combined in ascending order.
    template <class Combine> T fold(uint begin, uint end, T start, bool started, Combine combine) const
    {
        for (uint other = begin; other < end; ++other) {
            if (takes_part(other)) {
                start = started ? combine(start, at(other)) : at(other);
                started = true;
            }
        }
        return start;
    }
};

} // namespace metal_oxide

#define METAL_OXIDE_LINE uint line = __builtin_LINE()
#define METAL_OXIDE_GATHER(value) const metal_oxide::gathered<T> group(value, line)

namespace metal {

// The set of lanes for which a condition holds.
class simd_vote {
    ulong lanes;

public:
    typedef ulong vote_t;
    explicit simd_vote(vote_t lanes = 0) : lanes(lanes) {}
    explicit operator vote_t() const { return lanes; }
    bool all() const { return lanes == 0xffffffffu; }
    bool any() const { return lanes != 0; }
};

// Reductions, each for the whole group and for a quad.
#define METAL_OXIDE_REDUCTION(name, combined)                                                                                              \
    template <class T> inline T simd_##name(T value, METAL_OXIDE_LINE)                                                                     \
    {                                                                                                                                      \
        METAL_OXIDE_GATHER(value);                                                                                                         \
        return group.fold(0, metal_oxide::lanes, value, false, [](T a, T b) { return T(combined); });                                      \
    }                                                                                                                                      \
    template <class T> inline T quad_##name(T value, METAL_OXIDE_LINE)                                                                     \
    {                                                                                                                                      \
        METAL_OXIDE_GATHER(value);                                                                                                         \
        const uint begin = group.lane & ~3u;                                                                                               \
        return group.fold(begin, begin + 4, value, false, [](T a, T b) { return T(combined); });                                           \
    }
METAL_OXIDE_REDUCTION(sum, a + b)
METAL_OXIDE_REDUCTION(product, a *b)
METAL_OXIDE_REDUCTION(min, metal::min(a, b))
METAL_OXIDE_REDUCTION(max, metal::max(a, b))
METAL_OXIDE_REDUCTION(and, a &b)
METAL_OXIDE_REDUCTION(or, a | b)
METAL_OXIDE_REDUCTION(xor, a ^ b)

// Scans. An exclusive one starts with the neutral element.
#define METAL_OXIDE_SCAN(prefix, name, begin, neutral, combined)                                                                           \
    template <class T> inline T prefix##_prefix_inclusive_##name(T value, METAL_OXIDE_LINE)                                                \
    {                                                                                                                                      \
        METAL_OXIDE_GATHER(value);                                                                                                         \
        return group.fold(begin, group.lane + 1, value, false, [](T a, T b) { return T(combined); });                                      \
    }                                                                                                                                      \
    template <class T> inline T prefix##_prefix_exclusive_##name(T value, METAL_OXIDE_LINE)                                                \
    {                                                                                                                                      \
        METAL_OXIDE_GATHER(value);                                                                                                         \
        return group.fold(begin, group.lane, T(neutral), true, [](T a, T b) { return T(combined); });                                      \
    }
METAL_OXIDE_SCAN(simd, sum, 0, 0, a + b)
METAL_OXIDE_SCAN(simd, product, 0, 1, a *b)
METAL_OXIDE_SCAN(quad, sum, group.lane & ~3u, 0, a + b)
METAL_OXIDE_SCAN(quad, product, group.lane & ~3u, 1, a *b)

template <class T> inline T simd_shuffle(T value, ushort lane, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at(lane);
}
template <class T> inline T simd_broadcast(T value, ushort lane, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at(lane);
}
template <class T> inline T simd_broadcast_first(T value, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at(group.first());
}
template <class T> inline T simd_shuffle_xor(T value, ushort mask, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at(group.lane ^ mask);
}
// Lanes that would read beyond either end keep their own value.
template <class T> inline T simd_shuffle_up(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.lane < delta ? value : group.at(group.lane - delta);
}
template <class T> inline T simd_shuffle_down(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.lane + delta >= metal_oxide::lanes ? value : group.at(group.lane + delta);
}
template <class T> inline T simd_shuffle_rotate_up(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at((group.lane - delta) % metal_oxide::lanes);
}
template <class T> inline T simd_shuffle_rotate_down(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at((group.lane + delta) % metal_oxide::lanes);
}

template <class T> inline T quad_shuffle(T value, ushort lane, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at((group.lane & ~3u) + (lane & 3u));
}
template <class T> inline T quad_broadcast(T value, ushort lane, METAL_OXIDE_LINE) { return quad_shuffle(value, lane, line); }
template <class T> inline T quad_shuffle_xor(T value, ushort mask, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at((group.lane & ~3u) + ((group.lane ^ mask) & 3u));
}
template <class T> inline T quad_shuffle_up(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return (group.lane & 3u) < delta ? value : group.at(group.lane - delta);
}
template <class T> inline T quad_shuffle_down(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return (group.lane & 3u) + delta > 3 ? value : group.at(group.lane + delta);
}
template <class T> inline T quad_shuffle_rotate_up(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at((group.lane & ~3u) + ((group.lane - delta) & 3u));
}
template <class T> inline T quad_shuffle_rotate_down(T value, ushort delta, METAL_OXIDE_LINE)
{
    METAL_OXIDE_GATHER(value);
    return group.at((group.lane & ~3u) + ((group.lane + delta) & 3u));
}

inline simd_vote simd_ballot(bool condition, METAL_OXIDE_LINE)
{
    const metal_oxide::gathered<bool> group(condition, line);
    ulong set = 0;
    for (uint other = 0; other < metal_oxide::lanes; ++other) {
        set |= ulong(group.takes_part(other) && group.at(other)) << other;
    }
    return simd_vote(set);
}
inline simd_vote simd_active_threads_mask(METAL_OXIDE_LINE) { return simd_ballot(true, line); }
inline bool simd_any(bool condition, METAL_OXIDE_LINE) { return simd_ballot(condition, line).any(); }
inline bool simd_all(bool condition, METAL_OXIDE_LINE) { return !simd_ballot(!condition, line).any(); }
inline bool simd_is_first(METAL_OXIDE_LINE)
{
    const metal_oxide::gathered<bool> group(true, line);
    return group.lane == group.first();
}
inline bool simd_is_helper_thread() { return false; }

inline ushort metal_oxide_quad(simd_vote vote, uint lane) { return ushort(simd_vote::vote_t(vote) >> (lane & ~3u) & 0xf); }
inline bool quad_any(bool condition, METAL_OXIDE_LINE)
{
    return metal_oxide_quad(simd_ballot(condition, line), metal_oxide::lane()) != 0;
}
inline bool quad_all(bool condition, METAL_OXIDE_LINE)
{
    return metal_oxide_quad(simd_ballot(!condition, line), metal_oxide::lane()) == 0;
}

} // namespace metal

#undef METAL_OXIDE_LINE
#undef METAL_OXIDE_GATHER
#undef METAL_OXIDE_REDUCTION
#undef METAL_OXIDE_SCAN
