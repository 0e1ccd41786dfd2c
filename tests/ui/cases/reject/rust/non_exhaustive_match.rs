use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Light {
    Red,
    Amber,
    Green,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let light = [Light::Red, Light::Amber, Light::Green][x as usize % 3];
        *out = match light {
            Light::Red => 1,
            Light::Green => 2,
        };
    }
}
