use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Error {
    Small(u32),
    Odd,
}

impl From<Error> for u32 {
    fn from(error: Error) -> u32 {
        match error {
            Error::Small(by) => by,
            Error::Odd => 1 << 16,
        }
    }
}

fn half(value: u32) -> Result<u32, Error> {
    if value < 10 {
        return Err(Error::Small(10 - value));
    }
    (value % 2 == 0).then_some(value / 2).ok_or(Error::Odd)
}

fn quarter(value: u32) -> Result<u32, u32> {
    Ok(half(half(value)?)?)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = quarter(x).unwrap_or_else(|code| code);
    }
}
