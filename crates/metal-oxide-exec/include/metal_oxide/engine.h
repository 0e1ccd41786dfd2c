// How a thread of a cooperative kernel reaches the engine that runs it.

namespace metal_oxide {

// What the engine offers to the threads of cooperative kernels. The layout is known to its Rust side.
struct engine {
    // Returns when all threads of the threadgroup that have not ended wait at the same line.
    void (*threadgroup_barrier)(uint line);
    // The same for the SIMD-group. Each lane leaves `size` bytes at `value`. Returns the bytes of all 32 lanes, `stride` bytes apart, and
    // the set of lanes that took part; they stay valid until the lane's next call.
    const uchar *(*exchange)(const void *value, uint size, uint *active, uint line);
    // The lane's number.
    uint (*lane)();
};

#ifdef METAL_OXIDE_FIND_UNDEFINED
// Where the running thread of the kernel can be left from any depth.
static thread_local void **thread_exit;
#endif

} // namespace metal_oxide

extern "C" {
__attribute__((visibility("default"))) metal_oxide::engine metal_oxide_engine;
}

namespace metal_oxide {

// While a thread waits, others run on the same thread of the host; what belongs to it must be put back.
struct suspended {
#ifdef METAL_OXIDE_FIND_UNDEFINED
    void **const exit = thread_exit;
    ~suspended() { thread_exit = exit; }
#endif
};

inline void wait_for_threadgroup(uint line)
{
    suspended here;
    metal_oxide_engine.threadgroup_barrier(line);
}
inline const uchar *exchange(const void *value, uint size, uint *active, uint line)
{
    suspended here;
    return metal_oxide_engine.exchange(value, size, active, line);
}
inline uint lane() { return metal_oxide_engine.lane(); }

} // namespace metal_oxide
