use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

fn größe(länge: f32, breite: f32) -> f32 {
    länge * breite
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let π = core::f32::consts::PI;
        let δ = größe(x, π);
        *out = δ;
    }
}
