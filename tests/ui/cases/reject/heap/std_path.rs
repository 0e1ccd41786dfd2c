use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use std::collections::HashMap;

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    let map: HashMap<u32, u32> = HashMap::new();
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = map.len() as u32;
    }
}
