use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 8]>, mut out: DisjointBuffer<[u32; 8]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut from = x;
        let mut into = [0; 8];
        for shift in (0..32).step_by(8) {
            let mut starts = [0usize; 257];
            for value in from {
                starts[(value >> shift & 255) as usize + 1] += 1;
            }
            for i in 1..257 {
                starts[i] += starts[i - 1];
            }
            for value in from {
                let place = &mut starts[(value >> shift & 255) as usize];
                into[*place] = value;
                *place += 1;
            }
            core::mem::swap(&mut from, &mut into);
        }
        *out = from;
    }
}
