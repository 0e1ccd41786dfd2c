use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let checked: Option<Result<u32, u32>> = (x > 1).then(|| x.checked_mul(x).ok_or(x));
        let value: Result<Option<u32>, u32> = checked.transpose();
        *out = value.map(|inner| inner.unwrap_or(5)).unwrap_or_else(|overflowed| !overflowed);
    }
}
