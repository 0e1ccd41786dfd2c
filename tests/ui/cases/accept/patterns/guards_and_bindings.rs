use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = match x {
            0 => 1,
            n @ 1..=9 => n * 2,
            n if n % 10 == 0 => n / 10,
            n @ (11 | 22 | 33 | 44) => n + 5,
            100.. => 100,
            _ => 3,
        };
    }
}
