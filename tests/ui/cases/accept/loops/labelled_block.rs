use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let score = 'decide: {
            if x < 10 {
                break 'decide 1;
            }
            for divisor in 2..10 {
                if x % divisor == 0 {
                    break 'decide divisor * 10;
                }
            }
            x
        };
        *out = score;
    }
}
