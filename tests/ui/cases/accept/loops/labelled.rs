use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>, n: u32) {
    if let Some(out) = out.get_mut(&thread_index()) {
        let mut count = 0;
        'rows: for row in 0..n {
            for column in 0..n {
                if row * column > 50 {
                    break 'rows;
                }
                if column > row {
                    continue 'rows;
                }
                count += 1;
            }
        }
        *out = count;
    }
}
