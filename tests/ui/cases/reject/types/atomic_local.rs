use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::sync::atomic::{AtomicU32, Ordering};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let counter = AtomicU32::new(x);
        counter.fetch_max(7, Ordering::Relaxed);
        *out = counter.load(Ordering::SeqCst);
    }
}
