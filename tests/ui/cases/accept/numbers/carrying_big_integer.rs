use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn add(a: [u32; 4], b: [u32; 4]) -> ([u32; 4], bool) {
    let mut carry = false;
    let sum = core::array::from_fn(|i| {
        let (partial, first) = a[i].overflowing_add(b[i]);
        let (total, second) = partial.overflowing_add(carry.into());
        carry = first | second;
        total
    });
    (sum, carry)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 4]>, mut out: DisjointBuffer<[u32; 4]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (sum, carry) = add(x, [u32::MAX, 1, 0, 7]);
        *out = sum;
        out[3] ^= u32::from(carry);
    }
}
