use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let (mut small, mut large) = (0, 0);
        let (below, above): (Count, Count) = input.as_slice().iter().map(|&value| (value < 10, value >= 10)).unzip();
        small += below.0;
        large += above.0;
        *out = small * 1000 + large;
    }
}

#[derive(Default)]
struct Count(u32);

impl Extend<bool> for Count {
    fn extend<I: IntoIterator<Item = bool>>(&mut self, items: I) {
        for item in items {
            self.0 += u32::from(item);
        }
    }
}
