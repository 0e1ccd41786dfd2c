#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

struct spin_args {
    ulong out_length;
    uint n;
    uint step;
};

kernel void spin(
    device uint *out [[buffer(0)]],
    constant spin_args &args [[buffer(1)]],
    uint3 thread_position [[thread_position_in_grid]],
    uint3 block_size [[threads_per_threadgroup]],
    uint3 grid_size [[threadgroups_per_grid]]
) {
    // Without a volatile variable in it, C++ may assume that a loop ends.
    volatile bool proceed = true;
    for (uint i = 0; proceed && i != args.n; i += args.step) {
    }
    if (args.n == 0) {
        while (proceed) {
        }
    } else {
        for (uint bits = args.n; bits != 0; bits >>= 1) {
        }
        ulong stride = ulong(block_size.x) * grid_size.x;
        for (ulong index = thread_position.x; index < args.out_length; index += stride) {
            out[index] = 1;
        }
    }
}
