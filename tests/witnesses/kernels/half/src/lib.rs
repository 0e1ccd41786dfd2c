//! Kernels that call `half`: conversions, arithmetic and comparisons of both 16-bit formats, computed in software.
#![no_std]

use half::{bf16, f16};
use metal_oxide_device::{DisjointBuffer, ReadBuffer, kernel, thread_index};
use witness_support::{Bits, table};

/// Halves as bits; of all NaNs those of one.
struct Half<T>(T);

impl Bits for Half<f16> {
    fn bits(self) -> u64 {
        if self.0.is_nan() { 0x7e00 } else { self.0.to_bits().into() }
    }
}

impl Bits for Half<bf16> {
    fn bits(self) -> u64 {
        if self.0.is_nan() { 0x7fc0 } else { self.0.to_bits().into() }
    }
}

table! {
    /// Functions of the bits of two `f16`.
    HALVES, halves(a: u16, b: u16) =
    to_f32 f16::from_bits(a).to_f32();
    to_f32_const f16::from_bits(a).to_f32_const();
    add Half(f16::from_bits(a) + f16::from_bits(b));
    sub Half(f16::from_bits(a) - f16::from_bits(b));
    mul Half(f16::from_bits(a) * f16::from_bits(b));
    div Half(f16::from_bits(a) / f16::from_bits(b));
    rem Half(f16::from_bits(a) % f16::from_bits(b));
    neg Half(-f16::from_bits(a));
    compare (f16::from_bits(a) < f16::from_bits(b), f16::from_bits(a) >= f16::from_bits(b), f16::from_bits(a) == f16::from_bits(b));
    partial_cmp f16::from_bits(a).partial_cmp(&f16::from_bits(b)).map(|ordering| ordering as i8);
    total_cmp f16::from_bits(a).total_cmp(&f16::from_bits(b)) as i8;
    classes (f16::from_bits(a).is_normal(), f16::from_bits(a).is_finite(), f16::from_bits(a).is_infinite());
    category f16::from_bits(a).classify() as u8;
    signs (Half(f16::from_bits(a).signum()), Half(f16::from_bits(a).copysign(f16::from_bits(b))));
    minimum (Half(f16::from_bits(a).min(f16::from_bits(b))), Half(f16::from_bits(a).max(f16::from_bits(b))));
    clamp Half(f16::from_bits(a).clamp(f16::NEG_ONE, f16::ONE));
    bytes (f16::from_bits(a).to_be_bytes(), f16::from_le_bytes(b.to_le_bytes()).to_bits());
    assigned { let mut sum = f16::from_bits(a); sum += f16::from_bits(b); sum *= f16::from_f32(0.5); Half(sum) };
    sum Half([f16::from_bits(a), f16::from_bits(b), f16::ONE].iter().sum::<f16>());
    from_integers (Half(f16::from(a as u8)), Half(f16::from(b as i8)), f32::from(f16::from_bits(a)));
    to_bf16 Half(bf16::from_f32(f16::from_bits(a).to_f32()));
}

table! {
    /// Functions of the bits of two `bf16`.
    BRAINS, brains(a: u16, b: u16) =
    to_f32 bf16::from_bits(a).to_f32();
    add Half(bf16::from_bits(a) + bf16::from_bits(b));
    sub Half(bf16::from_bits(a) - bf16::from_bits(b));
    mul Half(bf16::from_bits(a) * bf16::from_bits(b));
    div Half(bf16::from_bits(a) / bf16::from_bits(b));
    neg Half(-bf16::from_bits(a));
    compare (bf16::from_bits(a) < bf16::from_bits(b), bf16::from_bits(a) >= bf16::from_bits(b), bf16::from_bits(a) == bf16::from_bits(b));
    total_cmp bf16::from_bits(a).total_cmp(&bf16::from_bits(b)) as i8;
    classes (bf16::from_bits(a).is_normal(), bf16::from_bits(a).is_finite(), bf16::from_bits(a).classify() as u8);
    minimum (Half(bf16::from_bits(a).min(bf16::from_bits(b))), Half(bf16::from_bits(a).max(bf16::from_bits(b))));
    product Half([bf16::from_bits(a), bf16::from_bits(b)].iter().product::<bf16>());
}

table! {
    /// Functions of an `f32`.
    SINGLES, singles(x: f32) =
    from_f32 Half(f16::from_f32(x));
    from_f32_const Half(f16::from_f32_const(x));
    there_and_back f16::from_f32(x).to_f32();
    brain_from_f32 Half(bf16::from_f32(x));
    brain_there_and_back bf16::from_f32(x).to_f32();
}

/// Writes what a function of `HALVES` makes of each pair.
#[kernel(requires(a.len() == out.len(), b.len() == out.len()))]
pub fn run_halves(a: ReadBuffer<u16>, b: ReadBuffer<u16>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = halves(function, a.as_slice()[index.get()], b.as_slice()[index.get()]);
    }
}

/// Writes what a function of `BRAINS` makes of each pair.
#[kernel(requires(a.len() == out.len(), b.len() == out.len()))]
pub fn run_brains(a: ReadBuffer<u16>, b: ReadBuffer<u16>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = brains(function, a.as_slice()[index.get()], b.as_slice()[index.get()]);
    }
}

/// Writes what a function of `SINGLES` makes of each input.
#[kernel(requires(x.len() == out.len()))]
pub fn run_singles(x: ReadBuffer<f32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = singles(function, x.as_slice()[index.get()]);
    }
}
