use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Pair {
    left: u32,
    right: u32,
}

fn order(pair: &mut Pair) {
    let Pair { left, right } = pair;
    if left > right {
        core::mem::swap(left, right);
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut pair = Pair { left: x, right: 10 };
        order(&mut pair);
        let &Pair { ref left, right } = &pair;
        *out = right - *left;
    }
}
