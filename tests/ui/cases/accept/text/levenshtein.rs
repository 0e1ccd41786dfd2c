use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn distance(a: &str, b: &[u8]) -> usize {
    let mut row: [usize; 16] = core::array::from_fn(|i| i);
    for (i, left) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let cost = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u8; 8]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = distance("kitten", &x) as u32;
    }
}
