use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut values = input.as_slice().iter().peekable();
        let mut runs = 0;
        while let Some(value) = values.next() {
            while values.next_if_eq(&value).is_some() {}
            runs += 1;
            if values.peek().is_none_or(|next| **next == 0) {
                break;
            }
        }
        *out = runs;
    }
}
