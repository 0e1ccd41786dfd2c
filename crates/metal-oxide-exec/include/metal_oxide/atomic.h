// Atomic variables. Metal's functions take a pointer and an explicit order; there are no operators.

namespace metal {

enum memory_order {
    memory_order_relaxed = __ATOMIC_RELAXED,
    memory_order_acquire = __ATOMIC_ACQUIRE,
    memory_order_release = __ATOMIC_RELEASE,
    memory_order_acq_rel = __ATOMIC_ACQ_REL,
    memory_order_seq_cst = __ATOMIC_SEQ_CST,
};

template <class T> struct atomic {
    T value;
    atomic() = default;
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
};

#ifdef METAL_OXIDE_ADDRESS_SPACES
// Atomic operations exist on device and threadgroup memory, and on floats and 64-bit integers only on device memory.
#define METAL_OXIDE_ATOMIC_OPERATIONS(space)                                                                                               \
    template <class T> T atomic_load_explicit(const volatile space atomic<T> *, memory_order);                                             \
    template <class T> void atomic_store_explicit(volatile space atomic<T> *, typename metal_oxide::same<T>::type, memory_order);          \
    template <class T> T atomic_exchange_explicit(volatile space atomic<T> *, typename metal_oxide::same<T>::type, memory_order);          \
    template <class T>                                                                                                                     \
    bool atomic_compare_exchange_weak_explicit(                                                                                            \
        volatile space atomic<T> *, __private T *, typename metal_oxide::same<T>::type, memory_order, memory_order);                       \
    METAL_OXIDE_ATOMIC_FETCH(space, add)                                                                                                   \
    METAL_OXIDE_ATOMIC_FETCH(space, sub)                                                                                                   \
    METAL_OXIDE_ATOMIC_FETCH(space, and)                                                                                                   \
    METAL_OXIDE_ATOMIC_FETCH(space, or)                                                                                                    \
    METAL_OXIDE_ATOMIC_FETCH(space, xor)                                                                                                   \
    METAL_OXIDE_ATOMIC_FETCH(space, min)                                                                                                   \
    METAL_OXIDE_ATOMIC_FETCH(space, max)
#define METAL_OXIDE_ATOMIC_FETCH(space, name)                                                                                              \
    int atomic_fetch_##name##_explicit(volatile space atomic<int> *, int, memory_order);                                                   \
    uint atomic_fetch_##name##_explicit(volatile space atomic<uint> *, uint, memory_order);
METAL_OXIDE_ATOMIC_OPERATIONS(__global)
METAL_OXIDE_ATOMIC_OPERATIONS(__local)
float atomic_fetch_add_explicit(volatile __global atomic<float> *, float, memory_order);
float atomic_fetch_sub_explicit(volatile __global atomic<float> *, float, memory_order);
void atomic_min_explicit(volatile __global atomic<ulong> *, ulong, memory_order);
void atomic_max_explicit(volatile __global atomic<ulong> *, ulong, memory_order);
#undef METAL_OXIDE_ATOMIC_OPERATIONS
#undef METAL_OXIDE_ATOMIC_FETCH
#else

template <class T> inline T atomic_load_explicit(const volatile atomic<T> *object, memory_order order)
{
    T value;
    __atomic_load(&object->value, &value, order);
    return value;
}

template <class T> inline void atomic_store_explicit(volatile atomic<T> *object, typename metal_oxide::same<T>::type value, memory_order order)
{
    __atomic_store(&object->value, &value, order);
}

template <class T>
inline T atomic_exchange_explicit(volatile atomic<T> *object, typename metal_oxide::same<T>::type value, memory_order order)
{
    T old;
    __atomic_exchange(&object->value, &value, &old, order);
    return old;
}

#ifdef METAL_OXIDE_FIND_UNDEFINED
// A weak exchange may fail for no reason. On most processors it never does, so that a kernel that forgets to try again would pass
// here and lose an update on a GPU: every second attempt of a thread fails.
static thread_local bool metal_oxide_fail_next;
#endif

template <class T>
inline bool atomic_compare_exchange_weak_explicit(
    volatile atomic<T> *object, T *expected, typename metal_oxide::same<T>::type desired, memory_order success, memory_order failure)
{
#ifdef METAL_OXIDE_FIND_UNDEFINED
    metal_oxide_fail_next = !metal_oxide_fail_next;
    if (metal_oxide_fail_next) {
        *expected = atomic_load_explicit(object, failure);
        return false;
    }
#endif
    return __atomic_compare_exchange(&object->value, expected, &desired, true, success, failure);
}

// Any change of a value that a function of the old value describes.
template <class T, class Change> inline T metal_oxide_update(volatile atomic<T> *object, memory_order order, Change change)
{
    T old = atomic_load_explicit(object, memory_order_relaxed);
    T next = change(old);
    while (!__atomic_compare_exchange(&object->value, &old, &next, true, order, __ATOMIC_RELAXED)) {
        next = change(old);
    }
    return old;
}

#define METAL_OXIDE_FETCH(name, builtin)                                                                                                   \
    template <class T>                                                                                                                     \
    inline METAL_OXIDE_ATOMIC_INTEGER name(volatile atomic<T> *object, typename metal_oxide::same<T>::type operand, memory_order order)    \
    {                                                                                                                                      \
        return builtin(&object->value, operand, order);                                                                                    \
    }
#define METAL_OXIDE_ATOMIC_INTEGER typename metal_oxide::integer<T>::type
METAL_OXIDE_FETCH(atomic_fetch_add_explicit, __atomic_fetch_add)
METAL_OXIDE_FETCH(atomic_fetch_sub_explicit, __atomic_fetch_sub)
METAL_OXIDE_FETCH(atomic_fetch_and_explicit, __atomic_fetch_and)
METAL_OXIDE_FETCH(atomic_fetch_or_explicit, __atomic_fetch_or)
METAL_OXIDE_FETCH(atomic_fetch_xor_explicit, __atomic_fetch_xor)

template <class T>
inline METAL_OXIDE_ATOMIC_INTEGER
atomic_fetch_min_explicit(volatile atomic<T> *object, typename metal_oxide::same<T>::type operand, memory_order order)
{
    return metal_oxide_update(object, order, [operand](T old) { return operand < old ? operand : old; });
}
template <class T>
inline METAL_OXIDE_ATOMIC_INTEGER
atomic_fetch_max_explicit(volatile atomic<T> *object, typename metal_oxide::same<T>::type operand, memory_order order)
{
    return metal_oxide_update(object, order, [operand](T old) { return old < operand ? operand : old; });
}
inline float atomic_fetch_add_explicit(volatile atomic<float> *object, float operand, memory_order order)
{
    return metal_oxide_update(object, order, [operand](float old) { return old + operand; });
}
inline float atomic_fetch_sub_explicit(volatile atomic<float> *object, float operand, memory_order order)
{
    return metal_oxide_update(object, order, [operand](float old) { return old - operand; });
}

// The two operations on 64-bit values that Metal has; they give nothing back.
inline void atomic_min_explicit(volatile atomic<ulong> *object, ulong operand, memory_order order)
{
    atomic_fetch_min_explicit(object, operand, order);
}
inline void atomic_max_explicit(volatile atomic<ulong> *object, ulong operand, memory_order order)
{
    atomic_fetch_max_explicit(object, operand, order);
}

#undef METAL_OXIDE_FETCH
#undef METAL_OXIDE_ATOMIC_INTEGER
#endif

} // namespace metal

typedef metal::atomic<int> atomic_int;
typedef metal::atomic<uint> atomic_uint;
typedef metal::atomic<bool> atomic_bool;
typedef metal::atomic<ulong> atomic_ulong;
typedef metal::atomic<float> atomic_float;

namespace metal {
using ::atomic_bool;
using ::atomic_float;
using ::atomic_int;
using ::atomic_uint;
using ::atomic_ulong;
} // namespace metal
