use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn apply_to_all<F>(values: &[u32], f: F) -> u32
where
    F: for<'a> Fn(&'a u32, &'a [u32]) -> Option<&'a u32>,
{
    values.iter().filter_map(|value| f(value, values)).sum()
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = apply_to_all(input.as_slice(), |value, all| all.get(*value as usize));
    }
}
