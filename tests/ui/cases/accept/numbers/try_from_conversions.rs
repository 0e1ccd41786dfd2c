use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i64>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let byte = u8::try_from(x).map(i32::from);
        let word = i32::try_from(x);
        let size = usize::try_from(x).is_ok();
        *out = byte.or(word).unwrap_or(i32::MIN) + i32::from(size);
    }
}
