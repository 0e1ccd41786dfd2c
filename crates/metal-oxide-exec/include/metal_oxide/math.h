// Functions on floating-point numbers, geometry and the functions on `bool`.
// What is correctly rounded by definition is a builtin of the C++ compiler. The rest is the host's math library, called under a name that
// the compiler does not know, or it would evaluate constant arguments with another library than the one used at run time.

#define METAL_OXIDE_TEXT_(x) #x
#define METAL_OXIDE_TEXT(x) METAL_OXIDE_TEXT_(x)
#define METAL_OXIDE_SYMBOL(name) __asm__(METAL_OXIDE_TEXT(__USER_LABEL_PREFIX__) #name)
#define METAL_OXIDE_LIBRARY_1(name) float name(float) METAL_OXIDE_SYMBOL(name##f) __attribute__((const));
#define METAL_OXIDE_LIBRARY_2(name) float name(float, float) METAL_OXIDE_SYMBOL(name##f) __attribute__((const));

namespace metal_oxide {
namespace library {
METAL_OXIDE_LIBRARY_1(sin)
METAL_OXIDE_LIBRARY_1(cos)
METAL_OXIDE_LIBRARY_1(tan)
METAL_OXIDE_LIBRARY_1(asin)
METAL_OXIDE_LIBRARY_1(acos)
METAL_OXIDE_LIBRARY_1(atan)
METAL_OXIDE_LIBRARY_1(sinh)
METAL_OXIDE_LIBRARY_1(cosh)
METAL_OXIDE_LIBRARY_1(tanh)
METAL_OXIDE_LIBRARY_1(asinh)
METAL_OXIDE_LIBRARY_1(acosh)
METAL_OXIDE_LIBRARY_1(atanh)
METAL_OXIDE_LIBRARY_1(exp)
METAL_OXIDE_LIBRARY_1(exp2)
METAL_OXIDE_LIBRARY_1(log)
METAL_OXIDE_LIBRARY_1(log2)
METAL_OXIDE_LIBRARY_1(log10)
METAL_OXIDE_LIBRARY_1(logb)
METAL_OXIDE_LIBRARY_2(pow)
METAL_OXIDE_LIBRARY_2(atan2)
METAL_OXIDE_LIBRARY_2(fmod)
METAL_OXIDE_LIBRARY_2(fdim)
METAL_OXIDE_LIBRARY_2(nextafter)
float ldexp(float, int) METAL_OXIDE_SYMBOL(ldexpf) __attribute__((const));
int ilogb(float) METAL_OXIDE_SYMBOL(ilogbf) __attribute__((const));
float frexp(float, int *) METAL_OXIDE_SYMBOL(frexpf);
float modf(float, float *) METAL_OXIDE_SYMBOL(modff);
double exact_pow(double, double) METAL_OXIDE_SYMBOL(pow) __attribute__((const));
double exact_sin(double) METAL_OXIDE_SYMBOL(sin) __attribute__((const));
double exact_cos(double) METAL_OXIDE_SYMBOL(cos) __attribute__((const));
double exact_tan(double) METAL_OXIDE_SYMBOL(tan) __attribute__((const));
double exact_remainder(double, double) METAL_OXIDE_SYMBOL(remainder) __attribute__((const));
constexpr double pi = 3.14159265358979323846264338327950288;
} // namespace library
} // namespace metal_oxide

namespace metal {

inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isinf(float x) { return __builtin_isinf(x) != 0; }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isnormal(float x) { return __builtin_isnormal(x); }
inline bool isordered(float x, float y) { return !__builtin_isunordered(x, y); }
inline bool isunordered(float x, float y) { return __builtin_isunordered(x, y); }
inline bool signbit(float x) { return (as_type<uint>(x) >> 31) != 0; }

inline float fabs(float x) { return __builtin_fabsf(x); }
inline float abs(float x) { return __builtin_fabsf(x); }
inline float copysign(float x, float y) { return __builtin_copysignf(x, y); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline float rsqrt(float x) { return float(1.0 / __builtin_sqrt(double(x))); }
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float floor(float x) { return __builtin_floorf(x); }
inline float ceil(float x) { return __builtin_ceilf(x); }
inline float trunc(float x) { return __builtin_truncf(x); }
inline float rint(float x) { return __builtin_rintf(x); }
inline float round(float x) { return __builtin_roundf(x); }
inline float fract(float x)
{
    const float part = x - __builtin_floorf(x);
    // The difference of a tiny negative number and its floor rounds to one, which is not a fraction.
    return part < 1.0f ? part : part >= 1.0f ? 0x1.fffffep-1f : part;
}

#define METAL_OXIDE_FLOAT_VECTOR_1(name)                                                                                                   \
    template <int N> inline vec<float, N> name(const vec<float, N> &a)                                                                     \
    {                                                                                                                                      \
        vec<float, N> result;                                                                                                              \
        for (int i = 0; i < N; ++i) {                                                                                                      \
            result[i] = name(a[i]);                                                                                                        \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }
#define METAL_OXIDE_FLOAT_VECTOR_2(name)                                                                                                   \
    template <int N> inline vec<float, N> name(const vec<float, N> &a, const vec<float, N> &b)                                             \
    {                                                                                                                                      \
        vec<float, N> result;                                                                                                              \
        for (int i = 0; i < N; ++i) {                                                                                                      \
            result[i] = name(a[i], b[i]);                                                                                                  \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }
#define METAL_OXIDE_FLOAT_VECTOR_3(name)                                                                                                   \
    template <int N> inline vec<float, N> name(const vec<float, N> &a, const vec<float, N> &b, const vec<float, N> &c)                     \
    {                                                                                                                                      \
        vec<float, N> result;                                                                                                              \
        for (int i = 0; i < N; ++i) {                                                                                                      \
            result[i] = name(a[i], b[i], c[i]);                                                                                            \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }

namespace precise {
// A number wins over a NaN; of equal ones the first wins.
inline float fmin(float x, float y) { return __builtin_isnan(x) ? y : y < x ? y : x; }
inline float fmax(float x, float y) { return __builtin_isnan(x) ? y : x < y ? y : x; }
inline float min(float x, float y) { return fmin(x, y); }
inline float max(float x, float y) { return fmax(x, y); }
inline float clamp(float x, float low, float high) { return fmin(fmax(x, low), high); }
inline float saturate(float x) { return clamp(x, 0.0f, 1.0f); }
METAL_OXIDE_FLOAT_VECTOR_2(fmin)
METAL_OXIDE_FLOAT_VECTOR_2(fmax)
METAL_OXIDE_FLOAT_VECTOR_2(min)
METAL_OXIDE_FLOAT_VECTOR_2(max)
METAL_OXIDE_FLOAT_VECTOR_3(clamp)
METAL_OXIDE_FLOAT_VECTOR_1(saturate)
} // namespace precise

// The fast variants promise nothing about NaN. They give a NaN for one, so that a kernel which counts on a number is found out.
namespace fast {
inline float fmin(float x, float y) { return y < x ? y : __builtin_isnan(y) ? y : x; }
inline float fmax(float x, float y) { return x < y ? y : __builtin_isnan(y) ? y : x; }
inline float min(float x, float y) { return fmin(x, y); }
inline float max(float x, float y) { return fmax(x, y); }
inline float clamp(float x, float low, float high) { return fmin(fmax(x, low), high); }
inline float saturate(float x) { return clamp(x, 0.0f, 1.0f); }
METAL_OXIDE_FLOAT_VECTOR_2(fmin)
METAL_OXIDE_FLOAT_VECTOR_2(fmax)
METAL_OXIDE_FLOAT_VECTOR_2(min)
METAL_OXIDE_FLOAT_VECTOR_2(max)
METAL_OXIDE_FLOAT_VECTOR_3(clamp)
METAL_OXIDE_FLOAT_VECTOR_1(saturate)
} // namespace fast

#ifdef METAL_OXIDE_FAST_MATH
using fast::clamp;
using fast::fmax;
using fast::fmin;
using fast::max;
using fast::min;
using fast::saturate;
#else
using precise::clamp;
using precise::fmax;
using precise::fmin;
using precise::max;
using precise::min;
using precise::saturate;
#endif

inline float fmin3(float x, float y, float z) { return fmin(x, fmin(y, z)); }
inline float fmax3(float x, float y, float z) { return fmax(x, fmax(y, z)); }
inline float fmedian3(float x, float y, float z) { return fmax(fmin(x, y), fmin(fmax(x, y), z)); }
inline float min3(float x, float y, float z) { return fmin3(x, y, z); }
inline float max3(float x, float y, float z) { return fmax3(x, y, z); }
inline float median3(float x, float y, float z) { return fmedian3(x, y, z); }

inline float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : __builtin_isnan(x) ? 0.0f : x; }
inline float step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }
inline float mix(float x, float y, float a) { return x + (y - x) * a; }
inline float smoothstep(float edge0, float edge1, float x)
{
    const float t = saturate((x - edge0) / (edge1 - edge0));
    return t * t * (3.0f - 2.0f * t);
}
inline float divide(float x, float y) { return x / y; }

#define METAL_OXIDE_FORWARD_1(name)                                                                                                        \
    inline float name(float x) { return metal_oxide::library::name(x); }
#define METAL_OXIDE_FORWARD_2(name)                                                                                                        \
    inline float name(float x, float y) { return metal_oxide::library::name(x, y); }
METAL_OXIDE_FORWARD_1(sin)
METAL_OXIDE_FORWARD_1(cos)
METAL_OXIDE_FORWARD_1(tan)
METAL_OXIDE_FORWARD_1(asin)
METAL_OXIDE_FORWARD_1(acos)
METAL_OXIDE_FORWARD_1(atan)
METAL_OXIDE_FORWARD_1(sinh)
METAL_OXIDE_FORWARD_1(cosh)
METAL_OXIDE_FORWARD_1(tanh)
METAL_OXIDE_FORWARD_1(asinh)
METAL_OXIDE_FORWARD_1(acosh)
METAL_OXIDE_FORWARD_1(atanh)
METAL_OXIDE_FORWARD_1(exp)
METAL_OXIDE_FORWARD_1(exp2)
METAL_OXIDE_FORWARD_1(log)
METAL_OXIDE_FORWARD_1(log2)
METAL_OXIDE_FORWARD_1(log10)
METAL_OXIDE_FORWARD_1(logb)
METAL_OXIDE_FORWARD_2(pow)
METAL_OXIDE_FORWARD_2(atan2)
METAL_OXIDE_FORWARD_2(fmod)
METAL_OXIDE_FORWARD_2(fdim)
METAL_OXIDE_FORWARD_2(nextafter)
inline float exp10(float x) { return float(metal_oxide::library::exact_pow(10.0, double(x))); }
inline float powr(float x, float y) { return x < 0.0f ? __builtin_nanf("") : metal_oxide::library::pow(x, y); }
// The reduction by whole turns is exact, so the angle has no error before it is multiplied by pi.
inline float sinpi(float x)
{
    // The sine of pi as a double is not zero; that of the distance to the nearest multiple of pi is.
    const double half_turns = metal_oxide::library::exact_remainder(x, 2.0);
    const double rest = metal_oxide::library::exact_remainder(half_turns, 1.0);
    const double sine = metal_oxide::library::exact_sin(rest * metal_oxide::library::pi);
    return float(half_turns - rest == 0.0 ? sine : -sine);
}
inline float cospi(float x)
{
    return float(metal_oxide::library::exact_cos(metal_oxide::library::exact_remainder(x, 2.0) * metal_oxide::library::pi));
}
inline float tanpi(float x)
{
    return float(metal_oxide::library::exact_tan(metal_oxide::library::exact_remainder(x, 1.0) * metal_oxide::library::pi));
}
inline float ldexp(float x, int exponent) { return metal_oxide::library::ldexp(x, exponent); }
inline int ilogb(float x) { return metal_oxide::library::ilogb(x); }
inline float frexp(float x, int &exponent) { return metal_oxide::library::frexp(x, &exponent); }
inline float modf(float x, float &whole) { return metal_oxide::library::modf(x, &whole); }
inline float sincos(float x, float &cosine)
{
    cosine = metal_oxide::library::cos(x);
    return metal_oxide::library::sin(x);
}

METAL_OXIDE_VECTOR_1(isnan)
METAL_OXIDE_VECTOR_1(isinf)
METAL_OXIDE_VECTOR_1(isfinite)
METAL_OXIDE_VECTOR_1(isnormal)
METAL_OXIDE_VECTOR_1(signbit)
METAL_OXIDE_VECTOR_1(fabs)
METAL_OXIDE_VECTOR_2(copysign)
METAL_OXIDE_VECTOR_1(sqrt)
METAL_OXIDE_VECTOR_1(rsqrt)
METAL_OXIDE_VECTOR_3(fma)
METAL_OXIDE_VECTOR_1(floor)
METAL_OXIDE_VECTOR_1(ceil)
METAL_OXIDE_VECTOR_1(trunc)
METAL_OXIDE_VECTOR_1(rint)
METAL_OXIDE_VECTOR_1(round)
METAL_OXIDE_VECTOR_1(fract)
METAL_OXIDE_VECTOR_1(sign)
METAL_OXIDE_VECTOR_2(step)
METAL_OXIDE_VECTOR_3(mix)
METAL_OXIDE_VECTOR_3(smoothstep)
METAL_OXIDE_VECTOR_1(sin)
METAL_OXIDE_VECTOR_1(cos)
METAL_OXIDE_VECTOR_1(tan)
METAL_OXIDE_VECTOR_1(asin)
METAL_OXIDE_VECTOR_1(acos)
METAL_OXIDE_VECTOR_1(atan)
METAL_OXIDE_VECTOR_1(sinh)
METAL_OXIDE_VECTOR_1(cosh)
METAL_OXIDE_VECTOR_1(tanh)
METAL_OXIDE_VECTOR_1(asinh)
METAL_OXIDE_VECTOR_1(acosh)
METAL_OXIDE_VECTOR_1(atanh)
METAL_OXIDE_VECTOR_1(exp)
METAL_OXIDE_VECTOR_1(exp2)
METAL_OXIDE_VECTOR_1(exp10)
METAL_OXIDE_VECTOR_1(log)
METAL_OXIDE_VECTOR_1(log2)
METAL_OXIDE_VECTOR_1(log10)
METAL_OXIDE_VECTOR_2(pow)
METAL_OXIDE_VECTOR_2(powr)
METAL_OXIDE_VECTOR_2(atan2)
METAL_OXIDE_VECTOR_2(fmod)

inline bool all(bool x) { return x; }
inline bool any(bool x) { return x; }
template <int N> inline bool all(const vec<bool, N> &x)
{
    bool result = true;
    for (int i = 0; i < N; ++i) {
        result &= x[i];
    }
    return result;
}
template <int N> inline bool any(const vec<bool, N> &x) { return !all(!x); }

template <class T> inline T select(T otherwise, T then, bool condition) { return condition ? then : otherwise; }
template <class T, int N> inline vec<T, N> select(const vec<T, N> &otherwise, const vec<T, N> &then, const vec<bool, N> &condition)
{
    vec<T, N> result;
    for (int i = 0; i < N; ++i) {
        result[i] = condition[i] ? then[i] : otherwise[i];
    }
    return result;
}

// The sum runs from the first component to the last.
template <class T, int N> inline T dot(const vec<T, N> &a, const vec<T, N> &b)
{
    T sum = a[0] * b[0];
    for (int i = 1; i < N; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}
template <class T> inline vec<T, 3> cross(const vec<T, 3> &a, const vec<T, 3> &b)
{
    return vec<T, 3>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <class T, int N> inline T length_squared(const vec<T, N> &a) { return dot(a, a); }
template <class T, int N> inline T length(const vec<T, N> &a) { return sqrt(dot(a, a)); }
template <class T, int N> inline T distance_squared(const vec<T, N> &a, const vec<T, N> &b) { return length_squared(a - b); }
template <class T, int N> inline T distance(const vec<T, N> &a, const vec<T, N> &b) { return length(a - b); }
template <class T, int N> inline vec<T, N> normalize(const vec<T, N> &a) { return a / length(a); }

// On this side of the library both are as exact as the host's; what differs is declared above.
namespace precise {
using namespace metal;
}
namespace fast {
using namespace metal;
}

} // namespace metal

#undef METAL_OXIDE_LIBRARY_1
#undef METAL_OXIDE_LIBRARY_2
#undef METAL_OXIDE_FORWARD_1
#undef METAL_OXIDE_FORWARD_2
