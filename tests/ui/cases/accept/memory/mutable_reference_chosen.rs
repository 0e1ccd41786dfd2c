use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (mut left, mut right) = (x, 100);
        for step in 0..6 {
            let smaller = if left < right { &mut left } else { &mut right };
            *smaller += step * 7;
        }
        *out = left * 1000 + right;
    }
}
