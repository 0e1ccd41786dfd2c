use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut stack = [0u32; 16];
        let mut top = 0;
        stack[top] = x;
        let mut leaves = 0;
        while let Some(value) = stack.get(top).copied() {
            if value > 1 && top < 15 {
                stack[top] = value / 2;
                top += 1;
                stack[top] = value / 3;
            } else {
                leaves += 1;
                if top == 0 {
                    break;
                }
                top -= 1;
            }
        }
        *out = leaves;
    }
}
