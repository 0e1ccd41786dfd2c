use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let result: Result<i32, u8> = if x > 0 { Ok(x) } else { Err(3) };
        let error = result.map(|_| 1u8).or(Err(7u8)).unwrap_or(2);
        *out = x.checked_add(1).unwrap()
            + x.checked_mul(2).expect("no overflow")
            + result.unwrap()
            + i32::from(error)
            + result.expect("positive");
    }
}
