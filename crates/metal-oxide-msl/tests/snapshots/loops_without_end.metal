#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

struct spin_args {
    uint n;
    uint step;
};

kernel void spin(device uint *out [[buffer(0)]], constant spin_args &args [[buffer(1)]]) {
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
        out[0] = 1;
    }
}
