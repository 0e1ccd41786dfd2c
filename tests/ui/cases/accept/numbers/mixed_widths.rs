use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i16>, mut out: DisjointBuffer<i64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let wide = i64::from(x) << 40;
        let size = (x as isize).unsigned_abs() + usize::from(x as u8);
        let narrow = (wide >> 37) as i8;
        *out = wide + size as i64 - i64::from(narrow) + (x as u16 as u64 as i64);
    }
}
