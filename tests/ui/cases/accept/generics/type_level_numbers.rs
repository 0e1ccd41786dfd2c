use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::marker::PhantomData;

trait Natural {
    const VALUE: u32;
}

struct Zero;
struct Next<N>(PhantomData<N>);

impl Natural for Zero {
    const VALUE: u32 = 0;
}

impl<N: Natural> Natural for Next<N> {
    const VALUE: u32 = N::VALUE + 1;
}

type Four = Next<Next<Next<Next<Zero>>>>;

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = x * <Four as Natural>::VALUE + Next::<Four>::VALUE;
    }
}
