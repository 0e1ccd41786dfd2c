use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let pair = (x.checked_sub(5), x.checked_rem(3));
        *out = match pair {
            (Some(a), Some(0 | 1)) | (Some(a), None) => a,
            (Some(1..=5 | 10..=20), _) => 2,
            (None, Some(b)) | (_, Some(b)) => b,
            (None, None) => -1,
        };
    }
}
