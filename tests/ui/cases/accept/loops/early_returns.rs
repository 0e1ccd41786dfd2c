use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn classify(value: u32, table: &[u32]) -> u32 {
    if table.is_empty() {
        return 0;
    }
    for (i, entry) in table.iter().enumerate() {
        if *entry == value {
            return i as u32;
        }
        while *entry > value {
            if entry % 2 == 0 {
                return 1000;
            }
            break;
        }
    }
    u32::MAX
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = classify(x, input.as_slice()) ^ classify(3, &[]);
    }
}
