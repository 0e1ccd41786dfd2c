#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

inline char saturate_to_char(float x) {
    return isnan(x) ? 0 : x < -128.0f ? -128 : x >= 128.0f ? 127 : char(x);
}

inline ulong saturate_to_ulong(float x) {
    return isnan(x) || x <= 0.0f ? 0 : x >= 18446744073709551616.0f ? 0xfffffffffffffffful : ulong(x);
}

inline uint swap_bytes(uint x) {
    return (x << 24) | ((x & 0xff00u) << 8) | ((x >> 8) & 0xff00u) | (x >> 24);
}

inline ulong swap_bytes(ulong x) {
    return (ulong(swap_bytes(uint(x))) << 32) | swap_bytes(uint(x >> 32));
}

struct integers_args {
    int n;
};

kernel void integers(
    device int *words [[buffer(0)]],
    device uchar *bytes [[buffer(1)]],
    device short *shorts [[buffer(2)]],
    device ulong *longs [[buffer(3)]],
    device float *floats [[buffer(4)]],
    constant integers_args &args [[buffer(5)]]
) {
    for (int i = 0; i < args.n; ++i) {
        int w = words[i];
        words[i] = int(w + 1u) < w ? int(uint(w) << 2) >> i : int(-2147483648);
        uchar bytes_element = bytes[i];
        bytes[i] = uchar(uchar(bytes_element - 56) >> 1) * bytes_element;
        short s = shorts[i];
        shorts[i] = ushort(max(int(short(short(uint(ushort(s)) * ushort(s)) / 3)), w));
        ulong sum = swap_bytes(mulhi(longs[i], 0x3b9aca07ul)) + uint(w);
        longs[i] = sum + clz(sum);
        float floats_element = floats[i];
        floats[i] = precise::fmin(float(saturate_to_char(floats_element)), float(saturate_to_ulong(floats_element)));
    }
}
