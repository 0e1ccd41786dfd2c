use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn find(grid: &[[u32; 4]; 4], wanted: u32) -> (u32, u32) {
    let mut row = 0;
    while row < 4 {
        let mut column = 0;
        loop {
            if grid[row][column] == wanted {
                return (row as u32, column as u32);
            }
            column += 1;
            if column == 4 {
                break;
            }
        }
        row += 1;
    }
    (9, 9)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[[u32; 4]; 4]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (row, column) = find(&x, 5);
        *out = row * 10 + column;
    }
}
