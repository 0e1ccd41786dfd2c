use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 4]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = x;
        values.swap(0, x[0] as usize);
        let (left, right) = values.split_at(x[1] as usize);
        let mut copy = [0; 2];
        copy.copy_from_slice(left);
        *out = copy[0]
            + right.chunks(x[2] as usize).count() as u32
            + values.iter().step_by(x[3] as usize).sum::<u32>()
            + 10u32.pow(x[0]).ilog2();
    }
}
