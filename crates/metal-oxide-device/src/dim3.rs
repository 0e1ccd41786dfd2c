//! A position or an extent in three dimensions.

/// Three coordinates or extents, as CUDA's `dim3`. Extents count from one, positions from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Dim3 {
    /// The axis along which neighbouring threads lie.
    pub x: u32,
    /// The second axis.
    pub y: u32,
    /// The third axis.
    pub z: u32,
}

impl Dim3 {
    /// The value with the given components.
    #[inline]
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }
}

impl From<u32> for Dim3 {
    /// An extent along `x`; the other extents are one.
    #[inline]
    fn from(x: u32) -> Self {
        Self::new(x, 1, 1)
    }
}

impl From<(u32, u32)> for Dim3 {
    /// An extent in `x` and `y`; the third extent is one.
    #[inline]
    fn from((x, y): (u32, u32)) -> Self {
        Self::new(x, y, 1)
    }
}

impl From<(u32, u32, u32)> for Dim3 {
    #[inline]
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self::new(x, y, z)
    }
}

impl From<[u32; 3]> for Dim3 {
    #[inline]
    fn from([x, y, z]: [u32; 3]) -> Self {
        Self::new(x, y, z)
    }
}

impl From<Dim3> for [u32; 3] {
    #[inline]
    fn from(value: Dim3) -> Self {
        [value.x, value.y, value.z]
    }
}
