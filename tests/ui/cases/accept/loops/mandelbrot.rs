use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 2]>, mut out: DisjointBuffer<u32>, limit: u32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let [cx, cy] = x;
        let (mut zx, mut zy) = (0.0, 0.0);
        let mut count = 0;
        while zx * zx + zy * zy <= 4.0 && count < limit {
            (zx, zy) = (zx * zx - zy * zy + cx, 2.0 * zx * zy + cy);
            count += 1;
        }
        *out = count;
    }
}
