use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Fixed(i32);

impl Fixed {
    const ONE: Self = Self(1 << 16);
    fn from_f32(value: f32) -> Self {
        Self((value * 65536.0) as i32)
    }
}

impl core::ops::Mul for Fixed {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self((i64::from(self.0) * i64::from(other.0) >> 16) as i32)
    }
}

impl core::ops::Div for Fixed {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self(((i64::from(self.0) << 16) / i64::from(other.0)) as i32)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let value = Fixed::from_f32(x);
        *out = if value > Fixed::ONE { (value * value).0 } else { (Fixed::ONE / Fixed(value.0 | 1)).0 };
    }
}
