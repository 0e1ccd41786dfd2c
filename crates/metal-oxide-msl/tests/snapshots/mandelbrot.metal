#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

// The first check that fails. The host clears it before each launch.
struct Failure {
    atomic_uint state;
    uint site;
    uint thread_position[3];
    uint block_position[3];
};

inline void report_failure(device Failure *failure, uint site, uint3 thread_position, uint3 block_position) {
    if (atomic_exchange_explicit(&failure->state, 1u, memory_order_relaxed) == 0) {
        failure->site = site;
        failure->thread_position[0] = thread_position.x;
        failure->thread_position[1] = thread_position.y;
        failure->thread_position[2] = thread_position.z;
        failure->block_position[0] = block_position.x;
        failure->block_position[1] = block_position.y;
        failure->block_position[2] = block_position.z;
    }
}

struct mandelbrot_args {
    ulong out_length;
    uint width;
    uint limit;
    float scale;
};

kernel void mandelbrot(
    device uint *out [[buffer(0)]],
    constant mandelbrot_args &args [[buffer(1)]],
    device Failure *failure [[buffer(2)]],
    uint3 thread_position [[thread_position_in_grid]],
    uint3 position_in_block [[thread_position_in_threadgroup]],
    uint3 block_position [[threadgroup_position_in_grid]]
) {
    uint x = thread_position.x;
    uint y = thread_position.y;
    if (x >= args.width) {
        return;
    }
    float cx = float(x) * args.scale;
    float cy = float(y) * args.scale;
    uint n = 0;
    float zx = 0.0f;
    float zy = 0.0f;
    while (n < args.limit) {
        float xx = zx * zx;
        float yy = zy * zy;
        if (xx + yy > 4.0f) {
            break;
        }
        zy = zx * 2.0f * zy + cy;
        zx = xx - yy + cx;
        ++n;
    }
    ulong index = ulong(y) * args.width + x;
    if (index >= args.out_length) {
        report_failure(failure, 0, position_in_block, block_position);
        return;
    }
    out[index] = n;
}
