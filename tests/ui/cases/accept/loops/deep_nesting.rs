use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut count = 0;
        'a: for a in 0..x % 4 {
            'b: for b in a..4 {
                for c in b..5 {
                    'd: for d in c..6 {
                        for e in d..7 {
                            match (a + b + c + d + e) % 11 {
                                0 => continue 'a,
                                1 => continue 'b,
                                2 => break 'd,
                                3 if e == 6 => break 'a,
                                _ => count += e,
                            }
                        }
                    }
                }
            }
        }
        *out = count;
    }
}
