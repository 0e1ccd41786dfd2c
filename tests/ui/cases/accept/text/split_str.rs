use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let line = "alpha=1;beta=22;gamma=333";
        let values = line.split(';').filter_map(|pair| pair.split_once('=')).map(|(key, value)| key.len() as u32 * value.len() as u32);
        *out = values.sum::<u32>() + x + line.trim_end_matches('3').len() as u32;
    }
}
