use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

const OFFSETS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u8>, width: u32, height: u32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (column, row) = (index.get() as i32 % width as i32, index.get() as i32 / width as i32);
        let alive = |(dx, dy): &&(i32, i32)| {
            let (column, row) = (column + dx, row + dy);
            let inside = (0..width as i32).contains(&column) && (0..height as i32).contains(&row);
            inside && input.as_slice()[(row * width as i32 + column) as usize] != 0
        };
        let neighbours = OFFSETS.iter().filter(alive).count();
        *out = u8::from(neighbours == 3 || neighbours == 2 && x != 0);
    }
}
