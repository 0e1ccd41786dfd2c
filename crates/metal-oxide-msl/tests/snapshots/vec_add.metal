#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

struct vec_add_args {
    ulong out_length;
};

kernel void vec_add(
    device const float *a [[buffer(0)]],
    device const float *b [[buffer(1)]],
    device float *out [[buffer(2)]],
    constant vec_add_args &args [[buffer(3)]],
    uint3 thread_position [[thread_position_in_grid]]
) {
    uint i = thread_position.x;
    if (i < args.out_length) {
        out[i] = a[i] + b[i];
    }
}
