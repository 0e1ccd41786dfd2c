use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use std::sync::Mutex;

static TOTAL: Mutex<u32> = Mutex::new(0);

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *TOTAL.lock().unwrap() += x;
        *out = 0;
    }
}
