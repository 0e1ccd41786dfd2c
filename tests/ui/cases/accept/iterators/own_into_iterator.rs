use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
struct Grid {
    width: u32,
    height: u32,
}

impl IntoIterator for Grid {
    type Item = u32;
    type IntoIter = core::ops::Range<u32>;
    fn into_iter(self) -> Self::IntoIter {
        0..self.width * self.height
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let grid = Grid { width: x % 5, height: 3 };
        let mut sum = 0;
        for cell in grid {
            sum += cell % grid.width;
        }
        *out = sum;
    }
}
