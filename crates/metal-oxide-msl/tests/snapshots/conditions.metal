#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

struct conditions_args {
    uint a;
    uint b;
    uint c;
};

kernel void conditions(device uint *out [[buffer(0)]], constant conditions_args &args [[buffer(1)]]) {
    bool condition = args.a < args.b;
    uint code;
    if (condition && args.b < args.c) {
        if (args.a == 5) {
            code = 1;
        } else {
            code = args.b == 6 ? 2 : 3;
        }
    } else {
        out[0] = 9;
        code = 4;
    }
    bool done = false;
    uint weight;
    switch (code) {
    case 1: {
        weight = 10;
        break;
    }
    case 2: {
        weight = 20;
        break;
    }
    case 3:
    case 4: {
        out[2] = code;
        done = true;
        break;
    }
    default: {
        return;
    }
    }
    if (!done) {
        out[1] = weight;
    }
    if (args.c != 0 && !condition) {
        out[4] += code;
        out[3] = 0;
    }
}
