//! Made from the tables of `book/semantics.md` by `tests/book.rs`: do not edit.
//! Each row runs on every engine with arguments that are only known at run time.

#![allow(clippy::all, reason = "the expressions are the chapter's")]

use kernels::Word;
use language_tests::engines;
use metal_oxide::{Error, LaunchConfig, Operation};

#[rustfmt::skip]
#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    /// Values as 64 bits. All NaNs have one pattern, since Rust leaves their payload open.
    pub trait Word: Sized {
        /// The value of a word.
        fn from_word(word: u64) -> Self;
        /// The word of a value.
        fn to_word(self) -> u64;
    }

    macro_rules! integers {
        ($($ty:ty)*) => {$(
            impl Word for $ty {
                fn from_word(word: u64) -> Self {
                    word as $ty
                }
                fn to_word(self) -> u64 {
                    self as u64
                }
            }
        )*};
    }
    integers!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

    impl Word for bool {
        fn from_word(word: u64) -> Self {
            word != 0
        }
        fn to_word(self) -> u64 {
            u64::from(self)
        }
    }

    impl Word for f32 {
        fn from_word(word: u64) -> Self {
            f32::from_bits(word as u32)
        }
        fn to_word(self) -> u64 {
            u64::from(if self.is_nan() { 0x7fc0_0000 } else { self.to_bits() })
        }
    }

    pub fn row_0(a: i32, b: i32) -> i32 {
        a + b
    }

    pub fn row_1(a: i32, b: i32) -> i32 {
        a - b
    }

    pub fn row_2(a: i32, b: i32) -> i32 {
        a * b
    }

    pub fn row_3(a: i8, b: i8) -> i8 {
        a + b
    }

    pub fn row_4(a: u8, b: u8) -> u8 {
        a + b
    }

    pub fn row_5(a: u16, b: u16) -> u16 {
        a - b
    }

    pub fn row_6(a: i16, b: i16) -> i16 {
        a * b
    }

    pub fn row_7(a: u32, b: u32) -> u32 {
        a * b
    }

    pub fn row_8(a: i64, b: i64) -> i64 {
        a + b
    }

    pub fn row_9(a: u64, b: u64) -> u64 {
        a * b
    }

    pub fn row_10(a: usize, b: usize) -> usize {
        a - b
    }

    pub fn row_11(a: i32, b: i32) -> i32 {
        -a + b
    }

    pub fn row_12(a: i32, b: i32) -> i32 {
        a.wrapping_abs() + b
    }

    pub fn row_13(a: i32, b: i32) -> bool {
        a + b < a
    }

    pub fn row_14(a: u8, b: u8) -> bool {
        a.checked_add(b).is_none()
    }

    pub fn row_15(a: i64, b: i64) -> bool {
        a.checked_mul(b).is_none()
    }

    pub fn row_16(a: i32, b: i32) -> i32 {
        a.saturating_add(b)
    }

    pub fn row_17(a: i8, b: i8) -> i8 {
        a.saturating_sub(b)
    }

    pub fn row_18(a: u64, b: u64) -> u64 {
        a.saturating_sub(b)
    }

    pub fn row_19(a: i32, b: i32) -> bool {
        a.overflowing_mul(b).1
    }

    pub fn row_20(a: i32, b: i32) -> i32 {
        a / b
    }

    pub fn row_21(a: i32, b: i32) -> i32 {
        a % b
    }

    pub fn row_22(a: i32, b: i32) -> i32 {
        a % b
    }

    pub fn row_23(a: i32, b: i32) -> i32 {
        a / b
    }

    pub fn row_24(a: i32, b: i32) -> i32 {
        a % b
    }

    pub fn row_25(a: i32, b: i32) -> i32 {
        a / b
    }

    pub fn row_26(a: i32, b: i32) -> i32 {
        a % b
    }

    pub fn row_27(a: i8, b: i8) -> i8 {
        a / b
    }

    pub fn row_28(a: u8, b: u8) -> u8 {
        a % b
    }

    pub fn row_29(a: u16, b: u16) -> u16 {
        a / b
    }

    pub fn row_30(a: i16, b: i16) -> i16 {
        a % b
    }

    pub fn row_31(a: u64, b: u64) -> u64 {
        a / b
    }

    pub fn row_32(a: i64, b: i64) -> i64 {
        a / b
    }

    pub fn row_33(a: u32, b: u32) -> u32 {
        a / b
    }

    pub fn row_34(a: i32, b: i32) -> i32 {
        a.wrapping_div(b)
    }

    pub fn row_35(a: i32, b: i32) -> i32 {
        a.wrapping_rem(b)
    }

    pub fn row_36(a: i32, b: i32) -> bool {
        a.checked_div(b).is_none()
    }

    pub fn row_37(a: i32, b: i32) -> bool {
        a.checked_rem(b).is_none()
    }

    pub fn row_38(a: i32, b: i32) -> bool {
        a.overflowing_div(b).1
    }

    pub fn row_39(a: i32, b: i32) -> i32 {
        a.rem_euclid(b)
    }

    pub fn row_40(a: i32, b: i32) -> i32 {
        a.div_euclid(b)
    }

    pub fn row_41(a: u64, b: u64) -> u64 {
        a / b
    }

    pub fn row_42(a: i32, b: i32) -> i32 {
        a << b
    }

    pub fn row_43(a: i32, b: u32) -> i32 {
        a << b
    }

    pub fn row_44(a: i32, b: u32) -> i32 {
        a << b
    }

    pub fn row_45(a: i32, b: u32) -> i32 {
        a << b
    }

    pub fn row_46(a: u8, b: u32) -> u8 {
        a << b
    }

    pub fn row_47(a: i8, b: u32) -> i8 {
        a >> b
    }

    pub fn row_48(a: u8, b: u32) -> u8 {
        a >> b
    }

    pub fn row_49(a: i16, b: u32) -> i16 {
        a >> b
    }

    pub fn row_50(a: u64, b: u32) -> u64 {
        a << b
    }

    pub fn row_51(a: u64, b: u32) -> u64 {
        a << b
    }

    pub fn row_52(a: i64, b: u32) -> i64 {
        a >> b
    }

    pub fn row_53(a: u32, b: u32) -> bool {
        a.checked_shl(b).is_none()
    }

    pub fn row_54(a: u16, b: u32) -> u16 {
        a.rotate_left(b)
    }

    pub fn row_55(a: u8, b: u32) -> u8 {
        a.rotate_right(b)
    }

    pub fn row_56(a: u32, b: u32) -> u32 {
        a.leading_zeros() + b
    }

    pub fn row_57(a: u8, b: u8) -> u32 {
        a.leading_zeros() + b as u32
    }

    pub fn row_58(a: i16, b: i16) -> u32 {
        a.trailing_zeros() + b as u32
    }

    pub fn row_59(a: u64, b: u64) -> u32 {
        a.count_ones() + b as u32
    }

    pub fn row_60(a: u32, b: u32) -> u32 {
        a.swap_bytes() | b
    }

    pub fn row_61(a: u8, b: u8) -> u8 {
        a.reverse_bits() | b
    }

    pub fn row_62(a: u64, b: u64) -> u64 {
        a.reverse_bits() | b
    }

    pub fn row_63(a: i8, b: i8) -> i8 {
        !a | b
    }

    pub fn row_64(a: i32, b: i32) -> u8 {
        a as u8 + b as u8
    }

    pub fn row_65(a: i8, b: i8) -> u32 {
        a as u32 + b as u32
    }

    pub fn row_66(a: u8, b: u8) -> i8 {
        a as i8 + b as i8
    }

    pub fn row_67(a: u32, b: u32) -> i64 {
        a as i64 + b as i64
    }

    pub fn row_68(a: i32, b: i32) -> i64 {
        a as i64 + b as i64
    }

    pub fn row_69(a: u64, b: u64) -> i32 {
        a as i32 + b as i32
    }

    pub fn row_70(a: i32, b: i32) -> usize {
        a as usize + b as usize
    }

    pub fn row_71(a: f32, b: f32) -> i32 {
        a as i32 + b as i32
    }

    pub fn row_72(a: f32, b: f32) -> i32 {
        a as i32 + b as i32
    }

    pub fn row_73(a: f32, b: f32) -> i32 {
        a as i32 + b as i32
    }

    pub fn row_74(a: f32, b: f32) -> i32 {
        a as i32 + b as i32
    }

    pub fn row_75(a: f32, b: f32) -> i32 {
        a as i32 + b as i32
    }

    pub fn row_76(a: f32, b: f32) -> u8 {
        a as u8 + b as u8
    }

    pub fn row_77(a: f32, b: f32) -> u8 {
        a as u8 + b as u8
    }

    pub fn row_78(a: f32, b: f32) -> i8 {
        a as i8 + b as i8
    }

    pub fn row_79(a: f32, b: f32) -> u32 {
        a as u32 + b as u32
    }

    pub fn row_80(a: f32, b: f32) -> u64 {
        a as u64 + b as u64
    }

    pub fn row_81(a: f32, b: f32) -> i64 {
        a as i64 + b as i64
    }

    pub fn row_82(a: f32, b: f32) -> i16 {
        a as i16 + b as i16
    }

    pub fn row_83(a: i32, b: i32) -> f32 {
        a as f32 + b as f32
    }

    pub fn row_84(a: i32, b: i32) -> f32 {
        a as f32 + b as f32
    }

    pub fn row_85(a: u64, b: u64) -> f32 {
        a as f32 + b as f32
    }

    pub fn row_86(a: i64, b: i64) -> f32 {
        a as f32 + b as f32
    }

    pub fn row_87(a: u8, b: u8) -> f32 {
        a as f32 + b as f32
    }

    pub fn row_88(a: f32, b: f32) -> f32 {
        a + b
    }

    pub fn row_89(a: f32, b: f32) -> f32 {
        a / b
    }

    pub fn row_90(a: f32, b: f32) -> f32 {
        a / b
    }

    pub fn row_91(a: f32, b: f32) -> f32 {
        a % b
    }

    pub fn row_92(a: f32, b: f32) -> f32 {
        a % b
    }

    pub fn row_93(a: f32, b: f32) -> f32 {
        a.max(b)
    }

    pub fn row_94(a: f32, b: f32) -> f32 {
        a.max(b)
    }

    pub fn row_95(a: f32, b: f32) -> f32 {
        a.min(b)
    }

    pub fn row_96(a: f32, b: f32) -> f32 {
        a.min(b)
    }

    pub fn row_97(a: f32, b: f32) -> bool {
        a == b
    }

    pub fn row_98(a: f32, b: f32) -> bool {
        a != b
    }

    pub fn row_99(a: f32, b: f32) -> bool {
        a < b
    }

    pub fn row_100(a: f32, b: f32) -> bool {
        a >= b
    }

    pub fn row_101(a: f32, b: f32) -> bool {
        a == b
    }

    pub fn row_102(a: f32, b: f32) -> bool {
        a.is_nan() && !b.is_nan()
    }

    pub fn row_103(a: f32, b: f32) -> f32 {
        a.clamp(0.0, b)
    }

    pub fn row_104(a: f32, b: f32) -> f32 {
        a.clamp(0.0, b)
    }

    pub fn row_105(a: f32, b: f32) -> f32 {
        a.copysign(b)
    }

    pub fn row_106(a: f32, b: f32) -> f32 {
        a.copysign(b)
    }

    pub fn row_107(a: f32, b: f32) -> bool {
        a.total_cmp(&b).is_lt()
    }

    pub fn row_108(a: f32, b: f32) -> u32 {
        a.to_bits() | b.to_bits()
    }

    pub fn row_109(a: f32, b: f32) -> f32 {
        a.round() + b
    }

    pub fn row_110(a: f32, b: f32) -> f32 {
        a.round() + b
    }

    pub fn row_111(a: f32, b: f32) -> f32 {
        a.round_ties_even() + b
    }

    pub fn row_112(a: f32, b: f32) -> f32 {
        a.floor() + b
    }

    pub fn row_113(a: f32, b: f32) -> f32 {
        a.ceil() + b
    }

    pub fn row_114(a: f32, b: f32) -> f32 {
        a.trunc() + b
    }

    pub fn row_115(a: f32, b: f32) -> f32 {
        a.sqrt() + b
    }

    pub fn row_116(a: f32, b: f32) -> f32 {
        a.sqrt() + b
    }

    pub fn row_117(a: f32, b: f32) -> f32 {
        a.abs() + b
    }

    pub fn run(row: u32, a: u64, b: u64) -> u64 {
        match row {
            0 => row_0(i32::from_word(a), i32::from_word(b)).to_word(),
            1 => row_1(i32::from_word(a), i32::from_word(b)).to_word(),
            2 => row_2(i32::from_word(a), i32::from_word(b)).to_word(),
            3 => row_3(i8::from_word(a), i8::from_word(b)).to_word(),
            4 => row_4(u8::from_word(a), u8::from_word(b)).to_word(),
            5 => row_5(u16::from_word(a), u16::from_word(b)).to_word(),
            6 => row_6(i16::from_word(a), i16::from_word(b)).to_word(),
            7 => row_7(u32::from_word(a), u32::from_word(b)).to_word(),
            8 => row_8(i64::from_word(a), i64::from_word(b)).to_word(),
            9 => row_9(u64::from_word(a), u64::from_word(b)).to_word(),
            10 => row_10(usize::from_word(a), usize::from_word(b)).to_word(),
            11 => row_11(i32::from_word(a), i32::from_word(b)).to_word(),
            12 => row_12(i32::from_word(a), i32::from_word(b)).to_word(),
            13 => row_13(i32::from_word(a), i32::from_word(b)).to_word(),
            14 => row_14(u8::from_word(a), u8::from_word(b)).to_word(),
            15 => row_15(i64::from_word(a), i64::from_word(b)).to_word(),
            16 => row_16(i32::from_word(a), i32::from_word(b)).to_word(),
            17 => row_17(i8::from_word(a), i8::from_word(b)).to_word(),
            18 => row_18(u64::from_word(a), u64::from_word(b)).to_word(),
            19 => row_19(i32::from_word(a), i32::from_word(b)).to_word(),
            20 => row_20(i32::from_word(a), i32::from_word(b)).to_word(),
            21 => row_21(i32::from_word(a), i32::from_word(b)).to_word(),
            22 => row_22(i32::from_word(a), i32::from_word(b)).to_word(),
            23 => row_23(i32::from_word(a), i32::from_word(b)).to_word(),
            24 => row_24(i32::from_word(a), i32::from_word(b)).to_word(),
            25 => row_25(i32::from_word(a), i32::from_word(b)).to_word(),
            26 => row_26(i32::from_word(a), i32::from_word(b)).to_word(),
            27 => row_27(i8::from_word(a), i8::from_word(b)).to_word(),
            28 => row_28(u8::from_word(a), u8::from_word(b)).to_word(),
            29 => row_29(u16::from_word(a), u16::from_word(b)).to_word(),
            30 => row_30(i16::from_word(a), i16::from_word(b)).to_word(),
            31 => row_31(u64::from_word(a), u64::from_word(b)).to_word(),
            32 => row_32(i64::from_word(a), i64::from_word(b)).to_word(),
            33 => row_33(u32::from_word(a), u32::from_word(b)).to_word(),
            34 => row_34(i32::from_word(a), i32::from_word(b)).to_word(),
            35 => row_35(i32::from_word(a), i32::from_word(b)).to_word(),
            36 => row_36(i32::from_word(a), i32::from_word(b)).to_word(),
            37 => row_37(i32::from_word(a), i32::from_word(b)).to_word(),
            38 => row_38(i32::from_word(a), i32::from_word(b)).to_word(),
            39 => row_39(i32::from_word(a), i32::from_word(b)).to_word(),
            40 => row_40(i32::from_word(a), i32::from_word(b)).to_word(),
            41 => row_41(u64::from_word(a), u64::from_word(b)).to_word(),
            42 => row_42(i32::from_word(a), i32::from_word(b)).to_word(),
            43 => row_43(i32::from_word(a), u32::from_word(b)).to_word(),
            44 => row_44(i32::from_word(a), u32::from_word(b)).to_word(),
            45 => row_45(i32::from_word(a), u32::from_word(b)).to_word(),
            46 => row_46(u8::from_word(a), u32::from_word(b)).to_word(),
            47 => row_47(i8::from_word(a), u32::from_word(b)).to_word(),
            48 => row_48(u8::from_word(a), u32::from_word(b)).to_word(),
            49 => row_49(i16::from_word(a), u32::from_word(b)).to_word(),
            50 => row_50(u64::from_word(a), u32::from_word(b)).to_word(),
            51 => row_51(u64::from_word(a), u32::from_word(b)).to_word(),
            52 => row_52(i64::from_word(a), u32::from_word(b)).to_word(),
            53 => row_53(u32::from_word(a), u32::from_word(b)).to_word(),
            54 => row_54(u16::from_word(a), u32::from_word(b)).to_word(),
            55 => row_55(u8::from_word(a), u32::from_word(b)).to_word(),
            56 => row_56(u32::from_word(a), u32::from_word(b)).to_word(),
            57 => row_57(u8::from_word(a), u8::from_word(b)).to_word(),
            58 => row_58(i16::from_word(a), i16::from_word(b)).to_word(),
            59 => row_59(u64::from_word(a), u64::from_word(b)).to_word(),
            60 => row_60(u32::from_word(a), u32::from_word(b)).to_word(),
            61 => row_61(u8::from_word(a), u8::from_word(b)).to_word(),
            62 => row_62(u64::from_word(a), u64::from_word(b)).to_word(),
            63 => row_63(i8::from_word(a), i8::from_word(b)).to_word(),
            64 => row_64(i32::from_word(a), i32::from_word(b)).to_word(),
            65 => row_65(i8::from_word(a), i8::from_word(b)).to_word(),
            66 => row_66(u8::from_word(a), u8::from_word(b)).to_word(),
            67 => row_67(u32::from_word(a), u32::from_word(b)).to_word(),
            68 => row_68(i32::from_word(a), i32::from_word(b)).to_word(),
            69 => row_69(u64::from_word(a), u64::from_word(b)).to_word(),
            70 => row_70(i32::from_word(a), i32::from_word(b)).to_word(),
            71 => row_71(f32::from_word(a), f32::from_word(b)).to_word(),
            72 => row_72(f32::from_word(a), f32::from_word(b)).to_word(),
            73 => row_73(f32::from_word(a), f32::from_word(b)).to_word(),
            74 => row_74(f32::from_word(a), f32::from_word(b)).to_word(),
            75 => row_75(f32::from_word(a), f32::from_word(b)).to_word(),
            76 => row_76(f32::from_word(a), f32::from_word(b)).to_word(),
            77 => row_77(f32::from_word(a), f32::from_word(b)).to_word(),
            78 => row_78(f32::from_word(a), f32::from_word(b)).to_word(),
            79 => row_79(f32::from_word(a), f32::from_word(b)).to_word(),
            80 => row_80(f32::from_word(a), f32::from_word(b)).to_word(),
            81 => row_81(f32::from_word(a), f32::from_word(b)).to_word(),
            82 => row_82(f32::from_word(a), f32::from_word(b)).to_word(),
            83 => row_83(i32::from_word(a), i32::from_word(b)).to_word(),
            84 => row_84(i32::from_word(a), i32::from_word(b)).to_word(),
            85 => row_85(u64::from_word(a), u64::from_word(b)).to_word(),
            86 => row_86(i64::from_word(a), i64::from_word(b)).to_word(),
            87 => row_87(u8::from_word(a), u8::from_word(b)).to_word(),
            88 => row_88(f32::from_word(a), f32::from_word(b)).to_word(),
            89 => row_89(f32::from_word(a), f32::from_word(b)).to_word(),
            90 => row_90(f32::from_word(a), f32::from_word(b)).to_word(),
            91 => row_91(f32::from_word(a), f32::from_word(b)).to_word(),
            92 => row_92(f32::from_word(a), f32::from_word(b)).to_word(),
            93 => row_93(f32::from_word(a), f32::from_word(b)).to_word(),
            94 => row_94(f32::from_word(a), f32::from_word(b)).to_word(),
            95 => row_95(f32::from_word(a), f32::from_word(b)).to_word(),
            96 => row_96(f32::from_word(a), f32::from_word(b)).to_word(),
            97 => row_97(f32::from_word(a), f32::from_word(b)).to_word(),
            98 => row_98(f32::from_word(a), f32::from_word(b)).to_word(),
            99 => row_99(f32::from_word(a), f32::from_word(b)).to_word(),
            100 => row_100(f32::from_word(a), f32::from_word(b)).to_word(),
            101 => row_101(f32::from_word(a), f32::from_word(b)).to_word(),
            102 => row_102(f32::from_word(a), f32::from_word(b)).to_word(),
            103 => row_103(f32::from_word(a), f32::from_word(b)).to_word(),
            104 => row_104(f32::from_word(a), f32::from_word(b)).to_word(),
            105 => row_105(f32::from_word(a), f32::from_word(b)).to_word(),
            106 => row_106(f32::from_word(a), f32::from_word(b)).to_word(),
            107 => row_107(f32::from_word(a), f32::from_word(b)).to_word(),
            108 => row_108(f32::from_word(a), f32::from_word(b)).to_word(),
            109 => row_109(f32::from_word(a), f32::from_word(b)).to_word(),
            110 => row_110(f32::from_word(a), f32::from_word(b)).to_word(),
            111 => row_111(f32::from_word(a), f32::from_word(b)).to_word(),
            112 => row_112(f32::from_word(a), f32::from_word(b)).to_word(),
            113 => row_113(f32::from_word(a), f32::from_word(b)).to_word(),
            114 => row_114(f32::from_word(a), f32::from_word(b)).to_word(),
            115 => row_115(f32::from_word(a), f32::from_word(b)).to_word(),
            116 => row_116(f32::from_word(a), f32::from_word(b)).to_word(),
            117 => row_117(f32::from_word(a), f32::from_word(b)).to_word(),
            _ => 0,
        }
    }

    #[kernel]
    pub fn run_row(row: u32, arguments: ReadBuffer<u64>, mut out: DisjointBuffer<u64>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out = run(row, arguments.as_slice()[0], arguments.as_slice()[1]);
        }
    }
}

/// A row of the chapter.
struct Row {
    a: u64,
    b: u64,
    /// The result, unless the row fails.
    expected: Option<u64>,
    text: &'static str,
}

#[test]
fn a1_to_a6_each_row_of_the_chapter_is_true_on_every_engine() {
    for device in engines() {
        for (number, row) in rows().iter().enumerate() {
            let arguments = device.buffer_from_slice(&[row.a, row.b]).unwrap();
            let mut out = device.buffer_zeroed::<u64>(1).unwrap();
            let config = LaunchConfig::<32>::for_elements(1).unwrap();
            let result = kernels::run_row(&device, config, number as u32, &arguments, &mut out).wait().map(drop);
            let actual = match result {
                Ok(()) => Some(out.read().wait()[0]),
                Err(Error::KernelFailed { .. }) => None,
                Err(other) => panic!("{other}"),
            };
            assert_eq!(actual, row.expected, "{} on {}", row.text, device.name());
        }
    }
}

#[rustfmt::skip]
fn rows() -> Vec<Row> {
    vec![
        Row { a: <i32>::to_word(i32::MAX), b: <i32>::to_word(1), expected: Some(<i32>::to_word(i32::MIN)), text: "`a + b` with a = `i32::MAX`, b = `1`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(1), expected: Some(<i32>::to_word(i32::MAX)), text: "`a - b` with a = `i32::MIN`, b = `1`" },
        Row { a: <i32>::to_word(65536), b: <i32>::to_word(65536), expected: Some(<i32>::to_word(0)), text: "`a * b` with a = `65536`, b = `65536`" },
        Row { a: <i8>::to_word(127), b: <i8>::to_word(1), expected: Some(<i8>::to_word(-128)), text: "`a + b` with a = `127`, b = `1`" },
        Row { a: <u8>::to_word(200), b: <u8>::to_word(100), expected: Some(<u8>::to_word(44)), text: "`a + b` with a = `200`, b = `100`" },
        Row { a: <u16>::to_word(1), b: <u16>::to_word(2), expected: Some(<u16>::to_word(65535)), text: "`a - b` with a = `1`, b = `2`" },
        Row { a: <i16>::to_word(-32768), b: <i16>::to_word(-1), expected: Some(<i16>::to_word(-32768)), text: "`a * b` with a = `-32768`, b = `-1`" },
        Row { a: <u32>::to_word(u32::MAX), b: <u32>::to_word(2), expected: Some(<u32>::to_word(u32::MAX - 1)), text: "`a * b` with a = `u32::MAX`, b = `2`" },
        Row { a: <i64>::to_word(i64::MIN), b: <i64>::to_word(-1), expected: Some(<i64>::to_word(i64::MAX)), text: "`a + b` with a = `i64::MIN`, b = `-1`" },
        Row { a: <u64>::to_word(u64::MAX), b: <u64>::to_word(3), expected: Some(<u64>::to_word(u64::MAX - 2)), text: "`a * b` with a = `u64::MAX`, b = `3`" },
        Row { a: <usize>::to_word(0), b: <usize>::to_word(1), expected: Some(<usize>::to_word(usize::MAX)), text: "`a - b` with a = `0`, b = `1`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(0), expected: Some(<i32>::to_word(i32::MIN)), text: "`-a + b` with a = `i32::MIN`, b = `0`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(0), expected: Some(<i32>::to_word(i32::MIN)), text: "`a.wrapping_abs() + b` with a = `i32::MIN`, b = `0`" },
        Row { a: <i32>::to_word(i32::MAX), b: <i32>::to_word(1), expected: Some(<bool>::to_word(true)), text: "`a + b < a` with a = `i32::MAX`, b = `1`" },
        Row { a: <u8>::to_word(255), b: <u8>::to_word(1), expected: Some(<bool>::to_word(true)), text: "`a.checked_add(b).is_none()` with a = `255`, b = `1`" },
        Row { a: <i64>::to_word(i64::MIN), b: <i64>::to_word(-1), expected: Some(<bool>::to_word(true)), text: "`a.checked_mul(b).is_none()` with a = `i64::MIN`, b = `-1`" },
        Row { a: <i32>::to_word(i32::MAX), b: <i32>::to_word(1), expected: Some(<i32>::to_word(i32::MAX)), text: "`a.saturating_add(b)` with a = `i32::MAX`, b = `1`" },
        Row { a: <i8>::to_word(-100), b: <i8>::to_word(100), expected: Some(<i8>::to_word(-128)), text: "`a.saturating_sub(b)` with a = `-100`, b = `100`" },
        Row { a: <u64>::to_word(3), b: <u64>::to_word(5), expected: Some(<u64>::to_word(0)), text: "`a.saturating_sub(b)` with a = `3`, b = `5`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(-1), expected: Some(<bool>::to_word(true)), text: "`a.overflowing_mul(b).1` with a = `i32::MIN`, b = `-1`" },
        Row { a: <i32>::to_word(7), b: <i32>::to_word(-2), expected: Some(<i32>::to_word(-3)), text: "`a / b` with a = `7`, b = `-2`" },
        Row { a: <i32>::to_word(7), b: <i32>::to_word(-2), expected: Some(<i32>::to_word(1)), text: "`a % b` with a = `7`, b = `-2`" },
        Row { a: <i32>::to_word(-7), b: <i32>::to_word(2), expected: Some(<i32>::to_word(-1)), text: "`a % b` with a = `-7`, b = `2`" },
        Row { a: <i32>::to_word(1), b: <i32>::to_word(0), expected: None, text: "`a / b` with a = `1`, b = `0`" },
        Row { a: <i32>::to_word(1), b: <i32>::to_word(0), expected: None, text: "`a % b` with a = `1`, b = `0`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(-1), expected: None, text: "`a / b` with a = `i32::MIN`, b = `-1`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(-1), expected: None, text: "`a % b` with a = `i32::MIN`, b = `-1`" },
        Row { a: <i8>::to_word(-128), b: <i8>::to_word(-1), expected: None, text: "`a / b` with a = `-128`, b = `-1`" },
        Row { a: <u8>::to_word(9), b: <u8>::to_word(0), expected: None, text: "`a % b` with a = `9`, b = `0`" },
        Row { a: <u16>::to_word(9), b: <u16>::to_word(0), expected: None, text: "`a / b` with a = `9`, b = `0`" },
        Row { a: <i16>::to_word(-32768), b: <i16>::to_word(-1), expected: None, text: "`a % b` with a = `-32768`, b = `-1`" },
        Row { a: <u64>::to_word(9), b: <u64>::to_word(0), expected: None, text: "`a / b` with a = `9`, b = `0`" },
        Row { a: <i64>::to_word(i64::MIN), b: <i64>::to_word(-1), expected: None, text: "`a / b` with a = `i64::MIN`, b = `-1`" },
        Row { a: <u32>::to_word(9), b: <u32>::to_word(0), expected: None, text: "`a / b` with a = `9`, b = `0`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(-1), expected: Some(<i32>::to_word(i32::MIN)), text: "`a.wrapping_div(b)` with a = `i32::MIN`, b = `-1`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(-1), expected: Some(<i32>::to_word(0)), text: "`a.wrapping_rem(b)` with a = `i32::MIN`, b = `-1`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(-1), expected: Some(<bool>::to_word(true)), text: "`a.checked_div(b).is_none()` with a = `i32::MIN`, b = `-1`" },
        Row { a: <i32>::to_word(5), b: <i32>::to_word(0), expected: Some(<bool>::to_word(true)), text: "`a.checked_rem(b).is_none()` with a = `5`, b = `0`" },
        Row { a: <i32>::to_word(i32::MIN), b: <i32>::to_word(-1), expected: Some(<bool>::to_word(true)), text: "`a.overflowing_div(b).1` with a = `i32::MIN`, b = `-1`" },
        Row { a: <i32>::to_word(-7), b: <i32>::to_word(3), expected: Some(<i32>::to_word(2)), text: "`a.rem_euclid(b)` with a = `-7`, b = `3`" },
        Row { a: <i32>::to_word(-7), b: <i32>::to_word(3), expected: Some(<i32>::to_word(-3)), text: "`a.div_euclid(b)` with a = `-7`, b = `3`" },
        Row { a: <u64>::to_word(u64::MAX), b: <u64>::to_word(10), expected: Some(<u64>::to_word(1844674407370955161)), text: "`a / b` with a = `u64::MAX`, b = `10`" },
        Row { a: <i32>::to_word(-1), b: <i32>::to_word(2), expected: Some(<i32>::to_word(-4)), text: "`a << b` with a = `-1`, b = `2`" },
        Row { a: <i32>::to_word(1), b: <u32>::to_word(32), expected: Some(<i32>::to_word(1)), text: "`a << b` with a = `1`, b = `32`" },
        Row { a: <i32>::to_word(1), b: <u32>::to_word(33), expected: Some(<i32>::to_word(2)), text: "`a << b` with a = `1`, b = `33`" },
        Row { a: <i32>::to_word(1), b: <u32>::to_word(31), expected: Some(<i32>::to_word(i32::MIN)), text: "`a << b` with a = `1`, b = `31`" },
        Row { a: <u8>::to_word(1), b: <u32>::to_word(9), expected: Some(<u8>::to_word(2)), text: "`a << b` with a = `1`, b = `9`" },
        Row { a: <i8>::to_word(-128), b: <u32>::to_word(7), expected: Some(<i8>::to_word(-1)), text: "`a >> b` with a = `-128`, b = `7`" },
        Row { a: <u8>::to_word(128), b: <u32>::to_word(7), expected: Some(<u8>::to_word(1)), text: "`a >> b` with a = `128`, b = `7`" },
        Row { a: <i16>::to_word(-2), b: <u32>::to_word(17), expected: Some(<i16>::to_word(-1)), text: "`a >> b` with a = `-2`, b = `17`" },
        Row { a: <u64>::to_word(1), b: <u32>::to_word(64), expected: Some(<u64>::to_word(1)), text: "`a << b` with a = `1`, b = `64`" },
        Row { a: <u64>::to_word(1), b: <u32>::to_word(63), expected: Some(<u64>::to_word(1 << 63)), text: "`a << b` with a = `1`, b = `63`" },
        Row { a: <i64>::to_word(-8), b: <u32>::to_word(65), expected: Some(<i64>::to_word(-4)), text: "`a >> b` with a = `-8`, b = `65`" },
        Row { a: <u32>::to_word(1), b: <u32>::to_word(32), expected: Some(<bool>::to_word(true)), text: "`a.checked_shl(b).is_none()` with a = `1`, b = `32`" },
        Row { a: <u16>::to_word(0x8001), b: <u32>::to_word(1), expected: Some(<u16>::to_word(3)), text: "`a.rotate_left(b)` with a = `0x8001`, b = `1`" },
        Row { a: <u8>::to_word(0b1001_0110), b: <u32>::to_word(4), expected: Some(<u8>::to_word(0b0110_1001)), text: "`a.rotate_right(b)` with a = `0b1001_0110`, b = `4`" },
        Row { a: <u32>::to_word(0), b: <u32>::to_word(0), expected: Some(<u32>::to_word(32)), text: "`a.leading_zeros() + b` with a = `0`, b = `0`" },
        Row { a: <u8>::to_word(1), b: <u8>::to_word(0), expected: Some(<u32>::to_word(7)), text: "`a.leading_zeros() + b as u32` with a = `1`, b = `0`" },
        Row { a: <i16>::to_word(0), b: <i16>::to_word(0), expected: Some(<u32>::to_word(16)), text: "`a.trailing_zeros() + b as u32` with a = `0`, b = `0`" },
        Row { a: <u64>::to_word(0xff00), b: <u64>::to_word(0), expected: Some(<u32>::to_word(8)), text: "`a.count_ones() + b as u32` with a = `0xff00`, b = `0`" },
        Row { a: <u32>::to_word(0x0102_0304), b: <u32>::to_word(0), expected: Some(<u32>::to_word(0x0403_0201)), text: "`a.swap_bytes() | b` with a = `0x0102_0304`, b = `0`" },
        Row { a: <u8>::to_word(0b0000_0110), b: <u8>::to_word(0), expected: Some(<u8>::to_word(0b0110_0000)), text: "`a.reverse_bits() | b` with a = `0b0000_0110`, b = `0`" },
        Row { a: <u64>::to_word(1), b: <u64>::to_word(0), expected: Some(<u64>::to_word(1 << 63)), text: "`a.reverse_bits() | b` with a = `1`, b = `0`" },
        Row { a: <i8>::to_word(-1), b: <i8>::to_word(0), expected: Some(<i8>::to_word(0)), text: "`!a | b` with a = `-1`, b = `0`" },
        Row { a: <i32>::to_word(-1), b: <i32>::to_word(0), expected: Some(<u8>::to_word(255)), text: "`a as u8 + b as u8` with a = `-1`, b = `0`" },
        Row { a: <i8>::to_word(-1), b: <i8>::to_word(0), expected: Some(<u32>::to_word(u32::MAX)), text: "`a as u32 + b as u32` with a = `-1`, b = `0`" },
        Row { a: <u8>::to_word(200), b: <u8>::to_word(0), expected: Some(<i8>::to_word(-56)), text: "`a as i8 + b as i8` with a = `200`, b = `0`" },
        Row { a: <u32>::to_word(u32::MAX), b: <u32>::to_word(0), expected: Some(<i64>::to_word(4294967295)), text: "`a as i64 + b as i64` with a = `u32::MAX`, b = `0`" },
        Row { a: <i32>::to_word(-5), b: <i32>::to_word(0), expected: Some(<i64>::to_word(-5)), text: "`a as i64 + b as i64` with a = `-5`, b = `0`" },
        Row { a: <u64>::to_word(0x1_8000_0000), b: <u64>::to_word(0), expected: Some(<i32>::to_word(i32::MIN)), text: "`a as i32 + b as i32` with a = `0x1_8000_0000`, b = `0`" },
        Row { a: <i32>::to_word(-1), b: <i32>::to_word(0), expected: Some(<usize>::to_word(usize::MAX)), text: "`a as usize + b as usize` with a = `-1`, b = `0`" },
        Row { a: <f32>::to_word(3.99), b: <f32>::to_word(0.0), expected: Some(<i32>::to_word(3)), text: "`a as i32 + b as i32` with a = `3.99`, b = `0.0`" },
        Row { a: <f32>::to_word(-3.99), b: <f32>::to_word(0.0), expected: Some(<i32>::to_word(-3)), text: "`a as i32 + b as i32` with a = `-3.99`, b = `0.0`" },
        Row { a: <f32>::to_word(3e9), b: <f32>::to_word(0.0), expected: Some(<i32>::to_word(i32::MAX)), text: "`a as i32 + b as i32` with a = `3e9`, b = `0.0`" },
        Row { a: <f32>::to_word(f32::NEG_INFINITY), b: <f32>::to_word(0.0), expected: Some(<i32>::to_word(i32::MIN)), text: "`a as i32 + b as i32` with a = `f32::NEG_INFINITY`, b = `0.0`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(0.0), expected: Some(<i32>::to_word(0)), text: "`a as i32 + b as i32` with a = `f32::NAN`, b = `0.0`" },
        Row { a: <f32>::to_word(300.0), b: <f32>::to_word(0.0), expected: Some(<u8>::to_word(255)), text: "`a as u8 + b as u8` with a = `300.0`, b = `0.0`" },
        Row { a: <f32>::to_word(-1.0), b: <f32>::to_word(0.0), expected: Some(<u8>::to_word(0)), text: "`a as u8 + b as u8` with a = `-1.0`, b = `0.0`" },
        Row { a: <f32>::to_word(-200.0), b: <f32>::to_word(0.0), expected: Some(<i8>::to_word(-128)), text: "`a as i8 + b as i8` with a = `-200.0`, b = `0.0`" },
        Row { a: <f32>::to_word(4294967296.0), b: <f32>::to_word(0.0), expected: Some(<u32>::to_word(u32::MAX)), text: "`a as u32 + b as u32` with a = `4294967296.0`, b = `0.0`" },
        Row { a: <f32>::to_word(f32::INFINITY), b: <f32>::to_word(0.0), expected: Some(<u64>::to_word(u64::MAX)), text: "`a as u64 + b as u64` with a = `f32::INFINITY`, b = `0.0`" },
        Row { a: <f32>::to_word(-1e30), b: <f32>::to_word(0.0), expected: Some(<i64>::to_word(i64::MIN)), text: "`a as i64 + b as i64` with a = `-1e30`, b = `0.0`" },
        Row { a: <f32>::to_word(32768.0), b: <f32>::to_word(0.0), expected: Some(<i16>::to_word(i16::MAX)), text: "`a as i16 + b as i16` with a = `32768.0`, b = `0.0`" },
        Row { a: <i32>::to_word(16777217), b: <i32>::to_word(0), expected: Some(<f32>::to_word(16777216.0)), text: "`a as f32 + b as f32` with a = `16777217`, b = `0`" },
        Row { a: <i32>::to_word(16777219), b: <i32>::to_word(0), expected: Some(<f32>::to_word(16777220.0)), text: "`a as f32 + b as f32` with a = `16777219`, b = `0`" },
        Row { a: <u64>::to_word(u64::MAX), b: <u64>::to_word(0), expected: Some(<f32>::to_word(18446744073709551616.0)), text: "`a as f32 + b as f32` with a = `u64::MAX`, b = `0`" },
        Row { a: <i64>::to_word(i64::MIN), b: <i64>::to_word(0), expected: Some(<f32>::to_word(-9223372036854775808.0)), text: "`a as f32 + b as f32` with a = `i64::MIN`, b = `0`" },
        Row { a: <u8>::to_word(255), b: <u8>::to_word(0), expected: Some(<f32>::to_word(255.0)), text: "`a as f32 + b as f32` with a = `255`, b = `0`" },
        Row { a: <f32>::to_word(0.1), b: <f32>::to_word(0.2), expected: Some(<f32>::to_word(0.3)), text: "`a + b` with a = `0.1`, b = `0.2`" },
        Row { a: <f32>::to_word(1.0), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(f32::INFINITY)), text: "`a / b` with a = `1.0`, b = `0.0`" },
        Row { a: <f32>::to_word(0.0), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(f32::NAN)), text: "`a / b` with a = `0.0`, b = `0.0`" },
        Row { a: <f32>::to_word(5.5), b: <f32>::to_word(-2.0), expected: Some(<f32>::to_word(1.5)), text: "`a % b` with a = `5.5`, b = `-2.0`" },
        Row { a: <f32>::to_word(f32::INFINITY), b: <f32>::to_word(2.0), expected: Some(<f32>::to_word(f32::NAN)), text: "`a % b` with a = `f32::INFINITY`, b = `2.0`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(1.0), expected: Some(<f32>::to_word(1.0)), text: "`a.max(b)` with a = `f32::NAN`, b = `1.0`" },
        Row { a: <f32>::to_word(1.0), b: <f32>::to_word(f32::NAN), expected: Some(<f32>::to_word(1.0)), text: "`a.max(b)` with a = `1.0`, b = `f32::NAN`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(1.0), expected: Some(<f32>::to_word(1.0)), text: "`a.min(b)` with a = `f32::NAN`, b = `1.0`" },
        Row { a: <f32>::to_word(2.0), b: <f32>::to_word(f32::NAN), expected: Some(<f32>::to_word(2.0)), text: "`a.min(b)` with a = `2.0`, b = `f32::NAN`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(f32::NAN), expected: Some(<bool>::to_word(false)), text: "`a == b` with a = `f32::NAN`, b = `f32::NAN`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(1.0), expected: Some(<bool>::to_word(true)), text: "`a != b` with a = `f32::NAN`, b = `1.0`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(1.0), expected: Some(<bool>::to_word(false)), text: "`a < b` with a = `f32::NAN`, b = `1.0`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(1.0), expected: Some(<bool>::to_word(false)), text: "`a >= b` with a = `f32::NAN`, b = `1.0`" },
        Row { a: <f32>::to_word(-0.0), b: <f32>::to_word(0.0), expected: Some(<bool>::to_word(true)), text: "`a == b` with a = `-0.0`, b = `0.0`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(0.0), expected: Some(<bool>::to_word(true)), text: "`a.is_nan() && !b.is_nan()` with a = `f32::NAN`, b = `0.0`" },
        Row { a: <f32>::to_word(f32::NAN), b: <f32>::to_word(1.0), expected: Some(<f32>::to_word(f32::NAN)), text: "`a.clamp(0.0, b)` with a = `f32::NAN`, b = `1.0`" },
        Row { a: <f32>::to_word(9.0), b: <f32>::to_word(1.0), expected: Some(<f32>::to_word(1.0)), text: "`a.clamp(0.0, b)` with a = `9.0`, b = `1.0`" },
        Row { a: <f32>::to_word(-0.0), b: <f32>::to_word(1.0), expected: Some(<f32>::to_word(0.0)), text: "`a.copysign(b)` with a = `-0.0`, b = `1.0`" },
        Row { a: <f32>::to_word(3.0), b: <f32>::to_word(-0.0), expected: Some(<f32>::to_word(-3.0)), text: "`a.copysign(b)` with a = `3.0`, b = `-0.0`" },
        Row { a: <f32>::to_word(-0.0), b: <f32>::to_word(0.0), expected: Some(<bool>::to_word(true)), text: "`a.total_cmp(&b).is_lt()` with a = `-0.0`, b = `0.0`" },
        Row { a: <f32>::to_word(1.0), b: <f32>::to_word(0.0), expected: Some(<u32>::to_word(0x3f80_0000)), text: "`a.to_bits() | b.to_bits()` with a = `1.0`, b = `0.0`" },
        Row { a: <f32>::to_word(2.5), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(3.0)), text: "`a.round() + b` with a = `2.5`, b = `0.0`" },
        Row { a: <f32>::to_word(-2.5), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(-3.0)), text: "`a.round() + b` with a = `-2.5`, b = `0.0`" },
        Row { a: <f32>::to_word(2.5), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(2.0)), text: "`a.round_ties_even() + b` with a = `2.5`, b = `0.0`" },
        Row { a: <f32>::to_word(-1.5), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(-2.0)), text: "`a.floor() + b` with a = `-1.5`, b = `0.0`" },
        Row { a: <f32>::to_word(-1.5), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(-1.0)), text: "`a.ceil() + b` with a = `-1.5`, b = `0.0`" },
        Row { a: <f32>::to_word(-1.5), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(-1.0)), text: "`a.trunc() + b` with a = `-1.5`, b = `0.0`" },
        Row { a: <f32>::to_word(2.0), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(1.4142135)), text: "`a.sqrt() + b` with a = `2.0`, b = `0.0`" },
        Row { a: <f32>::to_word(-1.0), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(f32::NAN)), text: "`a.sqrt() + b` with a = `-1.0`, b = `0.0`" },
        Row { a: <f32>::to_word(-4.0), b: <f32>::to_word(0.0), expected: Some(<f32>::to_word(4.0)), text: "`a.abs() + b` with a = `-4.0`, b = `0.0`" },
    ]
}
