use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(PartialEq, Eq, Clone, Copy)]
#[repr(u8)]
enum Cell {
    Dead = 0,
    Alive = 1,
    Wall = 7,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let cell = if x > 3 {
            Cell::Alive
        } else if x == 2 {
            Cell::Wall
        } else {
            Cell::Dead
        };
        *out = match (matches!(cell, Cell::Alive | Cell::Wall), cell == Cell::Wall) {
            (true, true) => cell as u32,
            (true, false) => 2,
            (false, _) => 0,
        };
    }
}
