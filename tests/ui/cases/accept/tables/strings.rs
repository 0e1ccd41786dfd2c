use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const NAMES: &[&str] = &["zero", "one", "two", "three"];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let name = NAMES[x as usize % NAMES.len()];
        *out = name.bytes().map(u32::from).sum::<u32>() + name.find('e').map_or(0, |at| at as u32);
    }
}
