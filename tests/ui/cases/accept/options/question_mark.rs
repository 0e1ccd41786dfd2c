use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn ratio(values: &[u32], a: usize, b: usize) -> Option<u32> {
    let a = values.get(a)?;
    let b = values.get(b)?;
    a.checked_div(*b)
}

fn parse(value: u32) -> Result<u32, u8> {
    let half = if value % 2 == 0 { Ok(value / 2) } else { Err(1u8) }?;
    if half > 100 { Err(2) } else { Ok(half) }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let a = ratio(input.as_slice(), index.get(), index.get() + 1).map_or(0, |ratio| ratio + 1);
        let b = match parse(a) {
            Ok(value) => value,
            Err(code) => u32::from(code) * 1000,
        };
        *out = a + b;
    }
}
