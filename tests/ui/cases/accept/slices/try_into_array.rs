use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        *out = match <&[u32; 3]>::try_from(values) {
            Ok([a, b, c]) => a + b + c,
            Err(_) => values.len() as u32,
        };
    }
}
