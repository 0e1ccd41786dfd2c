//! `f64` by means of integers: the operations that the GPU does not have, on the bits of IEEE doubles.
//!
//! Code of other people's crates computes in `f64` on its way to an `f32`, `libm` for one. The kernel compiler replaces such operations by
//! calls of these functions, which it finds by their names. Every result is rounded as IEEE 754 says; the NaN that comes out is always the
//! same one.

mod arithmetic;
mod compare;
mod convert;
mod pack;
mod rounding;

pub use arithmetic::{f64_add, f64_div, f64_mul, f64_rem, f64_sqrt, f64_sub};
pub use compare::{f64_equal, f64_less, f64_less_equal, f64_max, f64_min};
pub use convert::{f64_from_f32, f64_from_i64, f64_from_u64, f64_to_f32, f64_to_i64, f64_to_u64};
pub use rounding::{f64_ceil, f64_floor, f64_round, f64_round_even, f64_truncate};

#[cfg(test)]
mod tests;
