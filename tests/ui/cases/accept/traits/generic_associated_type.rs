use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Container {
    type Item<'a>: Copy
    where
        Self: 'a;
    fn first<'a>(&'a self) -> Option<Self::Item<'a>>;
}

impl<T> Container for [T] {
    type Item<'a>
        = &'a T
    where
        T: 'a;
    fn first<'a>(&'a self) -> Option<&'a T> {
        self.get(0)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = Container::first(input.as_slice()).copied().unwrap_or(0);
    }
}
