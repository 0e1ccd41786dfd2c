use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Pcg {
    state: u64,
    increment: u64,
}

impl Pcg {
    fn new(seed: u64, stream: u64) -> Self {
        let mut generator = Self { state: seed, increment: stream << 1 | 1 };
        generator.next();
        generator
    }
    fn next(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(self.increment);
        (((old >> 18) ^ old) >> 27) as u32 >> 0 ^ ((old >> 59) as u32).rotate_left(3)
    }
    fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 * (1.0 / 16_777_216.0)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut random = Pcg::new(x.into(), index.get() as u64);
        let inside = (0..32).filter(|_| random.unit().powi(2) + random.unit().powi(2) < 1.0).count();
        *out = inside as f32 / 8.0;
    }
}
