// The words that Metal adds to C++. They become C++ words or nothing, so no other header may use them after this one.
// Every pointer is an ordinary pointer here; that address spaces agree is for Metal's compiler to check.

#define kernel static
#define device
#define thread

// Metal lets nobody write to the constant address space, whether or not the declaration says `const`.
#define constant const

// One word for three things: a variable that the threads of a threadgroup share, the space that a pointer points into, and the
// attribute `[[threadgroup(n)]]`. Which of them the n-th occurrence is, the generated file that includes this header knows.
// A threadgroup runs on one thread of the host, so a shared variable is a thread-local one of the host.
#define METAL_OXIDE_OCCURRENCE_(n) metal_oxide_threadgroup_##n
#define METAL_OXIDE_OCCURRENCE(n) METAL_OXIDE_OCCURRENCE_(n)
#define threadgroup METAL_OXIDE_OCCURRENCE(__COUNTER__)
#define METAL_OXIDE_SHARED static thread_local
