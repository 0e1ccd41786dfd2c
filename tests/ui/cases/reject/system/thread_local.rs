use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

thread_local! {
    static COUNTER: core::cell::Cell<u32> = const { core::cell::Cell::new(0) };
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        COUNTER.with(|counter| counter.set(x));
        *out = 1;
    }
}
