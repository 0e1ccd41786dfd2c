use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

static mut COUNTER: u32 = 0;

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        unsafe {
            COUNTER += 1;
            *out = COUNTER;
        }
    }
}
