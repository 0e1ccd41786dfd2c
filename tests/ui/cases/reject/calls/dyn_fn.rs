use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn apply(f: &dyn Fn(u32) -> u32, value: u32) -> u32 {
    f(value)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let first = |value: u32| value + 1;
        let second = |value: u32| value * 2;
        *out = apply(if x > 5 { &first } else { &second }, x);
    }
}
