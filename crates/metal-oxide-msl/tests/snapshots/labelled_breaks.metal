#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

struct search_args {
    uint width;
    uint height;
};

kernel void search(device const uint *grid [[buffer(0)]], device uint *out [[buffer(1)]], constant search_args &args [[buffer(2)]]) {
    uint sum = 0;
    bool done = false;
    for (uint y = 0; y < args.height; ++y) {
        uint product = y * args.width;
        for (uint x = 0; x < args.width; ++x) {
            uint cell = grid[product + x];
            if (cell == 0) {
                done = true;
                break;
            }
            if (cell == 1) {
                break;
            }
            if (cell == 2) {
                return;
            }
            sum += cell;
        }
        if (done) {
            break;
        }
    }
    out[0] = sum;
}
