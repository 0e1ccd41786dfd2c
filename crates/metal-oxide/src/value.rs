//! Values that host and device share: how each is laid out in device memory, and how it gets there and back.
//! Scalars and arrays of them lie in memory as Rust has them; anything else is encoded and decoded, field by field.

use std::mem::{offset_of, size_of};

/// A type whose values can stand in buffers and be passed to kernels.
///
/// Every such type has one *canonical layout* on every device: scalars are as wide as in Rust and aligned to their width (`usize` has 64
/// bits), arrays follow one another without gaps, tuples and records have their fields in the order of declaration, as `repr(C)` lays
/// them out. A GPU's buffers hold that. Where it equals the layout that Rust chose for the host, buffers are viewed in place; where it does
/// not, values are decoded for reading and encoded after writing. The CPU device runs Rust code, so its buffers hold Rust's own layout.
///
/// It is implemented for `bool`, the integers up to 64 bits, `f32`, and for arrays and tuples (of up to eight) of such types.
///
/// # Safety
///
/// * `SIZE` and `ALIGN` are the canonical layout's, `ALIGN` is a power of two of at most 16, and `SIZE` is a multiple of it.
/// * `IN_PLACE` is true only if the canonical layout is the type's layout in Rust and every pattern of bits is a valid value.
/// * `encode` writes a value's canonical form and `decode` reads it. Neither panics when given `SIZE` bytes.
/// * Zeros in all bytes are a valid value in both layouts: that is what a zeroed buffer holds.
/// * No value contains a pointer or a reference.
pub unsafe trait GpuValue: Copy + Send + Sync + 'static {
    /// Bytes of a value in device memory, padding included.
    const SIZE: usize;
    /// Alignment of a value in device memory, in bytes.
    const ALIGN: usize;
    /// Whether values lie in device memory exactly as they do in the host's.
    const IN_PLACE: bool;

    /// Writes the canonical form into `bytes`, which are `SIZE` zeros.
    fn encode(self, bytes: &mut [u8]);

    /// Reads the canonical form from `bytes`, of which there are `SIZE`.
    fn decode(bytes: &[u8]) -> Self;

    /// The value as an integer, for the relations that a kernel requires of its arguments.
    #[doc(hidden)]
    fn integer(self) -> Option<i128> {
        None
    }
}

/// Implements the trait for numbers, whose canonical form is their little-endian bytes.
macro_rules! numbers {
    ($($number:ty: $integer:expr),* $(,)?) => {$(
        // SAFETY: a number is as wide and as aligned as on the device, hosts are little-endian like it (asserted below), and any bits are
        // a number. On hosts that align 64-bit numbers to less, they are not viewed in place.
        unsafe impl GpuValue for $number {
            const SIZE: usize = size_of::<$number>();
            const ALIGN: usize = size_of::<$number>();
            const IN_PLACE: bool = align_of::<$number>() == size_of::<$number>();

            #[inline]
            fn encode(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn decode(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$number>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }

            #[inline]
            fn integer(self) -> Option<i128> {
                let convert: fn(Self) -> Option<i128> = $integer;
                convert(self)
            }
        }
    )*};
}

numbers! {
    u8: |value| Some(value.into()),
    u16: |value| Some(value.into()),
    u32: |value| Some(value.into()),
    u64: |value| Some(value.into()),
    i8: |value| Some(value.into()),
    i16: |value| Some(value.into()),
    i32: |value| Some(value.into()),
    i64: |value| Some(value.into()),
    usize: |value| Some(value as i128),
    isize: |value| Some(value as i128),
    f32: |_| None,
}

const _: () = assert!(cfg!(target_endian = "little"), "metal-oxide needs a little-endian host");
const _: () = assert!(size_of::<usize>() == 8, "metal-oxide needs a 64-bit host: `usize` has 64 bits on the device");

// SAFETY: a `bool` is a byte. It is not viewed in place, because a device's memory could hold other bytes than zero and one.
unsafe impl GpuValue for bool {
    const SIZE: usize = 1;
    const ALIGN: usize = 1;
    const IN_PLACE: bool = false;

    #[inline]
    fn encode(self, bytes: &mut [u8]) {
        bytes[0] = self.into();
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
}

// SAFETY: elements follow one another without gaps, in Rust as on the device: an element's size is a multiple of its alignment.
unsafe impl<T: GpuValue, const N: usize> GpuValue for [T; N] {
    const SIZE: usize = T::SIZE * N;
    const ALIGN: usize = T::ALIGN;
    const IN_PLACE: bool = T::IN_PLACE;

    fn encode(self, bytes: &mut [u8]) {
        for (index, element) in self.into_iter().enumerate() {
            element.encode(&mut bytes[index * T::SIZE..][..T::SIZE]);
        }
    }

    fn decode(bytes: &[u8]) -> Self {
        std::array::from_fn(|index| T::decode(&bytes[index * T::SIZE..][..T::SIZE]))
    }
}

/// The end of a field of `size` bytes that comes after `end` bytes of others.
const fn after(end: usize, size: usize, align: usize) -> usize {
    end.next_multiple_of(align) + size
}

/// Implements the trait for the tuple of these types.
macro_rules! tuple {
    ($($name:ident $index:tt),+) => {
        // SAFETY: the fields lie in order, each at the next multiple of its alignment, as C does it; and in place only where Rust agrees.
        unsafe impl<$($name: GpuValue),+> GpuValue for ($($name,)+) {
            const SIZE: usize = {
                let mut end = 0;
                $(end = after(end, $name::SIZE, $name::ALIGN);)+
                end.next_multiple_of(Self::ALIGN)
            };
            const ALIGN: usize = {
                let mut align = 1;
                $(if $name::ALIGN > align { align = $name::ALIGN; })+
                align
            };
            const IN_PLACE: bool = {
                let mut agrees = size_of::<Self>() == Self::SIZE && align_of::<Self>() == Self::ALIGN;
                let mut end = 0;
                $(
                    end = after(end, $name::SIZE, $name::ALIGN);
                    agrees = agrees && $name::IN_PLACE && offset_of!(Self, $index) == end - $name::SIZE;
                )+
                let _ = end;
                agrees
            };

            fn encode(self, bytes: &mut [u8]) {
                let mut end = 0;
                $(
                    end = after(end, $name::SIZE, $name::ALIGN);
                    self.$index.encode(&mut bytes[end - $name::SIZE..end]);
                )+
                let _ = end;
            }

            fn decode(bytes: &[u8]) -> Self {
                let mut end = 0;
                let value = ($({
                    end = after(end, $name::SIZE, $name::ALIGN);
                    $name::decode(&bytes[end - $name::SIZE..end])
                },)+);
                let _ = end;
                value
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T: GpuValue + PartialEq + std::fmt::Debug>(value: T, expected: &[u8]) {
        let mut bytes = vec![0; T::SIZE];
        value.encode(&mut bytes);
        assert_eq!(bytes, expected);
        assert_eq!(T::decode(&bytes), value);
    }

    #[test]
    fn scalars_are_their_little_endian_bytes() {
        round_trip(true, &[1]);
        round_trip(-2_i8, &[0xfe]);
        round_trip(0x1234_u16, &[0x34, 0x12]);
        round_trip(1.0_f32, &[0, 0, 0x80, 0x3f]);
        round_trip(3_usize, &[3, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn arrays_have_no_gaps() {
        round_trip([1_u16, 2, 3], &[1, 0, 2, 0, 3, 0]);
        round_trip([[true, false]; 2], &[1, 0, 1, 0]);
        assert_eq!(<[u32; 0]>::SIZE, 0);
        const { assert!(<[f32; 3]>::IN_PLACE && !<[bool; 3]>::IN_PLACE) }
    }

    #[test]
    fn tuples_are_laid_out_as_in_c() {
        round_trip((1_u8, 2_u32, 3_u8), &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
        round_trip((1_u8, (2_u16, 3_u8)), &[1, 0, 2, 0, 3, 0]);
        assert_eq!((<(u8, u64)>::SIZE, <(u8, u64)>::ALIGN), (16, 8));
        const { assert!(<(f32, f32)>::IN_PLACE && !<(u32, bool)>::IN_PLACE) }
    }

    #[test]
    fn any_byte_but_zero_is_true() {
        assert!(bool::decode(&[2]));
        assert!(!bool::decode(&[0]));
    }

    #[test]
    fn integers_keep_their_sign_and_floats_are_none() {
        assert_eq!((-1_i64).integer(), Some(-1));
        assert_eq!(u64::MAX.integer(), Some(i128::from(u64::MAX)));
        assert_eq!(1.0_f32.integer(), None);
        assert_eq!([1_u32].integer(), None);
    }
}
