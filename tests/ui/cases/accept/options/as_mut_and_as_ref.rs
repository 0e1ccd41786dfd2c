use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut maybe = (x > 2).then(|| [x; 3]);
        if let Some(values) = maybe.as_mut() {
            values[1] += 1;
        }
        let sum: u32 = maybe.as_ref().map_or(0, |values| values.iter().sum());
        *out = sum + maybe.iter().len() as u32;
    }
}
