use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let a = Some(x).filter(|value| value % 2 == 0).xor(None).or_else(|| x.checked_sub(1));
        let b = a.zip(x.checked_add(1)).map(|(a, b)| a ^ b);
        *out = b.is_some_and(|value| value > 4) as u32 + a.map_or(0, |value| value / 2) + b.unwrap_or_default();
    }
}
