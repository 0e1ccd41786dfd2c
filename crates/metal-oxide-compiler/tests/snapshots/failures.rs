use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[track_caller]
fn at_least(value: u32, minimum: u32, what: &str) -> u32 {
    value.checked_sub(minimum).expect(what)
}

pub fn failures(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>, divisor: u32) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let [first, second, ..] = *input.as_slice() else { panic!("two values are needed, not {}", input.len()) };
        let quotient = first / divisor;
        *out = at_least(quotient, 3, "a large quotient") + at_least(second, 5, "a large value");
    }
}
