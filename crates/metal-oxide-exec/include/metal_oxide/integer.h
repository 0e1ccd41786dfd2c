// Functions on integers. Each is a template over one type: as in Metal, arguments of two types are an error.

#define METAL_OXIDE_INTEGER_RESULT typename metal_oxide::integer<T>::type
#define METAL_OXIDE_UNSIGNED typename metal_oxide::integer<T>::unsigned_type

namespace metal_oxide {

// The type that holds any product, sum and difference of two values of type T.
template <bool> struct wider_type { typedef __int128 type; };
template <> struct wider_type<true> { typedef long type; };
template <class T> using wider = typename wider_type<(sizeof(T) < 8)>::type;
static_assert(sizeof(__int128) == 16, "");

template <class T> inline T saturated(wider<T> value)
{
    return value < wider<T>(integer<T>::min) ? integer<T>::min : value > wider<T>(integer<T>::max) ? integer<T>::max : T(value);
}

} // namespace metal_oxide

namespace metal {

template <class T> inline METAL_OXIDE_INTEGER_RESULT popcount(T x) { return T(__builtin_popcountl((METAL_OXIDE_UNSIGNED)x)); }

template <class T> inline METAL_OXIDE_INTEGER_RESULT clz(T x)
{
    const int bits = metal_oxide::integer<T>::bits;
    return x == 0 ? T(bits) : T(__builtin_clzl((METAL_OXIDE_UNSIGNED)x) - (64 - bits));
}

template <class T> inline METAL_OXIDE_INTEGER_RESULT ctz(T x)
{
    return x == 0 ? T(metal_oxide::integer<T>::bits) : T(__builtin_ctzl((METAL_OXIDE_UNSIGNED)x));
}

template <class T> inline METAL_OXIDE_INTEGER_RESULT reverse_bits(T x)
{
    ulong v = (METAL_OXIDE_UNSIGNED)x;
    v = ((v >> 1) & 0x5555555555555555ul) | ((v & 0x5555555555555555ul) << 1);
    v = ((v >> 2) & 0x3333333333333333ul) | ((v & 0x3333333333333333ul) << 2);
    v = ((v >> 4) & 0x0f0f0f0f0f0f0f0ful) | ((v & 0x0f0f0f0f0f0f0f0ful) << 4);
    return T(__builtin_bswap64(v) >> (64 - metal_oxide::integer<T>::bits));
}

template <class T> inline METAL_OXIDE_INTEGER_RESULT rotate(T v, T i)
{
    typedef METAL_OXIDE_UNSIGNED U;
    const int bits = metal_oxide::integer<T>::bits;
    const int count = int(U(i) & U(bits - 1));
    return T(U(U(U(v) << count) | U(U(v) >> ((bits - count) & (bits - 1)))));
}

template <class T> inline METAL_OXIDE_INTEGER_RESULT mulhi(T x, T y)
{
    return T((typename metal_oxide::wider_type<(sizeof(T) < 4)>::type(x) * y) >> metal_oxide::integer<T>::bits);
}
template <> inline ulong mulhi(ulong x, ulong y) { return ulong((static_cast<unsigned __int128>(x) * y) >> 64); }

template <class T> inline METAL_OXIDE_INTEGER_RESULT addsat(T x, T y) { return metal_oxide::saturated<T>(metal_oxide::wider<T>(x) + y); }
template <class T> inline METAL_OXIDE_INTEGER_RESULT subsat(T x, T y) { return metal_oxide::saturated<T>(metal_oxide::wider<T>(x) - y); }
template <class T> inline METAL_OXIDE_INTEGER_RESULT hadd(T x, T y) { return T((metal_oxide::wider<T>(x) + y) >> 1); }
template <class T> inline METAL_OXIDE_INTEGER_RESULT rhadd(T x, T y) { return T((metal_oxide::wider<T>(x) + y + 1) >> 1); }

// The product of two 32-bit values fits; that of two 64-bit values is computed modulo 2^128, of which these need 2^64.
template <class T> inline METAL_OXIDE_INTEGER_RESULT madhi(T a, T b, T c)
{
    return T((METAL_OXIDE_UNSIGNED)mulhi(a, b) + (METAL_OXIDE_UNSIGNED)c);
}
template <class T> inline METAL_OXIDE_INTEGER_RESULT madsat(T a, T b, T c)
{
    static_assert(sizeof(T) < 8, "madsat of 64-bit integers is not provided");
    return metal_oxide::saturated<T>(metal_oxide::saturated<long>(static_cast<__int128>(a) * b + c));
}

template <class T> inline METAL_OXIDE_INTEGER_RESULT mul24(T x, T y)
{
    static_assert(sizeof(T) == 4, "mul24 is for 32-bit integers");
    return T(long(int(uint(x) << 8) >> 8) * long(int(uint(y) << 8) >> 8));
}
template <> inline uint mul24(uint x, uint y) { return (x & 0xffffffu) * (y & 0xffffffu); }
template <class T> inline METAL_OXIDE_INTEGER_RESULT mad24(T x, T y, T z) { return T(uint(mul24(x, y)) + uint(z)); }

// The absolute value of the smallest integer is itself, as the sum of its complement and one wraps.
template <class T> inline METAL_OXIDE_INTEGER_RESULT abs(T x) { return x < T(0) ? T(METAL_OXIDE_UNSIGNED(0) - (METAL_OXIDE_UNSIGNED)x) : x; }
template <class T> inline METAL_OXIDE_UNSIGNED absdiff(T x, T y)
{
    typedef METAL_OXIDE_UNSIGNED U;
    return x < y ? U(U(y) - U(x)) : U(U(x) - U(y));
}

template <class T> inline METAL_OXIDE_INTEGER_RESULT min(T x, T y) { return y < x ? y : x; }
template <class T> inline METAL_OXIDE_INTEGER_RESULT max(T x, T y) { return x < y ? y : x; }
template <class T> inline METAL_OXIDE_INTEGER_RESULT clamp(T x, T low, T high) { return min(max(x, low), high); }
template <class T> inline METAL_OXIDE_INTEGER_RESULT min3(T x, T y, T z) { return min(x, min(y, z)); }
template <class T> inline METAL_OXIDE_INTEGER_RESULT max3(T x, T y, T z) { return max(x, max(y, z)); }
template <class T> inline METAL_OXIDE_INTEGER_RESULT median3(T x, T y, T z) { return max(min(x, y), min(max(x, y), z)); }

template <class T> inline METAL_OXIDE_INTEGER_RESULT extract_bits(T x, uint offset, uint bits)
{
    typedef METAL_OXIDE_UNSIGNED U;
    const uint width = uint(metal_oxide::integer<T>::bits);
    if (bits == 0) {
        return T(0);
    }
    // The left shift drops the bits above the field, the arithmetic or logical right shift those below it.
    return T(T(ulong(U(x)) << (width - bits - offset)) >> (width - bits));
}
template <class T> inline METAL_OXIDE_INTEGER_RESULT insert_bits(T base, T insert, uint offset, uint bits)
{
    typedef METAL_OXIDE_UNSIGNED U;
    if (bits == 0) {
        return base;
    }
    const U mask = U(U(U(-1) >> (uint(metal_oxide::integer<T>::bits) - bits)) << offset);
    return T(U(U(base) & U(~mask)) | U(U(U(insert) << offset) & mask));
}

METAL_OXIDE_VECTOR_1(popcount)
METAL_OXIDE_VECTOR_1(clz)
METAL_OXIDE_VECTOR_1(ctz)
METAL_OXIDE_VECTOR_1(reverse_bits)
METAL_OXIDE_VECTOR_1(abs)
METAL_OXIDE_VECTOR_2(absdiff)
METAL_OXIDE_VECTOR_2(rotate)
METAL_OXIDE_VECTOR_2(mulhi)
METAL_OXIDE_VECTOR_2(addsat)
METAL_OXIDE_VECTOR_2(subsat)
METAL_OXIDE_VECTOR_2(hadd)
METAL_OXIDE_VECTOR_2(rhadd)
METAL_OXIDE_VECTOR_3(madhi)
METAL_OXIDE_VECTOR_3(madsat)
METAL_OXIDE_VECTOR_2(min)
METAL_OXIDE_VECTOR_2(max)
METAL_OXIDE_VECTOR_3(clamp)
METAL_OXIDE_VECTOR_3(median3)

} // namespace metal

#undef METAL_OXIDE_INTEGER_RESULT
#undef METAL_OXIDE_UNSIGNED
