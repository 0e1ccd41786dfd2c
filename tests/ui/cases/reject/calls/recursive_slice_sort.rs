use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn quick_sort(values: &mut [u32]) {
    if values.len() < 2 {
        return;
    }
    let last = values.len() - 1;
    let mut middle = 0;
    for i in 0..last {
        if values[i] < values[last] {
            values.swap(i, middle);
            middle += 1;
        }
    }
    values.swap(middle, last);
    let (left, right) = values.split_at_mut(middle);
    quick_sort(left);
    quick_sort(&mut right[1..]);
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 8]>, mut out: DisjointBuffer<[u32; 8]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x;
        quick_sort(out);
    }
}
