#include <metal_stdlib>
using namespace metal;

// Fast math lets the compiler assume that no float is a NaN, so the bits decide.
inline bool is_nan(float x) {
    return (as_type<uint>(x) & 0x7fffffffu) > 0x7f800000u;
}

inline float number_max(float a, float b) {
    return is_nan(a) ? b : is_nan(b) ? a : fast::fmax(a, b);
}

inline int saturate_to_int(float x) {
    return is_nan(x) ? 0 : x < -2147483648.0f ? -2147483647 - 1 : x >= 2147483648.0f ? 2147483647 : int(x);
}

struct fast_2_args {
    float x;
    float y;
};

kernel void fast_2(device float *out [[buffer(0)]], constant fast_2_args &args [[buffer(1)]]) {
    out[0] = fast::rsqrt(fast::fmod(float(saturate_to_int(fma(fast::sqrt(is_nan(args.x) ? as_type<float>(0x7f800000u)
            : fast::sin(number_max(args.x, args.y))), args.x, -0.0f))), args.y));
}
