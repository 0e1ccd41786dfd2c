use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn multiply_mod(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u64>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = multiply_mod(x, 3, 1_000_000_007);
    }
}
