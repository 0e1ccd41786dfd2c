use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 16]>, mut out: DisjointBuffer<[u32; 16]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut values = x;
        let mut stack = [(0, 0); 16];
        stack[0] = (0, values.len());
        let mut open = 1;
        while open > 0 {
            open -= 1;
            let (start, end) = stack[open];
            if end - start < 2 {
                continue;
            }
            let pivot = values[end - 1];
            let mut middle = start;
            for i in start..end - 1 {
                if values[i] < pivot {
                    values.swap(i, middle);
                    middle += 1;
                }
            }
            values.swap(middle, end - 1);
            stack[open] = (start, middle);
            stack[open + 1] = (middle + 1, end);
            open += 2;
        }
        *out = values;
    }
}
