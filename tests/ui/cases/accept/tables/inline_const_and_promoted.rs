use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn pick(i: u32) -> &'static [u32; 2] {
    if i % 2 == 0 { &[1, 2] } else { const { &[u32::MAX / 3, 4] } }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let [a, b] = pick(x);
        *out = a.wrapping_add(*b) + const { 7 * 6 };
    }
}
