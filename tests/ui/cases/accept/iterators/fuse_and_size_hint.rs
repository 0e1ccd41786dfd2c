use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = (0..x % 6).filter(|value| value % 2 == 1).fuse();
        let (low, high) = values.size_hint();
        values.next();
        *out = low as u32 + high.map_or(100, |high| high as u32) + values.len_of_rest();
    }
}

trait Rest {
    fn len_of_rest(self) -> u32;
}

impl<I: Iterator> Rest for I {
    fn len_of_rest(self) -> u32 {
        self.fold(0, |count, _| count + 1)
    }
}
