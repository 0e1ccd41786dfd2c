use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn fail(code: u32) -> ! {
    if code == 0 {
        panic!("zero");
    }
    panic!("code {code}")
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let value: u32 = if x > 100 { fail(x) } else { x };
        *out = match value.checked_sub(5) {
            Some(rest) => rest,
            None => fail(0),
        };
    }
}
