use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut digits = 0;
        let mut rest = x;
        while {
            digits += 1;
            rest /= 10;
            rest != 0
        } {}
        *out = digits;
    }
}
