use metal_oxide::device::{DisjointBuffer, thread_index};

pub fn area(mut cells: DisjointBuffer<u32>, width: usize, height: usize) {
    let index = thread_index();
    if index.get() < width * height
        && let Some(cell) = cells.get_mut(&index)
    {
        *cell = 1;
    }
}
