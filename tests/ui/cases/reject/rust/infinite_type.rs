use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct List {
    value: u32,
    next: Option<List>,
}

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<u32>) {
    let list = List { value: 1, next: None };
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = list.value;
    }
}
