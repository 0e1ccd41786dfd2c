use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut up = 0..x;
        let mut down = (0..x).rev();
        let values: &mut dyn Iterator<Item = u32> = if x % 2 == 0 { &mut up } else { &mut down };
        *out = values.next().unwrap_or(0);
    }
}
