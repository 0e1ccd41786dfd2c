use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::any::{TypeId, type_name};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = type_name::<u32>().len() as u32 + u32::from(TypeId::of::<u32>() == TypeId::of::<f32>()) + x;
    }
}
