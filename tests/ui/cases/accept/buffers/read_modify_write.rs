use metal_oxide::device::{DisjointBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut values: DisjointBuffer<u32>, rounds: u32) {
    let index = thread_index();
    if let Some(value) = values.get_mut(&index) {
        for _ in 0..rounds {
            *value ^= *value << 7;
            *value ^= *value >> 9;
        }
    }
}
