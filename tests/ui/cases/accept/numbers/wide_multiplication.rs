use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

// A product of 128 bits of which only the halves are wanted.
#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u64>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let product = u128::from(x) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        *out = (product >> 64) as u64 ^ product as u64;
    }
}
