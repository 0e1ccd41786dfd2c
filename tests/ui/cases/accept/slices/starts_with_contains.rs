use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let values = input.as_slice();
        *out = u32::from(values.starts_with(&[1, 2])) | u32::from(values.contains(&x)) << 1 | u32::from(values.ends_with(&[0])) << 2;
    }
}
