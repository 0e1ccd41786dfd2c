use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Guard<'a>(&'a mut u32);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 += 1;
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut dropped = 0;
        for value in input.as_slice() {
            let guard = Guard(&mut dropped);
            if *value == x + 1 {
                continue;
            }
            if *value > 100 && *guard.0 > 2 {
                break;
            }
        }
        *out = dropped;
    }
}
