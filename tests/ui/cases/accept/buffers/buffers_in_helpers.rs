use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn sample(texture: &ReadBuffer<f32>, width: usize, column: isize, row: isize) -> f32 {
    let height = texture.len() / width;
    let column = column.clamp(0, width as isize - 1) as usize;
    let row = row.clamp(0, height as isize - 1) as usize;
    texture.as_slice()[row * width + column]
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>, width: u32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let width = width as usize;
        let (column, row) = (index.get() as isize % width as isize, index.get() as isize / width as isize);
        let mut sum = 0.0;
        for dy in -1..=1 {
            for dx in -1..=1 {
                sum += sample(&input, width, column + dx, row + dy);
            }
        }
        *out = sum / 9.0;
    }
}
