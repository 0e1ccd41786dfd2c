use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let unit: &[()] = &[(); 10];
        *out = unit.iter().count() as u32 + unit.chunks(3).count() as u32 + unit.split_at(x as usize % 10).0.len() as u32;
    }
}
