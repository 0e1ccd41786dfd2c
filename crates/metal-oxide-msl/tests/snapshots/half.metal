#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

inline char saturate_to_char(float x) {
    return isnan(x) ? 0 : x < -128.0f ? -128 : x >= 128.0f ? 127 : char(x);
}

kernel void half_2(device half *halves [[buffer(0)]], device bfloat *brains [[buffer(1)]], device ushort *bits [[buffer(2)]]) {
    half h = halves[0];
    half sum = h * half(1.0f) + as_type<half>(ushort(0x7c00));
    brains[0] = isnan(sum) ? bfloat(float(sum)) : bfloat(3.140625f);
    bits[0] = as_type<ushort>(h) + 1;
    halves[1] = sqrt(fmax(half(saturate_to_char(float(h))), h));
    bits[1] = as_type<ushort>(halves[1]);
}
