use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::num::FpCategory;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let class = match x.classify() {
            FpCategory::Nan => 0,
            FpCategory::Infinite => 1,
            FpCategory::Zero => 2,
            FpCategory::Subnormal => 3,
            FpCategory::Normal => 4,
        };
        *out = class * 16 + u32::from(x.is_sign_negative()) * 8 + u32::from(x.is_finite()) * 4 + u32::from(x.is_normal());
    }
}
