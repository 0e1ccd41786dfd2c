use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::fmt::Write;

struct Sink(u32);

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0 += text.len() as u32;
        Ok(())
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut sink = Sink(0);
        write!(sink, "{x}").unwrap();
        *out = sink.0;
    }
}
