use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn parse(digit: u8) -> Result<u32, u8> {
    match digit {
        b'0'..=b'9' => Ok((digit - b'0').into()),
        other => Err(other),
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let parsed = parse(x).map(|n| n + 1).and_then(|n| if n > 5 { Err(b'!') } else { Ok(n) });
        *out = parsed.map_err(u32::from).map_or_else(|error| error, |n| n * 1000);
    }
}
