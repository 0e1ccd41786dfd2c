use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut count = 0;
        let mut largest = 0;
        let mut record = |value: u32| {
            count += 1;
            largest = largest.max(value);
        };
        record(x);
        record(x / 2);
        input.as_slice().iter().copied().for_each(&mut record);
        *out = largest * 100 + count;
    }
}
