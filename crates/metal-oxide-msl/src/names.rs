//! All naming: turning Rust names into MSL identifiers, and keeping them apart from each other and from what MSL has taken.
//! A name is taken for the whole file, or only inside the braces in which it is declared.

use std::collections::HashSet;

/// Words that no name may be: keywords of C++14, what MSL adds, the types of its library, and macros.
const WORDS: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const const_cast constexpr
    continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast return short
    signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union
    unsigned using virtual void volatile wchar_t while xor xor_eq concept requires restrict typeof main std

    kernel vertex fragment compute intersection visible stitchable mesh object tile device constant thread threadgroup threadgroup_imageblock
    ray_data object_data imageblock simdgroup quadgroup access address coherent sampler texture depth buffer patch primitive payload
    metal precise fast simd raytracing

    half bfloat uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
    vec matrix array array_ref atomic atomic_int atomic_uint atomic_bool atomic_float atomic_ulong atomic_flag packed_vec
    numeric_limits memory_order memory_order_relaxed mem_flags thread_scope function_table visible_function_table
    texture1d texture2d texture3d texturecube texture_buffer depth2d depthcube simdgroup_matrix command_buffer compute_command

    assert printf NULL NAN INFINITY HUGE_VALF MAXFLOAT INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX
    SHRT_MAX SHRT_MIN USHRT_MAX CHAR_BIT FLT_MAX FLT_MIN FLT_EPSILON FLT_DIG FLT_RADIX M_PI_F M_E_F linux unix
";

/// Functions of the library that the text calls by their plain names, so that not even a variable may hide them.
const CALLED: &str = "
    as_type clamp min max clz ctz popcount rotate reverse_bits mulhi addsat subsat isnan copysign fabs floor ceil trunc round rint fma
    fmin fmax fmod sqrt
";

/// Other functions of the library. A variable may hide them, but a function or type of the same name would be ambiguous.
const FUNCTIONS: &str = "
    abs absdiff acos acosh acospi all any asin asinh asinpi atan atan2 atan2pi atanh atanpi cos cosh cospi cross determinant
    discard_fragment distance distance_squared divide dot exp exp10 exp2 extract_bits faceforward fdim fmax3 fmedian3 fmin3 fract frexp
    hadd ilogb insert_bits isfinite isinf isnormal isordered isunordered ldexp length length_squared log log10 log2 mad mad24 madhi
    madsat max3 median3 min3 mix modf mul24 nan nextafter normalize pow powr reflect refract rhadd rsqrt saturate select sign signbit
    sin sincos sinh sinpi smoothstep step tan tanh tanpi transpose threadgroup_barrier simdgroup_barrier atomic_thread_fence
    atomic_load_explicit atomic_store_explicit atomic_exchange_explicit atomic_fetch_add_explicit unpack_unorm4x8_to_float
    pack_float_to_unorm4x8
";

/// Vector and matrix types are these with a count behind them.
const ELEMENTS: &[&str] =
    &["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float", "double"];

/// The names of one file.
#[derive(Debug)]
pub(crate) struct Names {
    taken: HashSet<String>,
    /// Taken for types and functions only.
    functions: HashSet<&'static str>,
}

impl Names {
    /// Only what MSL itself has taken.
    pub(crate) fn new() -> Self {
        let words = WORDS.split_whitespace().chain(CALLED.split_whitespace());
        Names { taken: words.map(str::to_owned).collect(), functions: FUNCTIONS.split_whitespace().collect() }
    }

    /// What MSL has taken for members of structs: functions do not get in their way.
    pub(crate) fn for_members() -> Self {
        Names { taken: WORDS.split_whitespace().map(str::to_owned).collect(), functions: HashSet::new() }
    }

    /// A name for something that the whole file sees.
    pub(crate) fn global(&mut self, wanted: &str) -> String {
        let name = free(&identifier(wanted), |name| self.is_taken(name) || self.functions.contains(name));
        self.taken.insert(name.clone());
        name
    }

    /// Keeps a name of the support code.
    pub(crate) fn reserve(&mut self, name: String) {
        self.taken.insert(name);
    }

    fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name) || is_vector(name)
    }
}

/// The names inside one function: what is declared in the braces around the current place.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    names: &'a Names,
    visible: HashSet<String>,
    /// The visible names in the order of their declarations.
    order: Vec<String>,
}

impl<'a> Scope<'a> {
    /// A function's outermost scope.
    pub(crate) fn new(names: &'a Names) -> Self {
        Scope { names, visible: HashSet::new(), order: Vec::new() }
    }

    /// A name for something that is declared here.
    pub(crate) fn local(&mut self, wanted: &str) -> String {
        let name = free(&identifier(wanted), |name| self.visible.contains(name) || self.names.is_taken(name));
        self.visible.insert(name.clone());
        self.order.push(name.clone());
        name
    }

    /// Where the current braces begin; to be given to [`Scope::leave`].
    pub(crate) fn enter(&self) -> usize {
        self.order.len()
    }

    /// Forgets what was declared since.
    pub(crate) fn leave(&mut self, mark: usize) {
        for name in self.order.drain(mark..) {
            self.visible.remove(&name);
        }
    }
}

/// The first of `name`, `name_2`, `name_3`, … that is not taken.
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    (2..).map(|number| format!("{name}_{number}")).find(|candidate| !taken(candidate)).expect("there are more numbers than names")
}

fn is_vector(name: &str) -> bool {
    let name = name.strip_prefix("packed_").unwrap_or(name);
    let Some(element) = ELEMENTS.iter().find_map(|element| name.strip_prefix(element)) else { return false };
    matches!(element.as_bytes(), [b'2'..=b'4'] | [b'2'..=b'4', b'x', b'2'..=b'4'])
}

/// A C++ identifier that resembles a Rust name, path or type.
///
/// Paths are cut to their last segments, everything that C++ does not allow becomes one `_`, and what the C++ implementation keeps for
/// itself (`__` anywhere, `_` in front) does not appear.
pub(crate) fn identifier(name: &str) -> String {
    let name = without_paths(name);
    let tuple = name.starts_with('(');
    let slice = name.starts_with('[');
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            out.push(character);
        } else if character.is_alphabetic() {
            // Rust allows letters of all scripts.
            out.push_str(&format!("u{:x}_", u32::from(character)));
        } else if !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
    }
    let out = out.trim_end_matches('_');
    match out.chars().next() {
        None => "unnamed".to_owned(),
        Some(_) if tuple => format!("tuple_{out}"),
        Some(_) if slice => format!("array_{out}"),
        Some(first) if first.is_ascii_digit() => format!("field_{out}"),
        Some(_) => out.to_owned(),
    }
}

/// Removes `a::b::` before each name, and the `r#` of raw identifiers.
fn without_paths(name: &str) -> String {
    let mut out = String::new();
    let mut word_start = 0;
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if character == ':' && characters.peek() == Some(&':') {
            characters.next();
            // A turbofish belongs to what stands before it.
            if characters.peek() != Some(&'<') {
                out.truncate(word_start);
            }
        } else if character == '#' && &out[word_start..] == "r" {
            out.truncate(word_start);
        } else {
            out.push(character);
            if !(character.is_alphanumeric() || character == '_') {
                word_start = out.len();
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_names_become_identifiers() {
        let names = [
            ("out", "out"),
            ("r#kernel", "kernel"),
            ("shapes::area", "area"),
            ("core::option::Option<f32>", "Option_f32"),
            ("[f32; 4]", "array_f32_4"),
            ("(u32, a::B)", "tuple_u32_B"),
            ("_0", "field_0"),
            ("__x__y", "x_y"),
            ("größe", "gruf6_udf_e"),
            ("", "unnamed"),
            ("helper::<u32>", "helper_u32"),
        ];
        for (rust, expected) in names {
            assert_eq!(identifier(rust), expected, "{rust}");
        }
    }

    #[test]
    fn names_are_unique_where_they_are_visible() {
        let mut names = Names::new();
        assert_eq!(names.global("kernel"), "kernel_2");
        assert_eq!(names.global("float3"), "float3_2");
        assert_eq!(names.global("scale"), "scale");
        assert_eq!(names.global("length"), "length_2");
        let mut scope = Scope::new(&names);
        assert_eq!(scope.local("scale"), "scale_2");
        let mark = scope.enter();
        assert_eq!(scope.local("i"), "i");
        assert_eq!(scope.local("i"), "i_2");
        scope.leave(mark);
        assert_eq!(scope.local("i"), "i");
        assert_eq!(scope.local("half2x3"), "half2x3_2");
        assert_eq!(scope.local("length"), "length");
        assert_eq!(scope.local("min"), "min_2");
    }
}
