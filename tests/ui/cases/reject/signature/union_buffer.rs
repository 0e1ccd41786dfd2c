use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(C)]
union Bits {
    float: f32,
    word: u32,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<Bits>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = unsafe { input.as_slice()[index.get()].word };
    }
}
