// Threads that wait for one another: shared memory, barriers in loops, threads that end early, and helpers that wait.

// run reverse grid 2 1 1 block 40 1 1
// buffer u32 0..80
// buffer u32 0*80 -> 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 79 78 77 76 75 74 73 72 71 70 69 68 67 66 65 64 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40
// pass thread_position_in_threadgroup threadgroup_position_in_grid threads_per_threadgroup

// run reduce grid 3 1 1 block 64 1 1
// buffer u32 1*64 2*64 3*64
// buffer u32 0*3 -> 64 128 192
// pass thread_position_in_threadgroup threadgroup_position_in_grid threads_per_threadgroup

// run reduce grid 1 1 1 block 1024 1 1
// buffer u32 0..1024
// buffer u32 0 -> 523776
// pass thread_position_in_threadgroup threadgroup_position_in_grid threads_per_threadgroup

// A helper takes the shared memory by reference.
// run helper grid 1 1 1 block 8 4 2
// buffer u32 0 -> 64
// pass thread_position_in_threadgroup threads_per_threadgroup

// Half of the threads return before the first barrier, as after a failed check; the others still get through.
// run early_end grid 100 1 1 block 64 1 1
// buffer u32 0*100 -> 32*100
// pass thread_position_in_threadgroup threadgroup_position_in_grid

// run early_end grid 100 1 1 block 64 1 1 undefined
// buffer u32 0*100 -> 32*100
// pass thread_position_in_threadgroup threadgroup_position_in_grid

// run divergent grid 4 1 1 block 2 1 1
// buffer u32 0
// pass thread_position_in_threadgroup
// error the threads of block (0, 0, 0) of kernel `divergent` wait for one another in different places of the Metal text: a barrier of the threadgroup in line

#include <metal_stdlib>
using namespace metal;

struct Shared {
    uint sums[64];
    atomic_uint count;
};

kernel void reverse(
    device const uint *in [[buffer(0)]],
    device uint *out [[buffer(1)]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block [[threadgroup_position_in_grid]],
    uint3 block_size [[threads_per_threadgroup]])
{
    threadgroup uint tile[64];
    uint base = block.x * block_size.x;
    tile[local.x] = in[base + local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[base + local.x] = tile[block_size.x - 1 - local.x];
}

kernel void reduce(
    device const uint *in [[buffer(0)]],
    device uint *out [[buffer(1)]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block [[threadgroup_position_in_grid]],
    uint3 block_size [[threads_per_threadgroup]])
{
    threadgroup uint partial[1024];
    threadgroup uint *mine = &partial[local.x];
    *mine = in[block.x * block_size.x + local.x];
    for (uint stride = block_size.x / 2; stride > 0; stride /= 2) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (local.x < stride) {
            *mine += partial[local.x + stride];
        }
    }
    if (local.x == 0) {
        out[block.x] = partial[0];
    }
}

static void count_threads(threadgroup Shared &shared, uint index)
{
    if (index == 0) {
        atomic_store_explicit(&shared.count, 0u, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    shared.sums[index] = 1;
    atomic_fetch_add_explicit(&shared.count, shared.sums[index], memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
}

kernel void helper(
    device uint *out [[buffer(0)]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block_size [[threads_per_threadgroup]])
{
    threadgroup Shared shared;
    uint index = (local.z * block_size.y + local.y) * block_size.x + local.x;
    count_threads(shared, index);
    if (index == 63) {
        out[0] = atomic_load_explicit(&shared.count, memory_order_relaxed);
    }
}

kernel void early_end(
    device uint *out [[buffer(0)]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block [[threadgroup_position_in_grid]])
{
    threadgroup atomic_uint count;
    if (local.x == 1) {
        atomic_store_explicit(&count, 0u, memory_order_relaxed);
    }
    if (local.x % 2 == 0) {
        return;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (local.x == 1) {
        out[block.x] = atomic_load_explicit(&count, memory_order_relaxed);
    }
}

kernel void divergent(device uint *out [[buffer(0)]], uint3 local [[thread_position_in_threadgroup]])
{
    if (local.x == 0) {
        threadgroup_barrier(mem_flags::mem_none);
    } else {
        threadgroup_barrier(mem_flags::mem_none);
    }
}
