use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(a: ReadBuffer<i8>, b: ReadBuffer<u16>, c: ReadBuffer<i64>, mut out: DisjointBuffer<i16>) {
    let index = thread_index();
    let i = index.get();
    if let Some(out) = out.get_mut(&index) {
        let wide = c.as_slice()[i] >> 48;
        *out = i16::from(a.as_slice()[i]).wrapping_add(b.as_slice()[i] as i16) ^ wide as i16;
    }
}
