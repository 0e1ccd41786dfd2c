use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Sensor {
    type Reading: Copy + Into<f32>;
    const SCALE: f32;
    fn read(&self) -> Self::Reading;
    fn scaled(&self) -> f32 {
        self.read().into() * Self::SCALE
    }
}

struct Thermometer(u16);
struct Switch(bool);

impl Sensor for Thermometer {
    type Reading = u16;
    const SCALE: f32 = 0.01;
    fn read(&self) -> u16 {
        self.0
    }
}

impl Sensor for Switch {
    type Reading = u8;
    const SCALE: f32 = 100.0;
    fn read(&self) -> u8 {
        self.0.into()
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Thermometer(x as u16).scaled() + Switch(x > 7).scaled();
    }
}
