use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn twice(value: u32) -> Option<Option<u32>> {
    match value {
        0 => None,
        1 => Some(None),
        n => Some(Some(n)),
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = match twice(x % 4) {
            None => 10,
            Some(None) => 20,
            Some(Some(n @ 2)) => n * 100,
            Some(Some(n)) => n,
        };
    }
}
