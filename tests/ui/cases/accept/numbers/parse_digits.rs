use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn parse(text: &[u8]) -> Result<i32, usize> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut value = 0i32;
    for (i, byte) in digits.iter().enumerate() {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10).ok_or(i)?;
        value = value.checked_mul(10).and_then(|value| value.checked_add(digit.into())).ok_or(i)?;
    }
    Ok(if negative { -value } else { value })
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = parse(input.as_slice()).unwrap_or_else(|at| -(at as i32)) + parse(b"-1203").unwrap_or(0);
    }
}
