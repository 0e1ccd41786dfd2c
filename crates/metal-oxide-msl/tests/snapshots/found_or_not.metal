#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

struct find_args {
    ulong values_length;
    uint wanted;
};

kernel void find(device const uint *values [[buffer(0)]], device uint *out [[buffer(1)]], constant find_args &args [[buffer(2)]]) {
    bool done = false;
    uint index;
    for (ulong i = 0; i < args.values_length; ++i) {
        if (values[i] == args.wanted) {
            index = uint(i);
            out[0] = index;
            done = true;
            break;
        }
    }
    if (!done) {
        out[0] = 0;
        out[1] = 1;
        index = 99;
    }
    out[2] = index;
}

struct last_args {
    ulong values_length;
};

kernel void last(device const uint *values [[buffer(0)]], device uint *out [[buffer(1)]], constant last_args &args [[buffer(2)]]) {
    ulong i = 0;
    uint sum = 0;
    do {
        sum += values[i];
        ++i;
    } while (i < args.values_length);
    out[0] = sum;
}
