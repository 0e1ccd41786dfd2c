use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

macro_rules! polynomial {
    ($x:expr; $($coefficient:expr),+ $(,)?) => {{
        let at = $x;
        let mut value = 0.0;
        $(value = value * at + $coefficient;)+
        value
    }};
}

macro_rules! largest {
    ($only:expr) => { $only };
    ($first:expr, $($rest:expr),+) => { f32::max($first, largest!($($rest),+)) };
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = polynomial!(x; 1.0, -2.0, 0.5) + largest!(x, 1.0, x * x, 0.25);
    }
}
