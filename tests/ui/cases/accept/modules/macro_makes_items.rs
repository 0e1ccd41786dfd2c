use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

macro_rules! units {
    ($($name:ident = $factor:literal),*) => {
        #[derive(Clone, Copy)]
        enum Unit { $($name),* }
        impl Unit {
            const ALL: &[Unit] = &[$(Unit::$name),*];
            fn factor(self) -> f32 {
                match self { $(Unit::$name => $factor),* }
            }
        }
    };
}

units!(Millimeter = 0.001, Meter = 1.0, Kilometer = 1000.0);

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Unit::ALL.iter().map(|unit| unit.factor() * x).sum();
    }
}
