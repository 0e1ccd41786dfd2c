// Swizzles as operands and arguments: an operator or function that is given one is applied to the vector that it stands for.
// Templates do not convert their arguments, so each name is listed once more. Only texts with swizzles include this file.

namespace metal_oxide {

template <class... A> struct any_swizzle {
    static constexpr bool value = false;
};
template <class T, int... I, class... Rest> struct any_swizzle<swizzle<T, I...>, Rest...> {
    static constexpr bool value = true;
};
template <class First, class... Rest> struct any_swizzle<First, Rest...> : any_swizzle<Rest...> {};

template <class T> inline const T &plain(const T &value) { return value; }
template <class T, int... I> inline typename swizzle<T, I...>::value plain(const swizzle<T, I...> &value) { return value; }

#ifdef METAL_OXIDE_ADDRESS_SPACES
// Here the types of local variables name their address space.
template <class First, class... Rest> struct any_swizzle<__private First, Rest...> : any_swizzle<First, Rest...> {};
template <class T, int... I> typename swizzle<T, I...>::value plain(const __private swizzle<T, I...> &value);
#endif

#define METAL_OXIDE_SWIZZLE_OPERATOR(op)                                                                                                   \
    template <class A, class B, typename enable_if<any_swizzle<A, B>::value>::type = 0>                                                    \
    inline auto operator op(const A &a, const B &b)->decltype(plain(a) op plain(b))                                                        \
    {                                                                                                                                      \
        return plain(a) op plain(b);                                                                                                       \
    }
METAL_OXIDE_SWIZZLE_OPERATOR(+)
METAL_OXIDE_SWIZZLE_OPERATOR(-)
METAL_OXIDE_SWIZZLE_OPERATOR(*)
METAL_OXIDE_SWIZZLE_OPERATOR(/)
METAL_OXIDE_SWIZZLE_OPERATOR(%)
METAL_OXIDE_SWIZZLE_OPERATOR(&)
METAL_OXIDE_SWIZZLE_OPERATOR(|)
METAL_OXIDE_SWIZZLE_OPERATOR(^)
METAL_OXIDE_SWIZZLE_OPERATOR(<<)
METAL_OXIDE_SWIZZLE_OPERATOR(>>)
METAL_OXIDE_SWIZZLE_OPERATOR(==)
METAL_OXIDE_SWIZZLE_OPERATOR(!=)
METAL_OXIDE_SWIZZLE_OPERATOR(<)
METAL_OXIDE_SWIZZLE_OPERATOR(<=)
METAL_OXIDE_SWIZZLE_OPERATOR(>)
METAL_OXIDE_SWIZZLE_OPERATOR(>=)
METAL_OXIDE_SWIZZLE_OPERATOR(&&)
METAL_OXIDE_SWIZZLE_OPERATOR(||)
#undef METAL_OXIDE_SWIZZLE_OPERATOR

template <class T, int... I> inline auto operator-(const swizzle<T, I...> &a) -> decltype(plain(a)) { return -plain(a); }
template <class T, int... I> inline auto operator~(const swizzle<T, I...> &a) -> decltype(plain(a)) { return ~plain(a); }
template <class T, int... I> inline auto operator!(const swizzle<T, I...> &a) -> decltype(!plain(a)) { return !plain(a); }

} // namespace metal_oxide

namespace metal {

#define METAL_OXIDE_SWIZZLE_FUNCTION(name)                                                                                                 \
    template <class... A, typename metal_oxide::enable_if<metal_oxide::any_swizzle<A...>::value>::type = 0>                                \
    inline auto name(const A &...a)->decltype(name(metal_oxide::plain(a)...))                                                              \
    {                                                                                                                                      \
        return name(metal_oxide::plain(a)...);                                                                                             \
    }
METAL_OXIDE_SWIZZLE_FUNCTION(popcount)
METAL_OXIDE_SWIZZLE_FUNCTION(clz)
METAL_OXIDE_SWIZZLE_FUNCTION(ctz)
METAL_OXIDE_SWIZZLE_FUNCTION(reverse_bits)
METAL_OXIDE_SWIZZLE_FUNCTION(abs)
METAL_OXIDE_SWIZZLE_FUNCTION(absdiff)
METAL_OXIDE_SWIZZLE_FUNCTION(rotate)
METAL_OXIDE_SWIZZLE_FUNCTION(mulhi)
METAL_OXIDE_SWIZZLE_FUNCTION(addsat)
METAL_OXIDE_SWIZZLE_FUNCTION(subsat)
METAL_OXIDE_SWIZZLE_FUNCTION(hadd)
METAL_OXIDE_SWIZZLE_FUNCTION(rhadd)
METAL_OXIDE_SWIZZLE_FUNCTION(madhi)
METAL_OXIDE_SWIZZLE_FUNCTION(madsat)
METAL_OXIDE_SWIZZLE_FUNCTION(min)
METAL_OXIDE_SWIZZLE_FUNCTION(max)
METAL_OXIDE_SWIZZLE_FUNCTION(clamp)
METAL_OXIDE_SWIZZLE_FUNCTION(median3)
METAL_OXIDE_SWIZZLE_FUNCTION(fmin)
METAL_OXIDE_SWIZZLE_FUNCTION(fmax)
METAL_OXIDE_SWIZZLE_FUNCTION(saturate)
METAL_OXIDE_SWIZZLE_FUNCTION(isnan)
METAL_OXIDE_SWIZZLE_FUNCTION(isinf)
METAL_OXIDE_SWIZZLE_FUNCTION(isfinite)
METAL_OXIDE_SWIZZLE_FUNCTION(isnormal)
METAL_OXIDE_SWIZZLE_FUNCTION(signbit)
METAL_OXIDE_SWIZZLE_FUNCTION(fabs)
METAL_OXIDE_SWIZZLE_FUNCTION(copysign)
METAL_OXIDE_SWIZZLE_FUNCTION(sqrt)
METAL_OXIDE_SWIZZLE_FUNCTION(rsqrt)
METAL_OXIDE_SWIZZLE_FUNCTION(fma)
METAL_OXIDE_SWIZZLE_FUNCTION(floor)
METAL_OXIDE_SWIZZLE_FUNCTION(ceil)
METAL_OXIDE_SWIZZLE_FUNCTION(trunc)
METAL_OXIDE_SWIZZLE_FUNCTION(rint)
METAL_OXIDE_SWIZZLE_FUNCTION(round)
METAL_OXIDE_SWIZZLE_FUNCTION(fract)
METAL_OXIDE_SWIZZLE_FUNCTION(sign)
METAL_OXIDE_SWIZZLE_FUNCTION(step)
METAL_OXIDE_SWIZZLE_FUNCTION(mix)
METAL_OXIDE_SWIZZLE_FUNCTION(smoothstep)
METAL_OXIDE_SWIZZLE_FUNCTION(sin)
METAL_OXIDE_SWIZZLE_FUNCTION(cos)
METAL_OXIDE_SWIZZLE_FUNCTION(tan)
METAL_OXIDE_SWIZZLE_FUNCTION(asin)
METAL_OXIDE_SWIZZLE_FUNCTION(acos)
METAL_OXIDE_SWIZZLE_FUNCTION(atan)
METAL_OXIDE_SWIZZLE_FUNCTION(sinh)
METAL_OXIDE_SWIZZLE_FUNCTION(cosh)
METAL_OXIDE_SWIZZLE_FUNCTION(tanh)
METAL_OXIDE_SWIZZLE_FUNCTION(asinh)
METAL_OXIDE_SWIZZLE_FUNCTION(acosh)
METAL_OXIDE_SWIZZLE_FUNCTION(atanh)
METAL_OXIDE_SWIZZLE_FUNCTION(exp)
METAL_OXIDE_SWIZZLE_FUNCTION(exp2)
METAL_OXIDE_SWIZZLE_FUNCTION(exp10)
METAL_OXIDE_SWIZZLE_FUNCTION(log)
METAL_OXIDE_SWIZZLE_FUNCTION(log2)
METAL_OXIDE_SWIZZLE_FUNCTION(log10)
METAL_OXIDE_SWIZZLE_FUNCTION(pow)
METAL_OXIDE_SWIZZLE_FUNCTION(powr)
METAL_OXIDE_SWIZZLE_FUNCTION(atan2)
METAL_OXIDE_SWIZZLE_FUNCTION(fmod)
METAL_OXIDE_SWIZZLE_FUNCTION(all)
METAL_OXIDE_SWIZZLE_FUNCTION(any)
METAL_OXIDE_SWIZZLE_FUNCTION(select)
METAL_OXIDE_SWIZZLE_FUNCTION(dot)
METAL_OXIDE_SWIZZLE_FUNCTION(cross)
METAL_OXIDE_SWIZZLE_FUNCTION(length_squared)
METAL_OXIDE_SWIZZLE_FUNCTION(length)
METAL_OXIDE_SWIZZLE_FUNCTION(distance_squared)
METAL_OXIDE_SWIZZLE_FUNCTION(distance)
METAL_OXIDE_SWIZZLE_FUNCTION(normalize)
#undef METAL_OXIDE_SWIZZLE_FUNCTION

} // namespace metal
