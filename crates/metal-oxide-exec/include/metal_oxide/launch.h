// How the generated file calls a kernel. It comes after the kernel's text, so it must not use the words in keywords.h.

namespace metal_oxide {

// What stays the same for a whole launch. The layout is known to the engine's Rust side.
struct launch {
    void *const *buffers;
    const void *arguments;
    void *failure;
    uint grid[3];
    uint block[3];
};

struct position {
    uint x, y, z;
};

// The types of a kernel's parameters.
template <int I, class First, class... Rest> struct type_at : type_at<I - 1, Rest...> {};
template <class First, class... Rest> struct type_at<0, First, Rest...> {
    typedef First type;
};
template <class Function> struct signature;
template <class... Parameters> struct signature<void (*)(Parameters...)> {
    static constexpr int count = int(sizeof...(Parameters));
    template <int I> using at = typename type_at<I, Parameters...>::type;
};

template <class T> struct referent;
template <class T> struct referent<T &> {
    typedef T type;
};
// The argument block, copied so that it provably does not change while the kernel writes to its buffers.
template <class Reference> inline typename referent<Reference>::type arguments_from(const void *bytes)
{
    return *static_cast<const typename referent<Reference>::type *>(bytes);
}

// A coordinate, in the form in which the kernel takes it.
template <class T> struct coordinate;
#define METAL_OXIDE_COORDINATE(T)                                                                                                          \
    template <> struct coordinate<T> {                                                                                                     \
        static T from(position at) { return T(at.x); }                                                                                     \
    };                                                                                                                                     \
    template <> struct coordinate<metal::vec<T, 2>> {                                                                                      \
        static metal::vec<T, 2> from(position at) { return metal::vec<T, 2>(T(at.x), T(at.y)); }                                           \
    };                                                                                                                                     \
    template <> struct coordinate<metal::vec<T, 3>> {                                                                                      \
        static metal::vec<T, 3> from(position at) { return metal::vec<T, 3>(T(at.x), T(at.y), T(at.z)); }                                  \
    };
METAL_OXIDE_COORDINATE(uint)
METAL_OXIDE_COORDINATE(ushort)
#undef METAL_OXIDE_COORDINATE

struct thread_coordinates {
    position grid, block, group, local;
    position position_in_grid() const
    {
        return {group.x * block.x + local.x, group.y * block.y + local.y, group.z * block.z + local.z};
    }
    uint index_in_block() const { return (local.z * block.y + local.y) * block.x + local.x; }
    position lane() const { return {index_in_block() % 32, 0, 0}; }
    position simdgroup() const { return {index_in_block() / 32, 0, 0}; }
};

#if defined(METAL_OXIDE_FIND_UNDEFINED) && defined(__x86_64__)
template <class Body> __attribute__((noinline)) void run_body(Body &body, const thread_coordinates &at)
{
    void *exit[5];
    void **const outer = thread_exit;
    thread_exit = exit;
    if (__builtin_setjmp(exit) == 0) {
        body(at);
    }
    thread_exit = outer;
}

extern "C" void metal_oxide_end_thread() { __builtin_longjmp(thread_exit, 1); }
#else
#ifdef METAL_OXIDE_FIND_UNDEFINED
// Other processors give some result for every operation, so the thread may as well go on.
extern "C" void metal_oxide_end_thread() {}
#endif

template <class Body> inline void run_body(Body &body, const thread_coordinates &at) { body(at); }
#endif

// Runs the threads of some consecutive threadgroups one after the other.
template <class Body> inline void run_groups(const launch &launch, ulong first, ulong end, Body body)
{
    const position grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
    const position block = {launch.block[0], launch.block[1], launch.block[2]};
    for (ulong index = first; index < end; ++index) {
        const position group = {uint(index % grid.x), uint(index / grid.x % grid.y), uint(index / grid.x / grid.y)};
        for (uint z = 0; z < block.z; ++z) {
            for (uint y = 0; y < block.y; ++y) {
                for (uint x = 0; x < block.x; ++x) {
                    run_body(body, thread_coordinates{grid, block, group, {x, y, z}});
                }
            }
        }
    }
}

// Runs one thread of a cooperative kernel. The engine calls this once for each thread, on a stack of the thread's own.
template <class Body> inline void run_thread(const launch &launch, position group, position local, Body body)
{
    const position grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
    const position block = {launch.block[0], launch.block[1], launch.block[2]};
    run_body(body, thread_coordinates{grid, block, group, local});
}

} // namespace metal_oxide

#define METAL_OXIDE_ENTRY extern "C" __attribute__((visibility("default"))) void
