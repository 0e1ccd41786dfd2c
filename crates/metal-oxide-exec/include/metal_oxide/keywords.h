// The words that Metal adds to C++. They become C++ words or nothing, so no other header may use them after this one.
// To run a kernel, every pointer is an ordinary one. To check address spaces, they are those of OpenCL (see spaces.h).

#ifdef METAL_OXIDE_ADDRESS_SPACES
#define kernel __kernel
#define device __global
#define thread __private
#define constant __constant
#define METAL_OXIDE_THREADGROUP __local
#define METAL_OXIDE_SHARED __local
#else
#define kernel static
#define device
#define thread
// Metal lets nobody write to the constant address space, whether or not the declaration says `const`.
#define constant const
#define METAL_OXIDE_THREADGROUP
// A threadgroup runs on one thread of the host, so what its threads share is a thread-local variable of the host.
#define METAL_OXIDE_SHARED static thread_local
#endif

// One word for three things: a variable that the threads of a threadgroup share, the space that a pointer points into, and the
// attribute `[[threadgroup(n)]]`. Which of them the n-th occurrence is, the generated file that includes this header knows.
#define METAL_OXIDE_OCCURRENCE_(n) metal_oxide_threadgroup_##n
#define METAL_OXIDE_OCCURRENCE(n) METAL_OXIDE_OCCURRENCE_(n)
#define threadgroup METAL_OXIDE_OCCURRENCE(__COUNTER__)
