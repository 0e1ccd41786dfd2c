use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = [[0u32; 3]; 3];
        let [first, second, third] = &mut values;
        first[0] = x;
        second.copy_from_slice(first);
        core::mem::swap(second, third);
        third[1] = first[0] + 1;
        *out = values.iter().flatten().enumerate().map(|(i, value)| i as u32 * value).sum();
    }
}
