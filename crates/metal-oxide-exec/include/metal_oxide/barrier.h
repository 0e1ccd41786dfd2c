// Barriers: the thread tells the engine where it waits, and the engine resumes it when its whole group has arrived.
// All threads of a group run on one thread of the host, so a barrier orders their memory accesses by itself; what it must stop is the
// C++ compiler keeping shared values in registers across it, and any call to an unknown function does that.

namespace metal {

enum class mem_flags : uint { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8 };
inline mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(uint(a) | uint(b)); }
inline mem_flags operator&(mem_flags a, mem_flags b) { return mem_flags(uint(a) & uint(b)); }

enum thread_scope { thread_scope_thread, thread_scope_simdgroup, thread_scope_threadgroup, thread_scope_device };

} // namespace metal

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

} // namespace metal_oxide

namespace metal {

inline void threadgroup_barrier(mem_flags, uint line = __builtin_LINE()) { metal_oxide::wait_for_threadgroup(line); }
inline void simdgroup_barrier(mem_flags, uint line = __builtin_LINE())
{
    uint active;
    metal_oxide::exchange(nullptr, 0, &active, line);
}
inline void atomic_thread_fence(mem_flags, int = 0, thread_scope = thread_scope_device) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

} // namespace metal
