use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[repr(C)]
struct Padded {
    small: u8,
    large: u64,
    middle: u16,
}

#[repr(C, packed)]
struct Packed {
    small: u8,
    large: u32,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let packed = Packed { small: 1, large: x };
        let sum = size_of::<Padded>() + align_of::<Padded>() + size_of::<Packed>() + size_of_val(&[0u16; 5]);
        *out = sum as u32 + core::mem::offset_of!(Padded, middle) as u32 + { packed.large } + u32::from(packed.small);
    }
}
