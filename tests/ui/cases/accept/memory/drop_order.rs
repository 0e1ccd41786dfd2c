use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cell::Cell;

struct Note<'a>(&'a Cell<u32>, u32);

impl Drop for Note<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() * 10 + self.1);
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let log = Cell::new(0);
        {
            let _first = Note(&log, 1);
            let _ = Note(&log, 2);
            let third = Note(&log, 3);
            if x > 5 {
                drop(third);
            }
            let _fourth = Note(&log, 4);
        }
        *out = log.get();
    }
}
