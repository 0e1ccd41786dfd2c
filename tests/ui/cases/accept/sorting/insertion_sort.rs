use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn sort<T: PartialOrd + Copy>(values: &mut [T]) {
    for i in 1..values.len() {
        let value = values[i];
        let mut at = i;
        while at > 0 && values[at - 1] > value {
            values[at] = values[at - 1];
            at -= 1;
        }
        values[at] = value;
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[f32; 7]>, mut out: DisjointBuffer<[f32; 7]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x;
        sort(out);
    }
}
