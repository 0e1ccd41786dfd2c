use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    key: u32,
    weight: f32,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[Entry; 4]>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut entries = x;
        entries.sort_unstable_by_key(|entry| (entry.key % 3, entry.key));
        *out = entries.iter().enumerate().map(|(i, entry)| i as f32 * entry.weight).sum();
    }
}
