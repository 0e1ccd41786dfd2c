use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

static DEFAULTS: [u32; 4] = [1, 2, 3, 4];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let values = input.as_slice();
        let chosen = if values.len() > 4 { values } else { &DEFAULTS[..] };
        *out = chosen[index.get() % 4];
    }
}
