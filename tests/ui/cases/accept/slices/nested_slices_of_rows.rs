use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn at(rows: &[[f32; 3]], row: usize, column: usize) -> Option<&f32> {
    rows.get(row).and_then(|row| row.get(column))
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 3]>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = at(input.as_slice(), index.get(), 2).or(at(input.as_slice(), 0, 9)).copied().unwrap_or(-1.0);
    }
}
