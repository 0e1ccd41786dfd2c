use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn spread(value: u64) -> u64 {
    let value = (value | value << 16) & 0x0000_ffff_0000_ffff;
    let value = (value | value << 8) & 0x00ff_00ff_00ff_00ff;
    let value = (value | value << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let value = (value | value << 2) & 0x3333_3333_3333_3333;
    (value | value << 1) & 0x5555_5555_5555_5555
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 2]>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let [column, row] = x.map(u64::from);
        *out = spread(column) | spread(row) << 1;
    }
}
