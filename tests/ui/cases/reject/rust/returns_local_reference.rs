use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn make<'a>(value: u32) -> &'a [u32] {
    let values = [value; 4];
    &values
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = make(x)[0];
    }
}
