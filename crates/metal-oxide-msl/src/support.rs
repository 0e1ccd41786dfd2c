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
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<String> =
        ["Failure", "FailureState", "report_failure", "is_nan", "number_min", "number_max", "swap_bytes"].map(str::to_owned).to_vec();
    for bits in [8, 16, 32, 64] {
        names.extend([Scalar::unsigned(bits), Scalar::signed(bits)].map(|ty| format!("saturate_to_{}", ty.name())));
    }
    let spaces = [Space::Device, Space::Constant, Space::Threadgroup, Space::Thread];
    for space in spaces {
        names.extend([16, 32, 64].into_iter().flat_map(|bits| [load_name(bits, space), store_name(bits, space)]));
        names.extend(spaces.into_iter().flat_map(|from| [copy_name(1, space, from), copy_name(4, space, from)]));
    }
    names
}

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
                load_name(bits, space)
            }
            Support::StoreBytes(bits, space) => {
                if bits == 64 {
                    used.insert(Support::StoreBytes(32, space));
                }
                store_name(bits, space)
            }
            Support::Copy(unit, to, from) => copy_name(unit, to, from),
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
        Support::LoadBytes(bits, space) => load(bits, space),
        Support::StoreBytes(bits, space) => store(bits, space),
        Support::Copy(unit, to, from) => copy(unit, to, from),
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

fn load_name(bits: u32, space: Space) -> String {
    format!("load_{}_from_{}", Scalar::unsigned(bits).name(), space_name(space))
}

fn store_name(bits: u32, space: Space) -> String {
    format!("store_{}_to_{}", Scalar::unsigned(bits).name(), space_name(space))
}

fn copy_name(unit: u64, to: Space, from: Space) -> String {
    format!("copy_{}_from_{}_to_{}", if unit == 1 { "bytes" } else { "words" }, space_name(from), space_name(to))
}

/// A pointer to bytes that are not written through it.
fn source(space: Space) -> String {
    if space == Space::Constant { "constant".to_owned() } else { format!("{} const", space_name(space)) }
}

/// Bytes that hold values of different types are read and written as vectors of bytes. Like `char` itself, such a vector may alias
/// anything, so the compiler keeps all these accesses in order whatever the types of the values are.
fn load(bits: u32, space: Space) -> String {
    let (name, ty, source) = (load_name(bits, space), Scalar::unsigned(bits).name(), source(space));
    let value = match bits {
        64 => {
            let half = load_name(32, space);
            format!("{half}(bytes) | (ulong({half}(bytes + 4)) << 32)")
        }
        _ => format!("as_type<{ty}>(*({source} uchar{} *)bytes)", bits / 8),
    };
    format!("inline {ty} {name}({source} uchar *bytes) {{\n    return {value};\n}}\n")
}

fn store(bits: u32, space: Space) -> String {
    let (name, ty, target) = (store_name(bits, space), Scalar::unsigned(bits).name(), space_name(space));
    let statements = match bits {
        64 => {
            let half = store_name(32, space);
            format!("    {half}(bytes, uint(value));\n    {half}(bytes + 4, uint(value >> 32));\n")
        }
        _ => format!("    *({target} uchar{count} *)bytes = as_type<uchar{count}>(value);\n", count = bits / 8),
    };
    format!("inline void {name}({target} uchar *bytes, {ty} value) {{\n{statements}}}\n")
}

fn copy(unit: u64, to: Space, from: Space) -> String {
    let (name, target, source) = (copy_name(unit, to, from), space_name(to), source(from));
    let (to, from) = match unit {
        1 => ("to[i]".to_owned(), "from[i]".to_owned()),
        _ => (format!("(({target} uchar4 *)to)[i]"), format!("(({source} uchar4 *)from)[i]")),
    };
    format!(
        "inline void {name}({target} uchar *to, {source} uchar *from, uint count) {{\n    for (uint i = 0; i < count; ++i) {{\n        \
         {to} = {from};\n    }}\n}}\n"
    )
}
