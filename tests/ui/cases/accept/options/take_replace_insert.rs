use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut slot = None;
        let first = *slot.get_or_insert(x);
        let old = slot.replace(first + 1);
        let taken = slot.take_if(|value| *value > 3);
        *slot.get_or_insert_with(|| 9) += 1;
        *out = old.unwrap_or(0) + taken.unwrap_or(100) + slot.take().unwrap_or(1000);
    }
}
