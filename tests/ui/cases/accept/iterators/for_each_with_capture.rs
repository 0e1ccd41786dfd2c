use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<[u32; 4]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut bins = [0u32; 4];
        input.as_slice().iter().for_each(|value| bins[(value & 3) as usize] += 1);
        bins.iter_mut().enumerate().for_each(|(i, bin)| *bin *= i as u32);
        *out = bins;
    }
}
