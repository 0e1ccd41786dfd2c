// Barriers: the thread tells the engine where it waits, and the engine resumes it when its whole group has arrived.
// All threads of a group run on one thread of the host, so a barrier orders their memory accesses by itself; what it must stop is the
// C++ compiler keeping shared values in registers across it, and any call to an unknown function does that.

#ifndef METAL_OXIDE_ADDRESS_SPACES
#include "metal_oxide/engine.h"
#else
namespace metal_oxide {
void wait_for_threadgroup(uint line);
const uchar *exchange(const void *value, uint size, uint *active, uint line);
uint lane();
} // namespace metal_oxide
#endif

namespace metal {

enum class mem_flags : uint { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8 };
inline mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(uint(a) | uint(b)); }
inline mem_flags operator&(mem_flags a, mem_flags b) { return mem_flags(uint(a) & uint(b)); }

enum thread_scope { thread_scope_thread, thread_scope_simdgroup, thread_scope_threadgroup, thread_scope_device };

} // namespace metal

namespace metal {

inline void threadgroup_barrier(mem_flags, uint line = __builtin_LINE()) { metal_oxide::wait_for_threadgroup(line); }
inline void simdgroup_barrier(mem_flags, uint line = __builtin_LINE())
{
    uint active;
    metal_oxide::exchange(nullptr, 0, &active, line);
}
inline void atomic_thread_fence(mem_flags, int = 0, thread_scope = thread_scope_device) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

} // namespace metal
