use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn store(into: &mut [u32; 2], value: u32) {
    let [low, high] = into;
    *low = value & 0xffff;
    *high = value >> 16;
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<[u32; 2]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        store(out, x);
        out.swap(0, 1);
    }
}
