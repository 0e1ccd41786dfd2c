#![no_std]
#![feature(rustc_attrs, core_float_math, core_intrinsics)]
#![allow(internal_features)]
//! What kernels see of the crate `metal_oxide`, and the methods of `f32` that the standard library adds to `core`'s.
//!
//! The methods are those whose results are exact, computed as the standard library computes them, and those that Metal's standard
//! library has, with its precision.

pub use metal_oxide_device as device;

use core::f32::math;

/// Declares functions that the kernel compiler recognises by their diagnostic item.
macro_rules! functions {
    ($($item:literal $name:ident($($argument:ident),*);)*) => {$(
        #[rustc_diagnostic_item = $item]
        #[inline(never)]
        fn $name($($argument: f32),*) -> f32 {
            // No kernel ever reaches this body.
            let _ = ($($argument,)*);
            loop {}
        }
    )*};
}

functions! {
    "metal_oxide_math_tan" tan(x);
    "metal_oxide_math_asin" asin(x);
    "metal_oxide_math_acos" acos(x);
    "metal_oxide_math_atan" atan(x);
    "metal_oxide_math_atan2" atan2(y, x);
    "metal_oxide_math_sinh" sinh(x);
    "metal_oxide_math_cosh" cosh(x);
    "metal_oxide_math_tanh" tanh(x);
}

impl f32 {
    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn floor(self) -> f32 {
        math::floor(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn ceil(self) -> f32 {
        math::ceil(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn round(self) -> f32 {
        math::round(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn round_ties_even(self) -> f32 {
        math::round_ties_even(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn trunc(self) -> f32 {
        math::trunc(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn fract(self) -> f32 {
        math::fract(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn mul_add(self, a: f32, b: f32) -> f32 {
        math::mul_add(self, a, b)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn div_euclid(self, rhs: f32) -> f32 {
        math::div_euclid(self, rhs)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn rem_euclid(self, rhs: f32) -> f32 {
        math::rem_euclid(self, rhs)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn powi(self, n: i32) -> f32 {
        math::powi(self, n)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn sqrt(self) -> f32 {
        math::sqrt(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn powf(self, n: f32) -> f32 {
        core::intrinsics::powf32(self, n)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn exp(self) -> f32 {
        core::intrinsics::expf32(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn exp2(self) -> f32 {
        core::intrinsics::exp2f32(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn ln(self) -> f32 {
        core::intrinsics::logf32(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn log(self, base: f32) -> f32 {
        self.ln() / base.ln()
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn log2(self) -> f32 {
        core::intrinsics::log2f32(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn log10(self) -> f32 {
        core::intrinsics::log10f32(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn sin(self) -> f32 {
        core::intrinsics::sinf32(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn cos(self) -> f32 {
        core::intrinsics::cosf32(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn sin_cos(self) -> (f32, f32) {
        (self.sin(), self.cos())
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn tan(self) -> f32 {
        tan(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn asin(self) -> f32 {
        asin(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn acos(self) -> f32 {
        acos(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn atan(self) -> f32 {
        atan(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn atan2(self, other: f32) -> f32 {
        atan2(self, other)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn sinh(self) -> f32 {
        sinh(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn cosh(self) -> f32 {
        cosh(self)
    }

    #[rustc_allow_incoherent_impl]
    #[inline]
    pub fn tanh(self) -> f32 {
        tanh(self)
    }
}
