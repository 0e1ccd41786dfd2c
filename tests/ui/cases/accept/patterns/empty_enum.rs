use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

enum Never {}

fn infallible(value: u32) -> Result<u32, Never> {
    Ok(value + 1)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let Ok(value) = infallible(x);
        *out = match infallible(value) {
            Ok(value) => value,
            Err(never) => match never {},
        };
    }
}
