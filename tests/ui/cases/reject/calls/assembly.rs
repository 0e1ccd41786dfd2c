use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        unsafe { core::arch::asm!("nop") };
        *out = 1;
    }
}
