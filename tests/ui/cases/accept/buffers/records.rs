use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(C)]
struct Particle {
    position: [f32; 3],
    mass: f32,
    alive: u32,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<Particle>, mut out: DisjointBuffer<Particle>, gravity: [f32; 3], seconds: f32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut particle = x;
        if particle.alive != 0 {
            for (axis, pull) in particle.position.iter_mut().zip(gravity) {
                *axis += pull * seconds * seconds * 0.5;
            }
            particle.mass *= 0.99;
        }
        *out = particle;
    }
}
