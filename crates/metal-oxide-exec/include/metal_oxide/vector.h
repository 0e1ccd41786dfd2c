// Vectors of two, three and four components. A vector of three takes the room of four, as Metal lays it out. A vector may alias
// anything: Clang, and so Metal's compiler, treats an access to one like an access to characters.
// Swizzles cost compile time, so there are only those that the kernel's text mentions: the generated file defines them as
// METAL_OXIDE_SWIZZLES_2(T), _3 and _4, lists of the form `metal_oxide::swizzle<T, 2, 1, 0> yx;`.

namespace metal {

template <class T, int N> struct vec;

} // namespace metal

namespace metal_oxide {

// The component types of arithmetic on T: small integers wrap around in a vector, where as scalars they become int.
template <class T> struct arithmetic { typedef T type; };
template <> struct arithmetic<char> { typedef uint type; };
template <> struct arithmetic<signed char> { typedef uint type; };
template <> struct arithmetic<uchar> { typedef uint type; };
template <> struct arithmetic<short> { typedef uint type; };
template <> struct arithmetic<ushort> { typedef uint type; };

// Some components of the vector that this object is a union with.
template <class T, int... I> struct swizzle {
    T components[1];
    typedef metal::vec<T, int(sizeof...(I))> value;
    T *at(int index) { return reinterpret_cast<T *>(this) + index; }
    const T *at(int index) const { return reinterpret_cast<const T *>(this) + index; }
    operator value() const { return value(*at(I)...); }
    swizzle() = default;
    swizzle &operator=(const value &from)
    {
        int next = 0;
        const int order[] = {(*at(I) = from[next], ++next)...};
        (void)order;
        return *this;
    }
    swizzle &operator=(const swizzle &from) { return *this = value(from); }
    template <class From> swizzle &operator+=(const From &from) { return *this = value(*this) + from; }
    template <class From> swizzle &operator-=(const From &from) { return *this = value(*this) - from; }
    template <class From> swizzle &operator*=(const From &from) { return *this = value(*this) * from; }
    template <class From> swizzle &operator/=(const From &from) { return *this = value(*this) / from; }
    T operator[](int index) const { return value(*this)[index]; }
};

} // namespace metal_oxide

// The operators of a vector are hidden friends, so that a scalar or swizzle on either side is converted.
#define METAL_OXIDE_ARITHMETIC(op)                                                                                                         \
    friend vec operator op(const vec &a, const vec &b)                                                                                     \
    {                                                                                                                                      \
        typedef typename metal_oxide::arithmetic<T>::type A;                                                                               \
        vec result;                                                                                                                        \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            result[i] = T(A(a[i]) op A(b[i]));                                                                                             \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }                                                                                                                                      \
    friend vec operator op(const vec &a, T b) { return a op vec(b); }                                                                      \
    friend vec operator op(T a, const vec &b) { return vec(a) op b; }                                                                      \
    friend vec &operator op##=(vec &a, const vec &b) { return a = a op b; }

// Division and right shift depend on the sign, so they must not be done on the unsigned type.
#define METAL_OXIDE_SIGNED_ARITHMETIC(op)                                                                                                  \
    friend vec operator op(const vec &a, const vec &b)                                                                                     \
    {                                                                                                                                      \
        vec result;                                                                                                                        \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            result[i] = T(a[i] op b[i]);                                                                                                   \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }                                                                                                                                      \
    friend vec operator op(const vec &a, T b) { return a op vec(b); }                                                                      \
    friend vec operator op(T a, const vec &b) { return vec(a) op b; }                                                                      \
    friend vec &operator op##=(vec &a, const vec &b) { return a = a op b; }

#define METAL_OXIDE_COMPARISON(op)                                                                                                         \
    friend vec<bool, length> operator op(const vec &a, const vec &b)                                                                       \
    {                                                                                                                                      \
        vec<bool, length> result;                                                                                                          \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            result[i] = a[i] op b[i];                                                                                                      \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }                                                                                                                                      \
    friend vec<bool, length> operator op(const vec &a, T b) { return a op vec(b); }                                                        \
    friend vec<bool, length> operator op(T a, const vec &b) { return vec(a) op b; }

#define METAL_OXIDE_VECTOR_OPERATORS                                                                                                       \
    METAL_OXIDE_ARITHMETIC(+)                                                                                                              \
    METAL_OXIDE_ARITHMETIC(-)                                                                                                              \
    METAL_OXIDE_ARITHMETIC(*)                                                                                                              \
    METAL_OXIDE_ARITHMETIC(&)                                                                                                              \
    METAL_OXIDE_ARITHMETIC(|)                                                                                                              \
    METAL_OXIDE_ARITHMETIC(^)                                                                                                              \
    METAL_OXIDE_ARITHMETIC(<<)                                                                                                             \
    METAL_OXIDE_SIGNED_ARITHMETIC(/)                                                                                                       \
    METAL_OXIDE_SIGNED_ARITHMETIC(%)                                                                                                       \
    METAL_OXIDE_SIGNED_ARITHMETIC(>>)                                                                                                      \
    METAL_OXIDE_COMPARISON(==)                                                                                                             \
    METAL_OXIDE_COMPARISON(!=)                                                                                                             \
    METAL_OXIDE_COMPARISON(<)                                                                                                              \
    METAL_OXIDE_COMPARISON(<=)                                                                                                             \
    METAL_OXIDE_COMPARISON(>)                                                                                                              \
    METAL_OXIDE_COMPARISON(>=)                                                                                                             \
    METAL_OXIDE_COMPARISON(&&)                                                                                                             \
    METAL_OXIDE_COMPARISON(||)                                                                                                             \
    friend vec operator+(const vec &a) { return a; }                                                                                       \
    friend vec operator-(const vec &a)                                                                                                     \
    {                                                                                                                                      \
        vec result;                                                                                                                        \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            result[i] = T(-a[i]);                                                                                                          \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }                                                                                                                                      \
    friend vec operator~(const vec &a)                                                                                                     \
    {                                                                                                                                      \
        vec result;                                                                                                                        \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            result[i] = T(~a[i]);                                                                                                          \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }                                                                                                                                      \
    friend vec<bool, length> operator!(const vec &a)                                                                                       \
    {                                                                                                                                      \
        vec<bool, length> result;                                                                                                          \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            result[i] = !a[i];                                                                                                             \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }

// What all sizes have: a length, components by number, conversion from another component type, operators, and, where there are
// swizzles, copying by component (a union with swizzles has no copying of its own).
#define METAL_OXIDE_VECTOR_MEMBERS(N)                                                                                                      \
    static constexpr int length = N;                                                                                                       \
    vec() = default;                                                                                                                       \
    template <class U> explicit vec(const vec<U, N> &from)                                                                                 \
    {                                                                                                                                      \
        for (int i = 0; i < N; ++i) {                                                                                                      \
            (*this)[i] = T(from[i]);                                                                                                       \
        }                                                                                                                                  \
    }                                                                                                                                      \
    T &operator[](int index) { return reinterpret_cast<T *>(this)[index]; }                                                                \
    const T &operator[](int index) const { return reinterpret_cast<const T *>(this)[index]; }                                              \
    METAL_OXIDE_VECTOR_FROM_CONSTANT                                                                                                       \
    METAL_OXIDE_VECTOR_COPY                                                                                                                \
    METAL_OXIDE_VECTOR_OPERATORS

// The copying that C++ for OpenCL provides by itself does not read constant memory.
#ifdef METAL_OXIDE_ADDRESS_SPACES
#define METAL_OXIDE_VECTOR_FROM_CONSTANT vec(const __constant vec &);
#else
#define METAL_OXIDE_VECTOR_FROM_CONSTANT
#endif

#ifdef METAL_OXIDE_SWIZZLES_2
#define METAL_OXIDE_VECTOR_COPY                                                                                                            \
    vec(const vec &from)                                                                                                                   \
    {                                                                                                                                      \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            (*this)[i] = from[i];                                                                                                          \
        }                                                                                                                                  \
    }                                                                                                                                      \
    vec &operator=(const vec &from)                                                                                                        \
    {                                                                                                                                      \
        for (int i = 0; i < length; ++i) {                                                                                                 \
            (*this)[i] = from[i];                                                                                                          \
        }                                                                                                                                  \
        return *this;                                                                                                                      \
    }
#define METAL_OXIDE_COMPONENTS(N, ...)                                                                                                     \
    union {                                                                                                                                \
        struct {                                                                                                                           \
            T __VA_ARGS__;                                                                                                                 \
        };                                                                                                                                 \
        METAL_OXIDE_SWIZZLES_##N(T)                                                                                                        \
    };
#else
#ifdef METAL_OXIDE_ADDRESS_SPACES
#define METAL_OXIDE_VECTOR_COPY                                                                                                            \
    vec(const vec &) = default;                                                                                                            \
    vec &operator=(const vec &) = default;
#else
#define METAL_OXIDE_VECTOR_COPY
#endif
#define METAL_OXIDE_COMPONENTS(N, ...) T __VA_ARGS__;
#endif

namespace metal {

template <class T> struct alignas(2 * sizeof(T)) [[gnu::may_alias]] vec<T, 2> {
    METAL_OXIDE_COMPONENTS(2, x, y)
    METAL_OXIDE_VECTOR_MEMBERS(2)
    vec(T all) : vec(all, all) {}
    vec(T x, T y)
    {
        this->x = x;
        this->y = y;
    }
};

template <class T> struct alignas(4 * sizeof(T)) [[gnu::may_alias]] vec<T, 3> {
    METAL_OXIDE_COMPONENTS(3, x, y, z)
    METAL_OXIDE_VECTOR_MEMBERS(3)
    vec(T all) : vec(all, all, all) {}
    vec(T x, T y, T z)
    {
        this->x = x;
        this->y = y;
        this->z = z;
    }
    vec(const vec<T, 2> &xy, T z) : vec(xy.x, xy.y, z) {}
    vec(T x, const vec<T, 2> &yz) : vec(x, yz.x, yz.y) {}
};

template <class T> struct alignas(4 * sizeof(T)) [[gnu::may_alias]] vec<T, 4> {
    METAL_OXIDE_COMPONENTS(4, x, y, z, w)
    METAL_OXIDE_VECTOR_MEMBERS(4)
    vec(T all) : vec(all, all, all, all) {}
    vec(T x, T y, T z, T w)
    {
        this->x = x;
        this->y = y;
        this->z = z;
        this->w = w;
    }
    vec(const vec<T, 2> &xy, T z, T w) : vec(xy.x, xy.y, z, w) {}
    vec(T x, const vec<T, 2> &yz, T w) : vec(x, yz.x, yz.y, w) {}
    vec(T x, T y, const vec<T, 2> &zw) : vec(x, y, zw.x, zw.y) {}
    vec(const vec<T, 2> &xy, const vec<T, 2> &zw) : vec(xy.x, xy.y, zw.x, zw.y) {}
    vec(const vec<T, 3> &xyz, T w) : vec(xyz.x, xyz.y, xyz.z, w) {}
    vec(T x, const vec<T, 3> &yzw) : vec(x, yzw.x, yzw.y, yzw.z) {}
};

// A vector without the padding and alignment of `vec`, for storage: it is read and written as a whole or by component.
template <class T, int N> struct packed_vec {
    T components[N];
    packed_vec() = default;
    packed_vec(const vec<T, N> &from)
    {
        for (int i = 0; i < N; ++i) {
            components[i] = from[i];
        }
    }
    operator vec<T, N>() const
    {
        vec<T, N> result;
        for (int i = 0; i < N; ++i) {
            result[i] = components[i];
        }
        return result;
    }
    T &operator[](int index) { return components[index]; }
    const T &operator[](int index) const { return components[index]; }
};

} // namespace metal

#define METAL_OXIDE_VECTOR_NAMES(T)                                                                                                        \
    typedef metal::vec<T, 2> T##2;                                                                                                         \
    typedef metal::vec<T, 3> T##3;                                                                                                         \
    typedef metal::vec<T, 4> T##4;                                                                                                         \
    typedef metal::packed_vec<T, 2> packed_##T##2;                                                                                         \
    typedef metal::packed_vec<T, 3> packed_##T##3;                                                                                         \
    typedef metal::packed_vec<T, 4> packed_##T##4;                                                                                         \
    namespace metal {                                                                                                                      \
    using ::T##2;                                                                                                                          \
    using ::T##3;                                                                                                                          \
    using ::T##4;                                                                                                                          \
    }
METAL_OXIDE_VECTOR_NAMES(bool)
METAL_OXIDE_VECTOR_NAMES(char)
METAL_OXIDE_VECTOR_NAMES(uchar)
METAL_OXIDE_VECTOR_NAMES(short)
METAL_OXIDE_VECTOR_NAMES(ushort)
METAL_OXIDE_VECTOR_NAMES(int)
METAL_OXIDE_VECTOR_NAMES(uint)
METAL_OXIDE_VECTOR_NAMES(long)
METAL_OXIDE_VECTOR_NAMES(ulong)
METAL_OXIDE_VECTOR_NAMES(float)

// A function on scalars, applied to each component.
#define METAL_OXIDE_VECTOR_1(name)                                                                                                         \
    template <class T, int N> inline auto name(const vec<T, N> &a)->vec<decltype(name(a[0])), N>                                           \
    {                                                                                                                                      \
        vec<decltype(name(a[0])), N> result;                                                                                               \
        for (int i = 0; i < N; ++i) {                                                                                                      \
            result[i] = name(a[i]);                                                                                                        \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }
#define METAL_OXIDE_VECTOR_2(name)                                                                                                         \
    template <class T, int N> inline auto name(const vec<T, N> &a, const vec<T, N> &b)->vec<decltype(name(a[0], b[0])), N>                 \
    {                                                                                                                                      \
        vec<decltype(name(a[0], b[0])), N> result;                                                                                         \
        for (int i = 0; i < N; ++i) {                                                                                                      \
            result[i] = name(a[i], b[i]);                                                                                                  \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }
#define METAL_OXIDE_VECTOR_3(name)                                                                                                         \
    template <class T, int N>                                                                                                              \
    inline auto name(const vec<T, N> &a, const vec<T, N> &b, const vec<T, N> &c)->vec<decltype(name(a[0], b[0], c[0])), N>                 \
    {                                                                                                                                      \
        vec<decltype(name(a[0], b[0], c[0])), N> result;                                                                                   \
        for (int i = 0; i < N; ++i) {                                                                                                      \
            result[i] = name(a[i], b[i], c[i]);                                                                                            \
        }                                                                                                                                  \
        return result;                                                                                                                     \
    }
