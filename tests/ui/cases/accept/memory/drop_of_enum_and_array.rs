use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cell::Cell;

struct Counted<'a>(&'a Cell<u32>);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

enum Holder<'a> {
    One(Counted<'a>),
    Two([Counted<'a>; 2]),
    Empty,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let count = Cell::new(0);
        let holder = match x % 3 {
            0 => Holder::One(Counted(&count)),
            1 => Holder::Two([Counted(&count), Counted(&count)]),
            _ => Holder::Empty,
        };
        let kept = match holder {
            Holder::Two([first, _]) => Some(first),
            _ => None,
        };
        *out = count.get() * 10 + u32::from(kept.is_some());
    }
}
