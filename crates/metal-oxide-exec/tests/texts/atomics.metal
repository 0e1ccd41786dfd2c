// Atomic operations on device memory from many threads, each of whose results does not depend on their order.

// run counters grid 100 1 1 block 64 1 1
// buffer u32 0 0 0xffffffff 0 0xffffffff 0 1000 -> 6400 6399 0 0xffffffff 0 0 0xfffff0f8
// pass thread_position_in_grid

// run signed_and_wide grid 10 1 1 block 10 1 1
// buffer i32 0 0 -> -99 99
// buffer u64 5 7 -> 0 0x100000063
// buffer f32 0 -> 100
// pass thread_position_in_grid

// Metal lets a weak exchange fail for no reason; a loop must not count on it.
// run exchange grid 50 1 1 block 20 1 1
// buffer u32 0 -> 1000
// pass thread_position_in_grid

// run exchange grid 50 1 1 block 20 1 1 undefined
// buffer u32 0 -> 1000
// pass thread_position_in_grid

// run hopeful grid 1 1 1 block 4 1 1 undefined
// buffer u32 0 -> 2
// pass thread_position_in_grid

#include <metal_stdlib>
using namespace metal;

kernel void counters(device atomic_uint *counters [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    uint i = position.x;
    atomic_fetch_add_explicit(&counters[0], 1, memory_order_relaxed);
    atomic_fetch_max_explicit(&counters[1], i, memory_order_relaxed);
    atomic_fetch_min_explicit(&counters[2], i, memory_order_relaxed);
    atomic_fetch_or_explicit(&counters[3], 1u << (i % 32), memory_order_relaxed);
    atomic_fetch_and_explicit(&counters[4], ~(1u << (i % 32)), memory_order_relaxed);
    atomic_fetch_xor_explicit(&counters[5], i % 2 + 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&counters[6], i < 4848 ? 1u : 0u, memory_order_relaxed);
}

kernel void signed_and_wide(
    device atomic_int *numbers [[buffer(0)]],
    device atomic_ulong *wide [[buffer(1)]],
    device atomic_float *sum [[buffer(2)]],
    uint3 position [[thread_position_in_grid]])
{
    int i = int(position.x);
    atomic_fetch_min_explicit(&numbers[0], -i, memory_order_relaxed);
    atomic_fetch_max_explicit(&numbers[1], i, memory_order_relaxed);
    atomic_min_explicit(&wide[0], ulong(i), memory_order_relaxed);
    atomic_max_explicit(&wide[1], (1ul << 32) + ulong(i), memory_order_relaxed);
    atomic_fetch_add_explicit(sum, 1.0f, memory_order_relaxed);
}

kernel void exchange(device atomic_uint *counter [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    uint seen = atomic_load_explicit(counter, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(counter, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed)) {
    }
}

// Does not try again, and loses every second update.
kernel void hopeful(device atomic_uint *counter [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    uint seen = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_compare_exchange_weak_explicit(counter, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed);
}
