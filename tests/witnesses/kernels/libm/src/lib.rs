//! Kernels that call `libm`: every function of it that takes and returns `f32`, chosen by number.
#![no_std]

use metal_oxide_device::{DisjointBuffer, ReadBuffer, kernel, thread_index};
use witness_support::table;

table! {
    /// Functions of one argument that compute in `f32`.
    SIMPLE, simple(x: f32) =
    acosf libm::acosf(x);
    acoshf libm::acoshf(x);
    asinhf libm::asinhf(x);
    atanf libm::atanf(x);
    atanhf libm::atanhf(x);
    ceilf libm::ceilf(x);
    coshf libm::coshf(x);
    erfcf libm::erfcf(x);
    erff libm::erff(x);
    expf libm::expf(x);
    expm1f libm::expm1f(x);
    fabsf libm::fabsf(x);
    floorf libm::floorf(x);
    frexpf libm::frexpf(x);
    ilogbf libm::ilogbf(x);
    log10f libm::log10f(x);
    log1pf libm::log1pf(x);
    log2f libm::log2f(x);
    logf libm::logf(x);
    modff libm::modff(x);
    rintf libm::rintf(x);
    roundevenf libm::roundevenf(x);
    roundf libm::roundf(x);
    sinhf libm::sinhf(x);
    sqrtf libm::sqrtf(x);
    tanhf libm::tanhf(x);
    truncf libm::truncf(x);
}

table! {
    /// Functions of one argument that compute in `f64`.
    WIDE, wide(x: f32) =
    asinf libm::asinf(x);
    cbrtf libm::cbrtf(x);
    cosf libm::cosf(x);
    exp10f libm::exp10f(x);
    exp2f libm::exp2f(x);
    sincosf libm::sincosf(x);
    sinf libm::sinf(x);
    tanf libm::tanf(x);
}

table! {
    /// The gamma and Bessel functions, which call others.
    SPECIAL, special(x: f32) =
    j0f libm::j0f(x);
    j1f libm::j1f(x);
    lgammaf libm::lgammaf(x);
    lgammaf_r libm::lgammaf_r(x);
    tgammaf libm::tgammaf(x);
    y0f libm::y0f(x);
    y1f libm::y1f(x);
}

table! {
    /// Functions of two arguments, of which those that take integers take the second one's bits.
    BINARY, binary(x: f32, y: f32) =
    atan2f libm::atan2f(x, y);
    copysignf libm::copysignf(x, y);
    fdimf libm::fdimf(x, y);
    fmaxf libm::fmaxf(x, y);
    fmaximum_numf libm::fmaximum_numf(x, y);
    fmaximumf libm::fmaximumf(x, y);
    fminf libm::fminf(x, y);
    fminimum_numf libm::fminimum_numf(x, y);
    fminimumf libm::fminimumf(x, y);
    fmodf libm::fmodf(x, y);
    hypotf libm::hypotf(x, y);
    ldexpf libm::ldexpf(x, y.to_bits() as i32);
    ldexpf_small libm::ldexpf(x, y as i32);
    nextafterf libm::nextafterf(x, y);
    powf libm::powf(x, y);
    remainderf libm::remainderf(x, y);
    remquof libm::remquof(x, y);
    scalbnf libm::scalbnf(x, y.to_bits() as i32 % 300);
    jnf libm::jnf(y as i32 % 20, x);
    ynf libm::ynf(y as i32 % 20, x);
    fmaf libm::fmaf(x, y, 1.0 / 3.0);
    fmaf_of_all libm::fmaf(x, y, y - x);
}

/// Writes what a function of `SIMPLE` makes of each input.
#[kernel]
pub fn run_simple(x: ReadBuffer<f32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = simple(function, x.as_slice()[index.get()]);
    }
}

/// Writes what a function of `WIDE` makes of each input.
#[kernel]
pub fn run_wide(x: ReadBuffer<f32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = wide(function, x.as_slice()[index.get()]);
    }
}

/// Writes what a function of `SPECIAL` makes of each input.
#[kernel]
pub fn run_special(x: ReadBuffer<f32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = special(function, x.as_slice()[index.get()]);
    }
}

/// Writes what a function of `BINARY` makes of each pair of inputs.
#[kernel]
pub fn run_binary(x: ReadBuffer<f32>, y: ReadBuffer<f32>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = binary(function, x.as_slice()[index.get()], y.as_slice()[index.get()]);
    }
}
