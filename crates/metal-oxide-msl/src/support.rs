//! Support code that the text carries along where it needs it: what MSL has no function for, with Rust's rules.

use std::cell::RefCell;
use std::collections::BTreeSet;

use metal_oxide_artifact::MathMode;
use metal_oxide_ir::Space;

use crate::scalar::Scalar;

/// A piece of support code. They are printed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Support {
    /// The failure record.
    Failure,
    /// What a function that may fail is given.
    FailureState,
    /// A test for NaN that fast mode does not remove.
    IsNan,
    NumberMin,
    NumberMax,
    /// Float to integer as Rust's `as`.
    Saturate(Scalar),
    /// Reverses the bytes of an integer with this many bits.
    SwapBytes(u32),
    /// Reads an integer of this many bits from bytes in a space.
    LoadBytes(u32, Space),
    /// Writes one.
    StoreBytes(u32, Space),
    /// Copies units of this many bytes from one space to another.
    Copy(u64, Space, Space),
}

/// The pieces that a file uses.
#[derive(Debug, Default)]
pub(crate) struct Supports {
    used: RefCell<BTreeSet<Support>>,
}

/// The names that the pieces declare.
pub(crate) const NAMES: &[&str] = &[
    "Failure",
    "FailureState",
    "report_failure",
    "is_nan",
    "number_min",
    "number_max",
    "saturate_to_char",
    "saturate_to_uchar",
    "saturate_to_short",
    "saturate_to_ushort",
    "saturate_to_int",
    "saturate_to_uint",
    "saturate_to_long",
    "saturate_to_ulong",
    "swap_bytes",
    "load_ushort",
    "load_uint",
    "load_ulong",
    "store_ushort",
    "store_uint",
    "store_ulong",
    "copy_bytes",
    "copy_words",
];

impl Supports {
    /// Notes that a piece is used, and gives the name of its function.
    pub(crate) fn use_of(&self, support: Support) -> String {
        let mut used = self.used.borrow_mut();
        used.insert(support);
        match support {
            Support::FailureState => {
                used.insert(Support::Failure);
                "FailureState".to_owned()
            }
            Support::Failure => "report_failure".to_owned(),
            Support::IsNan => "is_nan".to_owned(),
            Support::NumberMin | Support::NumberMax => {
                used.insert(Support::IsNan);
                if support == Support::NumberMin { "number_min".to_owned() } else { "number_max".to_owned() }
            }
            Support::Saturate(ty) => {
                used.insert(Support::IsNan);
                format!("saturate_to_{}", ty.name())
            }
            Support::SwapBytes(bits) => {
                if bits == 64 {
                    used.insert(Support::SwapBytes(32));
                }
                "swap_bytes".to_owned()
            }
            Support::LoadBytes(bits, space) => {
                if bits == 64 {
                    used.insert(Support::LoadBytes(32, space));
                }
                format!("load_{}", Scalar::unsigned(bits).name())
            }
            Support::StoreBytes(bits, space) => {
                if bits == 64 {
                    used.insert(Support::StoreBytes(32, space));
                }
                format!("store_{}", Scalar::unsigned(bits).name())
            }
            Support::Copy(1, ..) => "copy_bytes".to_owned(),
            Support::Copy(..) => "copy_words".to_owned(),
        }
    }

    /// The text of all pieces in use.
    pub(crate) fn text(&self, math: MathMode) -> String {
        let used = self.used.borrow();
        used.iter()
            .filter(|support| !(matches!(support, Support::IsNan) && math == MathMode::Precise))
            .map(|support| piece(*support, math) + "\n")
            .collect()
    }
}

/// The keyword of a space.
pub(crate) fn space_name(space: Space) -> &'static str {
    match space {
        Space::Device => "device",
        Space::Constant => "constant",
        Space::Threadgroup => "threadgroup",
        Space::Thread | Space::Generic => "thread",
    }
}

fn piece(support: Support, math: MathMode) -> String {
    let is_nan = if math == MathMode::Fast { "is_nan" } else { "isnan" };
    match support {
        Support::Failure => "\
// The first check that fails. The host clears it before each launch.
struct Failure {
    atomic_uint state;
    uint site;
    uint thread_position[3];
    uint block_position[3];
};

inline void report_failure(device Failure *failure, uint site, uint3 thread_position, uint3 block_position) {
    if (atomic_exchange_explicit(&failure->state, 1u, memory_order_relaxed) == 0) {
        failure->site = site;
        failure->thread_position[0] = thread_position.x;
        failure->thread_position[1] = thread_position.y;
        failure->thread_position[2] = thread_position.z;
        failure->block_position[0] = block_position.x;
        failure->block_position[1] = block_position.y;
        failure->block_position[2] = block_position.z;
    }
}
"
        .to_owned(),
        Support::FailureState => "\
// What a function needs to report a failure, and whether one was reported.
struct FailureState {
    device Failure *record;
    uint3 thread_position;
    uint3 block_position;
    bool failed;
};

inline void report_failure(thread FailureState &state, uint site) {
    report_failure(state.record, site, state.thread_position, state.block_position);
    state.failed = true;
}
"
        .to_owned(),
        Support::IsNan => "\
// Fast math lets the compiler assume that no float is a NaN, so the bits decide.
inline bool is_nan(float x) {
    return (as_type<uint>(x) & 0x7fffffffu) > 0x7f800000u;
}
"
        .to_owned(),
        Support::NumberMin => "\
inline float number_min(float a, float b) {
    return is_nan(a) ? b : is_nan(b) ? a : fast::fmin(a, b);
}
"
        .to_owned(),
        Support::NumberMax => "\
inline float number_max(float a, float b) {
    return is_nan(a) ? b : is_nan(b) ? a : fast::fmax(a, b);
}
"
        .to_owned(),
        Support::Saturate(ty) => saturate(ty, is_nan),
        Support::SwapBytes(16) => "\
inline ushort swap_bytes(ushort x) {
    return ushort((x << 8) | (x >> 8));
}
"
        .to_owned(),
        Support::SwapBytes(32) => "\
inline uint swap_bytes(uint x) {
    return (x << 24) | ((x & 0xff00u) << 8) | ((x >> 8) & 0xff00u) | (x >> 24);
}
"
        .to_owned(),
        Support::SwapBytes(_) => "\
inline ulong swap_bytes(ulong x) {
    return (ulong(swap_bytes(uint(x))) << 32) | swap_bytes(uint(x >> 32));
}
"
        .to_owned(),
        Support::LoadBytes(bits, space) => load(bits, space_name(space), space == Space::Constant),
        Support::StoreBytes(bits, space) => store(bits, space_name(space)),
        Support::Copy(unit, to, from) => copy(unit, space_name(to), space_name(from)),
    }
}

fn saturate(ty: Scalar, is_nan: &str) -> String {
    let name = ty.name();
    // The first float above the range, and the smallest number; both are powers of two, so both are exact.
    let above = 2f64.powi(ty.bits() as i32 - i32::from(ty.is_signed()));
    let largest = match (ty.bits(), ty.is_signed()) {
        (8, true) => "127",
        (8, false) => "255",
        (16, true) => "32767",
        (16, false) => "65535",
        (32, true) => "2147483647",
        (32, false) => "0xffffffffu",
        (_, true) => "9223372036854775807l",
        (_, false) => "0xfffffffffffffffful",
    };
    if !ty.is_signed() {
        return format!(
            "inline {name} saturate_to_{name}(float x) {{\n    return {is_nan}(x) || x <= 0.0f ? 0 : x >= {above:.1}f ? {largest} : {name}(x);\n}}\n"
        );
    }
    let smallest = if ty.bits() < 32 { format!("-{above}") } else { format!("-{largest} - 1") };
    format!(
        "inline {name} saturate_to_{name}(float x) {{\n    return {is_nan}(x) ? 0 : x < -{above:.1}f ? {smallest} : x >= {above:.1}f ? {largest} : {name}(x);\n}}\n"
    )
}

/// Bytes that hold values of different types are read and written as vectors of bytes. Like `char` itself, such a vector may alias
/// anything, so the compiler keeps all these accesses in order whatever the types of the values are.
fn load(bits: u32, space: &str, constant: bool) -> String {
    let name = Scalar::unsigned(bits).name();
    let qualified = if constant { space.to_owned() } else { format!("{space} const") };
    match bits {
        64 => format!(
            "inline ulong load_ulong({qualified} uchar *bytes) {{\n    return load_uint(bytes) | (ulong(load_uint(bytes + 4)) << 32);\n}}\n"
        ),
        _ => format!(
            "inline {name} load_{name}({qualified} uchar *bytes) {{\n    return as_type<{name}>(*({qualified} uchar{} *)bytes);\n}}\n",
            bits / 8
        ),
    }
}

fn store(bits: u32, space: &str) -> String {
    let name = Scalar::unsigned(bits).name();
    match bits {
        64 => format!(
            "inline void store_ulong({space} uchar *bytes, ulong value) {{\n    store_uint(bytes, uint(value));\n    store_uint(bytes + 4, uint(value >> 32));\n}}\n"
        ),
        _ => format!(
            "inline void store_{name}({space} uchar *bytes, {name} value) {{\n    *({space} uchar{count} *)bytes = as_type<uchar{count}>(value);\n}}\n",
            count = bits / 8
        ),
    }
}

fn copy(unit: u64, to: &str, from: &str) -> String {
    let from = if from == "constant" { from.to_owned() } else { format!("{from} const") };
    if unit == 1 {
        return format!(
            "inline void copy_bytes({to} uchar *to, {from} uchar *from, uint count) {{\n    for (uint i = 0; i < count; ++i) {{\n        \
             to[i] = from[i];\n    }}\n}}\n"
        );
    }
    format!(
        "inline void copy_words({to} uchar *to, {from} uchar *from, uint count) {{\n    for (uint i = 0; i < count; ++i) {{\n        \
         (({to} uchar4 *)to)[i] = (({from} uchar4 *)from)[i];\n    }}\n}}\n"
    )
}
