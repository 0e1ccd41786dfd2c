// The smallest kernel there is a point to: buffers by slot, lengths in the argument block, one comparison.

// run vec_add grid 1 1 1 block 4 1 1
// buffer f32 1 2 3
// buffer f32 10 20 30
// buffer f32 0 0 0 -> 11 22 33
// args u64 3
// pass thread_position_in_grid

// run vec_add grid 3 1 1 block 2 1 1
// buffer f32 1 inf 3 4 5 0x00000001
// buffer f32 10 1 -30 0.5 0.25 0x00000001
// buffer f32 0*6 -> 11 inf -27 4.5 5.25 0x00000002
// args u64 6
// pass thread_position_in_grid

// run vec_add grid 0 1 1 block 4 1 1
// buffer f32 1
// buffer f32 2
// buffer f32 7 -> 7
// args u64 1
// pass thread_position_in_grid

#include <metal_stdlib>
using namespace metal;

struct vec_add_args {
    ulong length;
};

kernel void vec_add(
    device const float *a [[buffer(0)]],
    device const float *b [[buffer(1)]],
    device float *out [[buffer(2)]],
    constant vec_add_args &args [[buffer(3)]],
    uint3 thread_position [[thread_position_in_grid]])
{
    ulong i = thread_position.x;
    if (i < args.length) {
        out[i] = a[i] + b[i];
    }
}
