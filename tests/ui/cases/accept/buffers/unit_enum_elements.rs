use metal_oxide::device::{DisjointBuffer, thread_index};

#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Cell {
    Empty,
    Sand,
}

#[metal_oxide::kernel]
fn kernel(count: u32, mut cells: DisjointBuffer<u8>) {
    let index = thread_index();
    if let Some(cell) = cells.get_mut(&index) {
        let kind = if index.get() as u32 % count == 0 { Cell::Sand } else { Cell::Empty };
        *cell = kind as u8;
    }
}
