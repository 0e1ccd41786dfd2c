use metal_oxide::device::{DisjointBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>, by: u32) -> Result<(), u32> {
    let out = out.get_mut(&thread_index()).ok_or(1u32)?;
    *out = out.checked_div(by).ok_or(2u32)?;
    Ok(())
}
