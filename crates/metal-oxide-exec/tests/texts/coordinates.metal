// Every coordinate in three dimensions: each thread writes what it sees to its own place.

// run coordinates grid 2 1 2 block 2 3 1
// buffer u32 0*24 -> 0 1 1000 1001 10 11 1010 1011 20 21 1020 1021 100 101 1100 1101 110 111 1110 1111 120 121 1120 1121
// buffer u32 0*6 -> 2 1 2 2 3 1
// pass thread_position_in_grid thread_position_in_threadgroup threadgroup_position_in_grid threads_per_threadgroup threadgroups_per_grid

// run scalars grid 3 1 1 block 5 1 1
// buffer u32 0*15 -> 0..15
// pass thread_position_in_grid threads_per_threadgroup

// run order grid 2 2 1 block 2 2 2
// buffer u32 0 -> 32
// buffer u32 0*32 -> 0..32
// pass thread_position_in_threadgroup threadgroup_position_in_grid

#include <metal_stdlib>
using namespace metal;

kernel void coordinates(
    device uint *out [[buffer(0)]],
    device uint *extents [[buffer(1)]],
    uint3 thread_position [[thread_position_in_grid]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block [[threadgroup_position_in_grid]],
    uint3 block_size [[threads_per_threadgroup]],
    uint3 grid_size [[threadgroups_per_grid]])
{
    uint width = grid_size.x * block_size.x;
    uint height = grid_size.y * block_size.y;
    uint index = (thread_position.z * height + thread_position.y) * width + thread_position.x;
    out[index] = 1000 * block.x + 100 * block.z + 10 * local.y + local.x;
    if (index == 0) {
        extents[0] = grid_size.x;
        extents[1] = grid_size.y;
        extents[2] = grid_size.z;
        extents[3] = block_size.x;
        extents[4] = block_size.y;
        extents[5] = block_size.z;
    }
}

// A kernel may take a coordinate as a scalar.
kernel void scalars(device uint *out [[buffer(0)]], uint index [[thread_position_in_grid]], ushort2 block_size [[threads_per_threadgroup]])
{
    out[index] = index / block_size.x * 5 + index % block_size.x;
}

// Each thread draws a number and leaves it at its index. There is so little to do that one thread of the host does all of it, in order.
kernel void order(
    device atomic_uint *next [[buffer(0)]],
    device uint *out [[buffer(1)]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block [[threadgroup_position_in_grid]])
{
    uint index = (block.y * 2 + block.x) * 8 + (local.z * 2 + local.y) * 2 + local.x;
    out[index] = atomic_fetch_add_explicit(next, 1u, memory_order_relaxed);
}
