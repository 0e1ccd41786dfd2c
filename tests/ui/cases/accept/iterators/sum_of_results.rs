use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn small(value: u32) -> Result<u32, u32> {
    if value < 1000 { Ok(value) } else { Err(value) }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let sum: Result<u32, u32> = input.as_slice().iter().map(|&value| small(value)).sum();
        *out = match sum {
            Ok(sum) => sum,
            Err(large) => !large,
        };
    }
}
