// The 16-bit floating-point types: `half` with 10 bits of fraction, `bfloat` with 7. Only texts that mention them include this file.
// Arithmetic is done in double precision and rounded once at the end, which gives the correctly rounded result: a double has more than
// twice as many digits and a wider range.

namespace metal {

template <int Fraction> struct small_float;

} // namespace metal

namespace metal_oxide {

// The types that mix with a small float in an expression, and what comes out: a float wins, an integer is converted.
template <class T, class Small> struct mixed;
template <class Small> struct mixed<float, Small> {
    typedef float type;
};
template <class Small> struct mixed<double, Small> {
    typedef double type;
};
template <class Small> struct mixed<bool, Small> {
    typedef Small type;
};
#define METAL_OXIDE_MIXED(T)                                                                                                               \
    template <class Small> struct mixed<T, Small> {                                                                                        \
        typedef Small type;                                                                                                                \
    };
METAL_OXIDE_MIXED(char)
METAL_OXIDE_MIXED(signed char)
METAL_OXIDE_MIXED(uchar)
METAL_OXIDE_MIXED(short)
METAL_OXIDE_MIXED(ushort)
METAL_OXIDE_MIXED(int)
METAL_OXIDE_MIXED(uint)
METAL_OXIDE_MIXED(long)
METAL_OXIDE_MIXED(ulong)
#ifdef METAL_OXIDE_ADDRESS_SPACES
METAL_OXIDE_MIXED(metal_oxide_literal_half)
#endif
#undef METAL_OXIDE_MIXED

// An integer as a double whose last bit is set if bits were lost, so that rounding it again goes the right way.
inline double to_odd(ulong value)
{
    return value >> 53 == 0 ? double(value) : double(long(value >> 11 | ulong((value & 2047) != 0))) * 2048.0;
}
inline double widen(long value) { return value < 0 ? -to_odd(ulong(0) - ulong(value)) : to_odd(ulong(value)); }
inline double widen(ulong value) { return to_odd(value); }
template <class T> inline double widen(T value) { return double(value); }

// The sum of two doubles, rounded in the same way.
inline double sum_to_odd(double a, double b)
{
    const double sum = a + b;
    const double part = sum - a;
    const double lost = (a - (sum - part)) + (b - part);
    ulong bits = as_type<ulong>(sum);
    // Nothing is lost where the sum is infinite or not a number; there `lost` is not a number.
    if (lost != 0.0 && lost == lost && (bits & 1) == 0) {
        bits = (lost < 0.0) == (sum < 0.0) ? bits + 1 : bits - 1;
    }
    return as_type<double>(bits);
}

// The nearest number with so many bits of fraction, ties to even, as its bits.
template <int Fraction> inline ushort round_to_small(double value)
{
    constexpr int exponent_bits = 15 - Fraction;
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr ulong infinity = ulong((1 << exponent_bits) - 1) << Fraction;
    const ulong bits = as_type<ulong>(value);
    const ulong sign = bits >> 63 << 15;
    const ulong fraction = bits & 0xffffffffffffful;
    int exponent = int(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) {
        // A NaN keeps the leading bits of its payload, and becomes quiet.
        const ulong quiet = fraction == 0 ? 0 : ulong(1) << (Fraction - 1) | fraction >> (52 - Fraction);
        return ushort(sign | infinity | quiet);
    }
    if (exponent == 0) {
        return ushort(sign);
    }
    exponent += bias - 1023;
    ulong significand = fraction | ulong(1) << 52;
    int drop = 52 - Fraction;
    if (exponent < 1) {
        // Below the normal numbers one more bit is lost with each step.
        drop += 1 - exponent;
        exponent = 1;
    }
    if (drop > 54) {
        return ushort(sign);
    }
    const ulong half_way = ulong(1) << (drop - 1);
    const ulong rest = significand & ((half_way << 1) - 1);
    significand >>= drop;
    significand += rest > half_way || (rest == half_way && (significand & 1) != 0) ? 1 : 0;
    // The leading bit of the significand carries into the exponent, and so does rounding up; a subnormal number has no leading bit.
    const ulong result = (ulong(exponent - 1) << Fraction) + significand;
    return ushort(sign | (result < infinity ? result : infinity));
}

template <int Fraction> inline float widen_small(ushort bits)
{
    constexpr int exponent_bits = 15 - Fraction;
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    const uint sign = uint(bits >> 15) << 31;
    const uint exponent = uint(bits >> Fraction) & ((1u << exponent_bits) - 1);
    const uint fraction = bits & ((1u << Fraction) - 1);
    if (exponent == (1u << exponent_bits) - 1) {
        return as_type<float>(sign | 0x7f800000u | fraction << (23 - Fraction));
    }
    if (exponent == 0) {
        const float step = as_type<float>(uint(127 - bias + 1 - Fraction > 0 ? (127 - bias + 1 - Fraction) << 23 : 1 << (23 - Fraction)));
        return as_type<float>(sign | as_type<uint>(float(fraction) * step));
    }
    return as_type<float>(sign | (exponent + uint(127 - bias)) << 23 | fraction << (23 - Fraction));
}

} // namespace metal_oxide

namespace metal {

template <int Fraction> struct small_float {
    ushort bits;

    small_float() = default;
    template <class T, class = typename metal_oxide::mixed<T, small_float>::type>
    small_float(T value) : bits(metal_oxide::round_to_small<Fraction>(metal_oxide::widen(value)))
    {
    }
    template <int Other> explicit small_float(small_float<Other> value) : small_float(float(value)) {}
    operator float() const { return metal_oxide::widen_small<Fraction>(bits); }

    friend small_float operator+(small_float a) { return a; }
    friend small_float operator-(small_float a)
    {
        a.bits = ushort(a.bits ^ 0x8000);
        return a;
    }
#define METAL_OXIDE_SMALL_ARITHMETIC(op)                                                                                                   \
    friend small_float operator op(small_float a, small_float b) { return small_float(double(float(a)) op double(float(b))); }             \
    template <class T> friend typename metal_oxide::mixed<T, small_float>::type operator op(small_float a, T b)                            \
    {                                                                                                                                      \
        typedef typename metal_oxide::mixed<T, small_float>::type R;                                                                       \
        return R(a) op R(b);                                                                                                               \
    }                                                                                                                                      \
    template <class T> friend typename metal_oxide::mixed<T, small_float>::type operator op(T a, small_float b)                            \
    {                                                                                                                                      \
        typedef typename metal_oxide::mixed<T, small_float>::type R;                                                                       \
        return R(a) op R(b);                                                                                                               \
    }                                                                                                                                      \
    template <class T> small_float &operator op##=(T b) { return *this = small_float(*this op b); }
    METAL_OXIDE_SMALL_ARITHMETIC(+)
    METAL_OXIDE_SMALL_ARITHMETIC(-)
    METAL_OXIDE_SMALL_ARITHMETIC(*)
    METAL_OXIDE_SMALL_ARITHMETIC(/)
#undef METAL_OXIDE_SMALL_ARITHMETIC
#define METAL_OXIDE_SMALL_COMPARISON(op)                                                                                                   \
    friend bool operator op(small_float a, small_float b) { return float(a) op float(b); }                                                 \
    template <class T, class = typename metal_oxide::mixed<T, small_float>::type> friend bool operator op(small_float a, T b)              \
    {                                                                                                                                      \
        typedef typename metal_oxide::mixed<T, small_float>::type R;                                                                       \
        return float(R(a)) op float(R(b));                                                                                                 \
    }                                                                                                                                      \
    template <class T, class = typename metal_oxide::mixed<T, small_float>::type> friend bool operator op(T a, small_float b)              \
    {                                                                                                                                      \
        typedef typename metal_oxide::mixed<T, small_float>::type R;                                                                       \
        return float(R(a)) op float(R(b));                                                                                                 \
    }
    METAL_OXIDE_SMALL_COMPARISON(==)
    METAL_OXIDE_SMALL_COMPARISON(!=)
    METAL_OXIDE_SMALL_COMPARISON(<)
    METAL_OXIDE_SMALL_COMPARISON(<=)
    METAL_OXIDE_SMALL_COMPARISON(>)
    METAL_OXIDE_SMALL_COMPARISON(>=)
#undef METAL_OXIDE_SMALL_COMPARISON
};

} // namespace metal

typedef metal::small_float<10> half;
typedef metal::small_float<7> bfloat;
METAL_OXIDE_VECTOR_NAMES(half)
METAL_OXIDE_VECTOR_NAMES(bfloat)

inline half operator""h(long double value) { return half(double(value)); }
inline half operator""h(unsigned long long value) { return half(ulong(value)); }
inline half operator""H(long double value) { return half(double(value)); }
inline half operator""H(unsigned long long value) { return half(ulong(value)); }
inline bfloat operator""bf(long double value) { return bfloat(double(value)); }
inline bfloat operator""BF(long double value) { return bfloat(double(value)); }

#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX 65504.0h
#define HALF_MIN 0x1p-14h
#define HALF_EPSILON 0x1p-10h
#define MAXHALF 65504.0h
#define HUGE_VALH half(__builtin_inff())

namespace metal {

using ::bfloat;
using ::half;

template <int F> inline small_float<F> fabs(small_float<F> x) { return as_type<small_float<F>>(ushort(x.bits & 0x7fff)); }
template <int F> inline small_float<F> abs(small_float<F> x) { return fabs(x); }
template <int F> inline small_float<F> copysign(small_float<F> x, small_float<F> y)
{
    return as_type<small_float<F>>(ushort((x.bits & 0x7fff) | (y.bits & 0x8000)));
}
template <int F> inline small_float<F> sqrt(small_float<F> x) { return small_float<F>(__builtin_sqrt(double(float(x)))); }
template <int F> inline small_float<F> rsqrt(small_float<F> x) { return small_float<F>(1.0 / __builtin_sqrt(double(float(x)))); }
template <int F> inline small_float<F> fma(small_float<F> a, small_float<F> b, small_float<F> c)
{
    // The product is exact.
    return small_float<F>(metal_oxide::sum_to_odd(double(float(a)) * double(float(b)), double(float(c))));
}
template <int F> inline bool signbit(small_float<F> x) { return x.bits >> 15 != 0; }

// The others are the functions on floats, rounded once more.
#define METAL_OXIDE_SMALL_1(name)                                                                                                          \
    template <int F> inline small_float<F> name(small_float<F> x) { return small_float<F>(name(float(x))); }
#define METAL_OXIDE_SMALL_2(name)                                                                                                          \
    template <int F> inline small_float<F> name(small_float<F> x, small_float<F> y)                                                        \
    {                                                                                                                                      \
        return small_float<F>(name(float(x), float(y)));                                                                                   \
    }
#define METAL_OXIDE_SMALL_3(name)                                                                                                          \
    template <int F> inline small_float<F> name(small_float<F> x, small_float<F> y, small_float<F> z)                                      \
    {                                                                                                                                      \
        return small_float<F>(name(float(x), float(y), float(z)));                                                                         \
    }
METAL_OXIDE_SMALL_1(floor)
METAL_OXIDE_SMALL_1(ceil)
METAL_OXIDE_SMALL_1(trunc)
METAL_OXIDE_SMALL_1(rint)
METAL_OXIDE_SMALL_1(round)
METAL_OXIDE_SMALL_1(saturate)
METAL_OXIDE_SMALL_1(sign)
METAL_OXIDE_SMALL_1(sin)
METAL_OXIDE_SMALL_1(cos)
METAL_OXIDE_SMALL_1(tan)
METAL_OXIDE_SMALL_1(asin)
METAL_OXIDE_SMALL_1(acos)
METAL_OXIDE_SMALL_1(atan)
METAL_OXIDE_SMALL_1(sinh)
METAL_OXIDE_SMALL_1(cosh)
METAL_OXIDE_SMALL_1(tanh)
METAL_OXIDE_SMALL_1(asinh)
METAL_OXIDE_SMALL_1(acosh)
METAL_OXIDE_SMALL_1(atanh)
METAL_OXIDE_SMALL_1(exp)
METAL_OXIDE_SMALL_1(exp2)
METAL_OXIDE_SMALL_1(exp10)
METAL_OXIDE_SMALL_1(log)
METAL_OXIDE_SMALL_1(log2)
METAL_OXIDE_SMALL_1(log10)
METAL_OXIDE_SMALL_2(fmin)
METAL_OXIDE_SMALL_2(fmax)
METAL_OXIDE_SMALL_2(min)
METAL_OXIDE_SMALL_2(max)
METAL_OXIDE_SMALL_2(step)
METAL_OXIDE_SMALL_2(pow)
METAL_OXIDE_SMALL_2(powr)
METAL_OXIDE_SMALL_2(atan2)
METAL_OXIDE_SMALL_2(fmod)
METAL_OXIDE_SMALL_2(fdim)
METAL_OXIDE_SMALL_3(clamp)
METAL_OXIDE_SMALL_3(mix)
METAL_OXIDE_SMALL_3(smoothstep)
#undef METAL_OXIDE_SMALL_1
#undef METAL_OXIDE_SMALL_2
#undef METAL_OXIDE_SMALL_3
// The largest fraction depends on the type.
template <int F> inline small_float<F> fract(small_float<F> x)
{
    const small_float<F> part = x - floor(x);
    const small_float<F> largest = as_type<small_float<F>>(ushort(small_float<F>(1.0f).bits - 1));
    return part < largest ? part : part >= largest ? largest : part;
}

template <int F> struct numeric_limits<small_float<F>> {
    static constexpr int digits = F + 1;
    static small_float<F> max() { return as_type<small_float<F>>(ushort(infinity().bits - 1)); }
    static small_float<F> lowest() { return -max(); }
    static small_float<F> min() { return as_type<small_float<F>>(ushort(1 << F)); }
    static small_float<F> epsilon() { return small_float<F>(1.0f / float(1 << F)); }
    static small_float<F> infinity() { return small_float<F>(__builtin_inff()); }
    static small_float<F> quiet_NaN() { return small_float<F>(__builtin_nanf("")); }
};

} // namespace metal
