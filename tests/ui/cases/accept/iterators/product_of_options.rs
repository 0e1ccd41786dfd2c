use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let product: Option<i32> = input.as_slice().iter().take(4).map(|&value| (value != 0).then_some(value)).product();
        *out = product.unwrap_or(0);
    }
}
