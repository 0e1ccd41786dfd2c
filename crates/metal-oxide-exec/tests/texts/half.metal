// Half precision in the language: literals, mixing with other types, vectors, functions, constants.

// run mixing grid 1 1 1 block 1 1 1
// buffer u16 0*10 -> 0x3e00 0x4200 0x3c00 0x7bff 0x0400 0x7c00 0x3ff8 0xc200 0x4400 0x3800
// buffer f32 0*4 -> 2.5 3.5 65504 0.333251953125
// pass thread_position_in_grid

// run lanes grid 1 1 1 block 1 1 1
// buffer u16 0x3c00 0x4000 0x4200 0x4400 -> 0x4400 0x4600 0x4800 0x4900
// pass thread_position_in_grid

// run sum grid 1 1 1 block 4 1 1
// buffer u16 0x3c00 0x3c00 0x3c00 0x3c00 -> 0x4400 0x4400 0x4400 0x4400
// pass thread_position_in_grid

#include <metal_stdlib>
using namespace metal;

kernel void mixing(device half *out [[buffer(0)]], device float *wide [[buffer(1)]], uint3 position [[thread_position_in_grid]])
{
    half a = 1.5h;
    half b = half(3);
    out[0] = a;
    out[1] = a * 2;
    out[2] = a - 0.5h;
    out[3] = HALF_MAX;
    out[4] = HALF_MIN;
    out[5] = half(70000.0f);
    bfloat c = bfloat(1.9921875f);
    out[6] = half(float(c));
    out[7] = -b;
    a += 2.5h;
    out[8] = max(a, b);
    out[9] = b > 2 && a == 4.0f && 3.0h == b && !isnan(b) ? floor(0.75h) + 0.5h : 0.0h;
    wide[0] = half(1.5h) + 1.0f;
    wide[1] = sqrt(half(12.25f));
    wide[2] = float(numeric_limits<half>::max());
    wide[3] = 1.0h / b;
}

kernel void lanes(device half4 *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    half4 v = out[0];
    out[0] = (v + half4(1)) * 2.0h;
}

kernel void sum(device half *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    out[position.x] = simd_sum(out[position.x]);
}
