use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, Default)]
struct Branch {
    children: [Option<core::num::NonZero<u8>>; 2],
    ends: bool,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut nodes = [Branch::default(); 32];
        let mut length = 1u8;
        for word in input.as_slice().iter().take(3) {
            let mut at = 0;
            for bit in 0..8 {
                let side = usize::from(word >> bit & 1);
                at = match nodes[at].children[side] {
                    Some(child) => child.get() as usize,
                    None => {
                        nodes[at].children[side] = core::num::NonZero::new(length);
                        length += 1;
                        length as usize - 1
                    }
                };
            }
            nodes[at].ends = true;
        }
        *out = nodes.iter().filter(|node| node.ends).count() as u32;
    }
}
