//! What the witnesses' kernels share: tables of functions that are chosen by number, and results of all types as bits.
#![no_std]

/// Declares a function that computes the expression with a number, and the names of all expressions.
///
/// The result is the expression's [`Bits`].
#[macro_export]
macro_rules! table {
    (
        $(#[$documentation:meta])*
        $names:ident, $call:ident $([$($generics:tt)*])? ($($argument:ident: $ty:ty),*) =
        $($name:ident $expression:expr;)*
    ) => {
        $(#[$documentation])*
        pub const $names: &[&str] = &[$(stringify!($name)),*];

        /// The bits of what a function of the table returns.
        pub fn $call $(<$($generics)*>)? (function: u32, $($argument: $ty),*) -> u64 {
            let mut number = 0;
            $(
                if function == number {
                    return $crate::Bits::bits($expression);
                }
                number += 1;
            )*
            number as u64
        }
    };
}

/// Values whose bits can be compared. Bits of several values are mixed, so that each counts.
pub trait Bits {
    /// The bits; of all NaNs those of one, since their payload is open.
    fn bits(self) -> u64;
}

/// Mixes the bits of one more value in.
pub fn mix(left: u64, right: u64) -> u64 {
    left.rotate_left(19).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ right
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        if self.is_nan() { 0x7fc0_0000 } else { self.to_bits().into() }
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Bits for $integer {
            fn bits(self) -> u64 {
                self as u64
            }
        }
    )*};
}

integers! { bool char u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

impl Bits for () {
    fn bits(self) -> u64 {
        0
    }
}

impl<T: Bits> Bits for Option<T> {
    fn bits(self) -> u64 {
        self.map_or(1, |value| mix(2, value.bits()))
    }
}

impl<T: Bits, E: Bits> Bits for Result<T, E> {
    fn bits(self) -> u64 {
        self.map_or_else(|error| mix(3, error.bits()), |value| mix(4, value.bits()))
    }
}

impl<T: Bits, const N: usize> Bits for [T; N] {
    fn bits(self) -> u64 {
        self.into_iter().fold(5, |bits, value| mix(bits, value.bits()))
    }
}

impl<A: Bits, B: Bits> Bits for (A, B) {
    fn bits(self) -> u64 {
        mix(self.0.bits(), self.1.bits())
    }
}

impl<A: Bits, B: Bits, C: Bits> Bits for (A, B, C) {
    fn bits(self) -> u64 {
        mix(mix(self.0.bits(), self.1.bits()), self.2.bits())
    }
}
