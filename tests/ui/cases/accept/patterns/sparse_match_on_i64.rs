use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i64>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = match x {
            i64::MIN => -4,
            -1_000_000_000_000 => -3,
            -1 => -2,
            0 => 0,
            1_000_000_000_000..=2_000_000_000_000 => 3,
            i64::MAX => 4,
            _ => 1,
        };
    }
}
