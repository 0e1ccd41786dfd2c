use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Priority {
    Low = -10,
    Normal,
    High = 40,
}

const ALL: [Priority; 3] = [Priority::Low, Priority::Normal, Priority::High];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = ALL[x as usize % 3] as i32 + ALL.iter().map(|priority| *priority as i32).sum::<i32>();
    }
}
