use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (a, b) = if x % 2 == 0 { ("apple", "banana") } else { ("apple", "apples") };
        *out = a.cmp(b) as u32 + u32::from(b.starts_with(a)) + u32::from(a.eq_ignore_ascii_case("APPLE")) + a.as_bytes()[0] as u32;
    }
}
