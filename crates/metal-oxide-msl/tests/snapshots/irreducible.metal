#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

struct tangle_args {
    uint n;
    uint second;
};

kernel void tangle(device uint *out [[buffer(0)]], constant tangle_args &args [[buffer(1)]]) {
    // Without a volatile variable in it, C++ may assume that a loop ends.
    volatile bool proceed = true;
    uint next_state;
    uint a;
    uint b;
    if (args.second != 0) {
        next_state = 1;
        b = 7;
    } else {
        next_state = 0;
        a = args.n;
    }
    while (proceed) {
        if (next_state == 0) {
            b = a >> 1;
            if (b < 3) {
                break;
            }
            next_state = 1;
        } else {
            a = b - 1;
            if (a == 100) {
                break;
            }
            next_state = 0;
        }
    }
    out[0] = b;
}
