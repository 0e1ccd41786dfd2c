use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

// A loop with a state that says where to go on, as translated assembly has it.
#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut at = if x % 2 == 0 { 1 } else { 2 };
        let mut value = x;
        loop {
            match at {
                0 => break,
                1 => {
                    value = value.wrapping_sub(3);
                    at = if value > 1000 { 0 } else { 2 };
                }
                2 => {
                    value = value.wrapping_mul(5);
                    at = if value % 7 == 0 { 3 } else { 1 };
                }
                _ => {
                    value += 1;
                    at = if value % 2 == 0 { 2 } else { 0 };
                }
            }
            if value > 1 << 20 {
                break;
            }
        }
        *out = value;
    }
}
