use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn evaluate(a: i32, b: i32) -> Option<i32> {
    let quotient = a.checked_div(b)?;
    let product = quotient.checked_mul(a)?.checked_add(b)?;
    product.checked_neg()?.checked_shl(b as u32 & 63)?.checked_pow(2)?.checked_abs()
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = evaluate(x, 3).or_else(|| evaluate(7, x)).unwrap_or(i32::MIN);
    }
}
