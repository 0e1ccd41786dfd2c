// Vectors: construction, components, swizzles on both sides of an assignment, operators, conversions and size in memory.

// run construct grid 1 1 1 block 1 1 1
// buffer f32 0*16 -> 1 2 3 4 5 5 5 1 2 7 8 9 1 2 3 9
// pass thread_position_in_grid

// run swizzles grid 1 1 1 block 1 1 1
// buffer u32 1 2 3 4 0*12 -> 1 2 3 4 2 1 4 1 2 3 10 20 14 33 26 0
// pass thread_position_in_grid

// run operators grid 1 1 1 block 1 1 1
// buffer i32 0*24 -> 5 7 9 -3 -3 -3 4 10 18 2 4 6 -1 -2 -3 0 1 1 6 1 4 4 5 15
// pass thread_position_in_grid

// run small grid 1 1 1 block 1 1 1
// buffer u16 65535 2 3 4 0*4 -> 65535 2 3 4 1 4 9 16
// pass thread_position_in_grid

// run sizes grid 1 1 1 block 1 1 1
// buffer u32 0*12 -> 8 16 16 4 8 12 48 16 2 8 3 8
// pass thread_position_in_grid

// run functions grid 1 1 1 block 1 1 1
// buffer f32 0*16 -> 32 -3 6 -3 5 1 2 2 1 1 0 2 3 0 2 2
// pass thread_position_in_grid

// run packed grid 1 1 1 block 2 1 1
// buffer f32 1 2 3 4 5 6 -> 2 4 6 8 10 12
// pass thread_position_in_grid

#include <metal_stdlib>
using namespace metal;

kernel void construct(device float *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    float4 a = float4(1, 2, 3, 4);
    float3 b = float3(5);
    float3 c = float3(a.x, a.y, 7);
    float4 d = float4(float2(8, 9), 1.0f, 2.0f);
    float2 e = float2(int2(3, 9));
    float4 f = 1.0f;
    for (int i = 0; i < 4; ++i) {
        out[i] = a[i];
    }
    out[4] = b.x;
    out[5] = b.y;
    out[6] = b.z;
    out[7] = c[0];
    out[8] = c[1];
    out[9] = c[2];
    out[10] = d.x;
    out[11] = d.y;
    out[12] = d.z;
    out[13] = d.w;
    out[14] = e.x;
    out[15] = e.y * f.w;
}

kernel void swizzles(device uint4 *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    uint4 v = out[0];
    out[1] = uint4(v.yx, v.wx);
    uint4 w = uint4(0);
    w.zw = uint2(10, 20);
    w.xy = v.yz;
    out[2] = w;
    uint3 t = v.xyz + w.zxy;
    t.xz += v.xy;
    uint2 s = max(-v.xx, ~t.yz) + 3u * t.yz;
    out[3] = uint4(t.x + v.wzyx[3] + 1, t.y + 29, s.y + 3, 0);
}

kernel void operators(device int3 *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    device int *flat = (device int *)out;
    int3 a = int3(1, 2, 3);
    int3 b = int3(4, 5, 6);
    int3 results[8] = {a + b, a - b, a * b, 2 * a, -a, b % a, int3(a.x, 0, 0), b};
    results[6] += int3(5, 1, 4);
    results[7] = select(b, int3(15), b > 5);
    bool3 less = a < b;
    if (!all(less) || any(a == b)) {
        results[5] = int3(0);
    }
    results[5].z += 1;
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 3; ++j) {
            flat[3 * i + j] = results[i][j];
        }
    }
}

kernel void small(device ushort4 *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    out[1] = out[0] * out[0];
}

struct Mixed {
    uchar first;
    float3 vector;
    bool last;
};

kernel void sizes(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    out[0] = sizeof(float2);
    out[1] = sizeof(float3);
    out[2] = alignof(uint4);
    out[3] = alignof(packed_float3);
    out[4] = sizeof(uchar4) + sizeof(char3);
    out[5] = sizeof(packed_float3);
    out[6] = sizeof(Mixed);
    out[7] = alignof(Mixed);
    out[8] = sizeof(bool2);
    out[9] = sizeof(ushort3);
    out[10] = sizeof(array<uchar, 3>);
    out[11] = sizeof(vec<float, 2>);
}

kernel void functions(device float *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    float3 a = float3(1, 2, 3);
    float3 b = float3(4, 5, 6);
    out[0] = dot(a, b);
    float3 c = cross(a, b);
    out[1] = c.x;
    out[2] = c.y;
    out[3] = c.z;
    out[4] = length(float2(3, 4));
    out[5] = length(normalize(float2(0, 7)));
    out[6] = max(a, float3(2)).x;
    out[7] = clamp(b, a, float3(2)).z;
    out[8] = float(all(isfinite(a)));
    out[9] = floor(float2(1.5f, 2)).x;
    out[10] = fract(float2(1, 2)).x;
    out[11] = float(max(int2(1, 2), int2(2, 1)).x);
    out[12] = float(popcount(uint2(7, 1)).x);
    out[13] = as_type<float2>(ulong(0)).y;
    out[14] = fma(float2(1), float2(1), float2(1)).y;
    out[15] = precise::min(float2(3, 2), float2(2, 3)).x;
}

kernel void packed(device packed_float3 *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    float3 value = out[position.x];
    out[position.x] = value * 2.0f;
}
