// Scalar types, limits and reinterpretation of bits.

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
typedef ulong size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef ulong uintptr_t;

static_assert(sizeof(long) == 8 && sizeof(void *) == 8, "Metal's long and pointers have 64 bits");
static_assert(char(-1) < 0, "Metal's char is signed");

#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1l)
#define ULONG_MAX 18446744073709551615ul

#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define MAXFLOAT 0x1.fffffep127f
#define HUGE_VALF __builtin_inff()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)

#define M_E_F 2.71828182845904523536028747135266250f
#define M_LOG2E_F 1.44269504088896340735992468100189214f
#define M_LOG10E_F 0.434294481903251827651128918916605082f
#define M_LN2_F 0.693147180559945309417232121458176568f
#define M_LN10_F 2.30258509299404568401799145468436421f
#define M_PI_F 3.14159265358979323846264338327950288f
#define M_PI_2_F 1.57079632679489661923132169163975144f
#define M_PI_4_F 0.785398163397448309615660845819875721f
#define M_1_PI_F 0.318309886183790671537767526745028724f
#define M_2_PI_F 0.636619772367581343075535053490057448f
#define M_2_SQRTPI_F 1.12837916709551257389615890312154517f
#define M_SQRT2_F 1.41421356237309504880168872420969808f
#define M_SQRT1_2_F 0.707106781186547524400844362104849039f

namespace metal_oxide {

template <class T> struct same { typedef T type; };

template <bool> struct enable_if {};
template <> struct enable_if<true> { typedef int type; };

// What the functions on integers need to know about a type; absent for all other types.
template <class T> struct integer;

#define METAL_OXIDE_INTEGER(T, U)                                                                                                          \
    template <> struct integer<T> {                                                                                                        \
        typedef T type;                                                                                                                    \
        typedef U unsigned_type;                                                                                                           \
        static constexpr int bits = int(sizeof(T)) * 8;                                                                                    \
        static constexpr bool is_signed = static_cast<T>(-1) < 0;                                                                                         \
        static constexpr T max = static_cast<T>(is_signed ? U(U(-1) >> 1) : U(-1));                                                                     \
        static constexpr T min = static_cast<T>(is_signed ? U(U(1) << (bits - 1)) : U(0));                                                              \
    };
METAL_OXIDE_INTEGER(char, uchar)
METAL_OXIDE_INTEGER(signed char, uchar)
METAL_OXIDE_INTEGER(uchar, uchar)
METAL_OXIDE_INTEGER(short, ushort)
METAL_OXIDE_INTEGER(ushort, ushort)
METAL_OXIDE_INTEGER(int, uint)
METAL_OXIDE_INTEGER(uint, uint)
METAL_OXIDE_INTEGER(long, ulong)
METAL_OXIDE_INTEGER(ulong, ulong)
#undef METAL_OXIDE_INTEGER

} // namespace metal_oxide

template <class To, class From> inline To as_type(From from)
{
    static_assert(sizeof(To) == sizeof(From), "as_type needs two types of one size");
    To to;
    __builtin_memcpy(static_cast<void *>(&to), &from, sizeof(To));
    return to;
}

namespace metal {

using ::as_type;

// A by-value array.
template <class T, size_t N> struct array {
    T elements[N];
    constexpr size_t size() const { return N; }
    T &operator[](size_t index) { return elements[index]; }
    constexpr const T &operator[](size_t index) const { return elements[index]; }
};

template <class T> struct numeric_limits {
    static constexpr int digits = metal_oxide::integer<T>::bits - metal_oxide::integer<T>::is_signed;
    static constexpr T min() { return metal_oxide::integer<T>::min; }
    static constexpr T lowest() { return metal_oxide::integer<T>::min; }
    static constexpr T max() { return metal_oxide::integer<T>::max; }
};

template <> struct numeric_limits<float> {
    static constexpr int digits = FLT_MANT_DIG;
    static constexpr float min() { return FLT_MIN; }
    static constexpr float lowest() { return -FLT_MAX; }
    static constexpr float max() { return FLT_MAX; }
    static constexpr float epsilon() { return FLT_EPSILON; }
    static constexpr float infinity() { return __builtin_inff(); }
    static constexpr float quiet_NaN() { return __builtin_nanf(""); }
};

} // namespace metal
