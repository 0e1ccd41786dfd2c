use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        #[derive(Clone, Copy)]
        struct Local(u32);
        impl Local {
            fn doubled(self) -> u32 {
                const FACTOR: u32 = 2;
                fn times(value: u32) -> u32 {
                    value * FACTOR
                }
                times(self.0)
            }
        }
        use core::cmp::max as larger;
        *out = larger(Local(x).doubled(), 11);
    }
}
