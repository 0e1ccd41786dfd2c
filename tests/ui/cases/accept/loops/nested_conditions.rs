use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = if x < 0 {
            if x < -100 {
                if x < -1000 { if x == i32::MIN { 1 } else { 2 } } else { 3 }
            } else if x % 2 == 0 {
                4
            } else {
                5
            }
        } else if x > 100 {
            if x > 1000 { if x == i32::MAX { 6 } else { 7 } } else { 8 }
        } else {
            9
        };
    }
}
