use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let large = values.iter().find(|value| **value > 100).copied().unwrap_or_default();
        let root = values.iter().find_map(|value| value.checked_isqrt().filter(|root| root * root == *value));
        *out = large + root.unwrap_or(-1);
    }
}
