use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn digit(byte: u8) -> Option<u32> {
    (byte as char).to_digit(16)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let Some(value) = digit(x) else {
            *out = u32::MAX;
            return;
        };
        *out = value;
    }
}
