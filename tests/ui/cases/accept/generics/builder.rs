use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, Default)]
struct Settings {
    scale: Option<f32>,
    offset: Option<f32>,
    rounds: u32,
}

impl Settings {
    fn scale(mut self, scale: f32) -> Self {
        self.scale = Some(scale);
        self
    }
    fn offset(self, offset: f32) -> Self {
        Self { offset: Some(offset), ..self }
    }
    fn rounds(&mut self, rounds: u32) -> &mut Self {
        self.rounds = rounds;
        self
    }
    fn apply(&self, value: f32) -> f32 {
        (0..self.rounds).fold(value, |value, _| value * self.scale.unwrap_or(1.0) + self.offset.unwrap_or(0.0))
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut settings = Settings::default().scale(0.5).offset(x);
        *out = settings.rounds(3).apply(x);
    }
}
