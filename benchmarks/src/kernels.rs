//! The kernels that are measured.

/// Kernels that compute much and move little.
#[metal_oxide::kernels]
pub mod iterate {
    use metal_oxide::device::{DisjointBuffer, thread_index};

    /// How long a pixel's orbit stays in the Mandelbrot set.
    pub fn pixel(index: u32, side: u32) -> u32 {
        let scale = 2.5 / side as f32;
        let (re, im) = ((index % side) as f32 * scale - 2.0, (index / side) as f32 * scale - 1.25);
        let (mut x, mut y) = (0.0_f32, 0.0_f32);
        for iteration in 0..100 {
            let (xx, yy) = (x * x, y * y);
            if xx + yy > 4.0 {
                return iteration;
            }
            y = 2.0 * x * y + im;
            x = xx - yy + re;
        }
        100
    }

    /// Draws a square picture of the Mandelbrot set.
    #[kernel]
    pub fn mandelbrot(mut pixels: DisjointBuffer<u32>, side: u32) {
        let index = thread_index();
        if let Some(out) = pixels.get_mut(&index) {
            *out = pixel(index.get() as u32, side);
        }
    }
}

/// Kernels that move much and compute little.
#[metal_oxide::kernels]
pub mod stream {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    /// Adds two vectors.
    #[kernel(requires(a.len() == out.len(), b.len() == out.len()))]
    pub fn vec_add(a: ReadBuffer<f32>, b: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = a.as_slice()[index.get()] + b.as_slice()[index.get()];
        }
    }

    /// Adds a multiple of one vector to another.
    #[kernel(requires(x.len() == y.len()))]
    pub fn saxpy(a: f32, x: ReadBuffer<f32>, mut y: DisjointBuffer<f32>) {
        let index = thread_index();
        if let Some(y) = y.get_mut(&index) {
            *y += a * x.as_slice()[index.get()];
        }
    }

    /// Does nothing that takes time.
    #[kernel]
    pub fn nothing(mut out: DisjointBuffer<u32>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out = 1;
        }
    }
}
