use metal_oxide::device::{ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(values: ReadBuffer<u32>) {
    let index = thread_index();
    values.as_slice()[index.get()] = 7;
}
