use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Planet {
    name: &'static str,
    mass: f32,
    moons: u32,
}

static PLANETS: [Planet; 3] = [
    Planet { name: "Earth", mass: 1.0, moons: 1 },
    Planet { name: "Mars", mass: 0.107, moons: 2 },
    Planet { name: "Jupiter", mass: 317.8, moons: 95 },
];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let planet = &PLANETS[x as usize % PLANETS.len()];
        *out = planet.mass * planet.moons as f32 + planet.name.len() as f32;
    }
}
