use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn add(a: u32, b: u32) -> u32 {
    a + b
}

fn multiply(a: u32, b: u32) -> u32 {
    a * b
}

static OPERATIONS: [fn(u32, u32) -> u32; 2] = [add, multiply];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = OPERATIONS[x as usize % 2](x, 3);
    }
}
