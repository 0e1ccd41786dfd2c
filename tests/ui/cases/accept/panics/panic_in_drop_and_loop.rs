use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Check(u32);

impl Drop for Check {
    fn drop(&mut self) {
        assert!(self.0 < 1000, "too large at the end");
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        for i in 0..x % 8 {
            let mut check = Check(i);
            check.0 += input.as_slice()[i as usize];
            *out = check.0;
        }
    }
}
