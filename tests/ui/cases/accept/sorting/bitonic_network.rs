use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 8]>, mut out: DisjointBuffer<[u32; 8]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = x;
        let mut size = 2;
        while size <= 8 {
            let mut stride = size / 2;
            while stride > 0 {
                for i in 0..8usize {
                    let partner = i ^ stride;
                    if partner > i && (values[i] > values[partner]) == (i & size == 0) {
                        values.swap(i, partner);
                    }
                }
                stride /= 2;
            }
            size *= 2;
        }
        *out = values;
    }
}
