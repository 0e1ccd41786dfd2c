// The failure record: the first thread that fails claims it, later ones leave it alone, and a failed thread writes no more.

// run checked grid 2 1 1 block 4 1 1
// buffer u32 5 1 2 9 0 7 3 4
// buffer u32 100*8 -> 0 1 1 100 0 100 1 1
// args u64 5
// failure site 3 thread 3 0 0 block 0 0 0
// pass thread_position_in_grid thread_position_in_threadgroup threadgroup_position_in_grid

// run checked grid 2 1 1 block 4 1 1 undefined
// buffer u32 5 1 2 9 0 7 3 4
// buffer u32 100*8 -> 0 1 1 100 0 100 1 1
// args u64 5
// failure site 3 thread 3 0 0 block 0 0 0
// pass thread_position_in_grid thread_position_in_threadgroup threadgroup_position_in_grid

// run checked grid 1 1 1 block 2 1 1
// buffer u32 1 2
// buffer u32 0 0 -> 1 1
// args u64 5
// failure none
// pass thread_position_in_grid thread_position_in_threadgroup threadgroup_position_in_grid

#include <metal_stdlib>
using namespace metal;

struct Failure {
    atomic_uint state;
    uint site;
    uint thread_position[3];
    uint block_position[3];
};

struct checked_args {
    ulong limit;
};

static void fail(device Failure *failure, uint site, uint3 local, uint3 block)
{
    uint expected = 0;
    while (!atomic_compare_exchange_weak_explicit(&failure->state, &expected, 1u, memory_order_relaxed, memory_order_relaxed)) {
        if (expected != 0) {
            return;
        }
    }
    failure->site = site;
    for (uint axis = 0; axis < 3; ++axis) {
        failure->thread_position[axis] = local[axis];
        failure->block_position[axis] = block[axis];
    }
}

kernel void checked(
    device const uint *in [[buffer(0)]],
    device uint *out [[buffer(1)]],
    constant checked_args &args [[buffer(2)]],
    device Failure *failure [[buffer(3)]],
    uint3 position [[thread_position_in_grid]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block [[threadgroup_position_in_grid]])
{
    uint value = in[position.x];
    if (value > args.limit) {
        fail(failure, 3, local, block);
        return;
    }
    out[position.x] = value % 5 != 0 ? 1 : 0;
}
