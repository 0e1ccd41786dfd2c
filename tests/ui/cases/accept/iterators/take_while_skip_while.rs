use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let values = input.as_slice();
        let rising: i32 = values.iter().take_while(|&&value| value < x).sum();
        let falling: i32 = values.iter().skip_while(|&&value| value < x).copied().sum();
        *out = rising - falling;
    }
}
