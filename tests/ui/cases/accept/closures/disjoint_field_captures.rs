use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Particle {
    position: [f32; 2],
    velocity: [f32; 2],
    age: u32,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut particle = Particle { position: [x, 0.0], velocity: [1.0, -x], age: 0 };
        let mut step = || {
            for (position, velocity) in particle.position.iter_mut().zip(particle.velocity) {
                *position += velocity * 0.1;
            }
        };
        step();
        particle.age += 1;
        *out = particle.position[0] + particle.position[1] + particle.age as f32;
    }
}
