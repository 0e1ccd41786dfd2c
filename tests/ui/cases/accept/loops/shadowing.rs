use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let value = x;
        let value = value as f32 * 0.5;
        let value = {
            let value = value.trunc();
            value + 1.0
        };
        let mut total = 0;
        for value in 0..value as u32 % 10 {
            let value = value * value;
            total += value;
        }
        *out = total;
    }
}
