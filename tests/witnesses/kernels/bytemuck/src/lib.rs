//! Kernels that call `bytemuck`: derived traits on plain data, and casts of values, references and slices.
#![no_std]

use bytemuck::{
    AnyBitPattern, CheckedBitPattern, Contiguous, NoUninit, Pod, PodCastError, TransparentWrapper, Zeroable, bytes_of, bytes_of_mut, cast,
    cast_mut, cast_ref, cast_slice, cast_slice_mut, checked, from_bytes, pod_read_unaligned, try_cast, try_cast_slice, try_from_bytes,
};
use metal_oxide_device::{DisjointBuffer, ReadBuffer, kernel, thread_index};
use witness_support::{Bits, table};

/// A record without padding.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Particle {
    position: [f32; 3],
    mass: f32,
    cell: [u16; 2],
    flags: u32,
}

impl Bits for Particle {
    fn bits(self) -> u64 {
        ((self.position, self.mass), (self.cell, self.flags)).bits()
    }
}

/// A record of another shape with the same size.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Words {
    low: [u64; 2],
    high: u64,
}

/// A record with alignment 1.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, packed)]
struct Packed {
    tag: u8,
    value: u32,
    rest: [u8; 3],
}

/// An enum of which not every bit pattern is valid.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, Contiguous)]
#[repr(u8)]
enum Kind {
    Still = 0,
    Moving = 1,
    Gone = 2,
}

impl Bits for Kind {
    fn bits(self) -> u64 {
        self as u64
    }
}

/// A record of which not every bit pattern is valid.
#[derive(Clone, Copy, Debug, NoUninit, CheckedBitPattern)]
#[repr(C)]
struct Tagged {
    kind: Kind,
    is_set: bool,
    count: u16,
}

impl Bits for Tagged {
    fn bits(self) -> u64 {
        (self.kind, self.is_set, self.count).bits()
    }
}

/// A record that can be read from any bytes but has bytes without a value.
#[derive(Clone, Copy, AnyBitPattern)]
#[repr(C)]
struct Padded {
    small: u8,
    large: u32,
}

/// A wrapper.
#[derive(TransparentWrapper)]
#[repr(transparent)]
struct Meters(f32);

/// Why a cast was refused, as a number.
struct Refused(PodCastError);

impl Bits for Refused {
    fn bits(self) -> u64 {
        match self.0 {
            PodCastError::TargetAlignmentGreaterAndInputNotAligned => 1,
            PodCastError::OutputSliceWouldHaveSlop => 2,
            PodCastError::SizeMismatch => 3,
            PodCastError::AlignmentMismatch => 4,
        }
    }
}

/// The numbers of an element.
pub type Numbers = [u32; 6];

table! {
    /// Functions of six words.
    CASTS, casts(n: &Numbers) =
    cast_to_record cast::<Numbers, Particle>(*n);
    cast_to_words { let words: Words = cast(*n); (words.low, words.high) };
    cast_there_and_back cast::<Words, Numbers>(cast::<Particle, Words>(cast(*n)));
    cast_floats cast::<f32, u32>(cast::<u32, f32>(n[0]));
    cast_halves cast::<u32, [u16; 2]>(n[0]);
    cast_bytes cast::<Numbers, [u8; 24]>(*n);
    cast_ref cast_ref::<Numbers, [f32; 6]>(n).map(|number| number.abs());
    cast_mut { let mut own = *n; cast_mut::<Numbers, [i32; 6]>(&mut own)[2] = -7; own };
    slice_of_bytes cast_slice::<u32, u8>(n).iter().map(|&byte| byte as u32).sum::<u32>();
    slice_of_halves cast_slice::<u32, u16>(n).iter().rev().fold(0_u32, |sum, &half| sum.rotate_left(3) ^ half as u32);
    slice_mut { let mut own = *n; cast_slice_mut::<u32, u8>(&mut own).swap(1, 22); own };
    sub_slice cast_slice::<u32, [u32; 2]>(&n[2..]).iter().map(|pair| pair[0] ^ pair[1]).fold(0, u32::wrapping_add);
    record_bytes bytes_of(&cast::<Numbers, Particle>(*n)).iter().fold(0_u32, |sum, &byte| sum.wrapping_mul(31) ^ byte as u32);
    record_bytes_mut { let mut particle: Particle = Zeroable::zeroed(); bytes_of_mut(&mut particle)[..4].copy_from_slice(&n[1].to_le_bytes()); particle };
    record_of_bytes *from_bytes::<Particle>(cast_slice(n));
    unaligned pod_read_unaligned::<u32>(&cast_slice::<u32, u8>(n)[(n[5] % 20) as usize..][..4]);
    unaligned_record { let packed: Packed = pod_read_unaligned(&cast_slice::<u32, u8>(n)[3..11]); let value = packed.value; (packed.tag, value, packed.rest) };
    slop try_cast_slice::<u32, [u16; 5]>(n).map(|halves| halves.len()).map_err(Refused);
    no_slop try_cast_slice::<u32, [u16; 4]>(n).map(|halves| halves[1]).map_err(Refused);
    wrong_size try_cast::<u32, u16>(n[0]).map_err(Refused);
    too_short try_from_bytes::<Particle>(&cast_slice(n)[4..]).copied().map_err(Refused);
    checked_enum checked::try_cast::<u8, Kind>(n[0] as u8 % 4).ok();
    checked_record checked::try_cast::<u32, Tagged>(n[0] & 0xffff_0103).ok();
    checked_bool checked::try_cast::<u8, bool>(n[1] as u8 % 3).ok();
    checked_char checked::try_cast::<u32, char>(n[2] % 0x12_0000).ok();
    checked_slice checked::try_cast_slice::<u8, Kind>(&[n[0] as u8 % 3, n[1] as u8 % 3, n[2] as u8 % 4]).map(|kinds| kinds[2]).ok();
    record_to_bytes cast::<Tagged, [u8; 4]>(Tagged { kind: if n[2].is_multiple_of(2) { Kind::Still } else { Kind::Moving }, is_set: n[0].is_multiple_of(2), count: n[1] as u16 });
    contiguous (Kind::from_integer(n[0] as u8 % 5), Kind::Gone.into_integer());
    padded { let padded: Padded = pod_read_unaligned(&cast_slice::<u32, u8>(n)[..8]); (padded.small, padded.large) };
    wrapped Meters::peel(Meters::wrap(n[0] as f32));
    wrapped_ref Meters::wrap_ref(cast_ref::<u32, f32>(&n[3])).0;
    zeroed Particle::zeroed();
}

/// Writes what a function makes of each element.
#[kernel(requires(numbers.len() == out.len()))]
pub fn run_casts(numbers: ReadBuffer<Numbers>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = casts(function, &numbers.as_slice()[index.get()]);
    }
}
