use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let first = values.iter().position(|&value| value == 0);
        let last = values.iter().rposition(|&value| value == 0);
        *out = match (first, last) {
            (Some(first), Some(last)) => (last - first) as i32,
            _ => -1,
        };
    }
}
