use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let local = index.get() as u32 * 3;
        let mut largest = &local;
        for value in input.as_slice() {
            if value > largest {
                largest = value;
            }
        }
        *out = *largest;
    }
}
