//! Draws the Mandelbrot set with smooth colours and writes a PNG.
//! Usage: `mandelbrot [WIDTH HEIGHT [FILE]]`.

use std::error::Error;
use std::time::Instant;

use metal_oxide::{Device, LaunchConfig, Operation};

#[metal_oxide::kernels]
mod fractal {
    use metal_oxide::device::{DisjointBuffer, thread_index};

    /// How often `z² + c` is applied before a point counts as inside.
    const ITERATIONS: u32 = 512;

    /// Samples along each side of a pixel.
    const SAMPLES: u32 = 2;

    /// Where colours stand on the gradient, and their red, green and blue parts.
    const GRADIENT: [(f32, [f32; 3]); 6] = [
        (0.0, [0.0, 0.03, 0.39]),
        (0.16, [0.13, 0.42, 0.80]),
        (0.42, [0.93, 1.0, 1.0]),
        (0.6425, [1.0, 0.67, 0.0]),
        (0.8575, [0.0, 0.01, 0.0]),
        (1.0, [0.0, 0.03, 0.39]),
    ];

    /// A rectangle of the complex plane, seen through a raster of pixels.
    #[derive(Clone, Copy)]
    #[repr(C)]
    struct View {
        left: f32,
        top: f32,
        step: f32,
    }

    /// Colours one pixel a thread. Pixels are `0xAABBGGRR`, row after row of `width`; `left` and `top` are the upper left corner in the
    /// complex plane and `step` is the distance between two pixels.
    #[kernel]
    pub fn mandelbrot(mut pixels: DisjointBuffer<u32>, width: u32, left: f32, top: f32, step: f32) {
        let index = thread_index();
        if let Some(pixel) = pixels.get_mut(&index) {
            let (x, y) = (index.get() as u32 % width, index.get() as u32 / width);
            let view = View { left, top, step };
            let mut sum = [0.0_f32; 3];
            for sample in 0..SAMPLES * SAMPLES {
                let dx = (sample % SAMPLES) as f32 / SAMPLES as f32;
                let dy = (sample / SAMPLES) as f32 / SAMPLES as f32;
                let color = match escape_time(view.left + (x as f32 + dx) * view.step, view.top - (y as f32 + dy) * view.step) {
                    Some(time) => color(time),
                    None => [0.0; 3],
                };
                for (sum, channel) in sum.iter_mut().zip(color) {
                    *sum += channel / (SAMPLES * SAMPLES) as f32;
                }
            }
            *pixel = pack(sum);
        }
    }

    /// When the orbit of a point leaves the set, with a fraction that makes neighbours differ smoothly; `None` if it stays.
    fn escape_time(re: f32, im: f32) -> Option<f32> {
        let (mut x, mut y) = (0.0_f32, 0.0_f32);
        for iteration in 0..ITERATIONS {
            let (xx, yy) = (x * x, y * y);
            if xx + yy > 65536.0 {
                return Some(iteration as f32 + 4.0 - log2(log2(xx + yy)));
            }
            y = 2.0 * x * y + im;
            x = xx - yy + re;
        }
        None
    }

    /// The colour of an escape time: the gradient is run through more slowly the longer it takes.
    fn color(time: f32) -> [f32; 3] {
        let position = log2(time.max(0.0) + 1.0) * 0.45;
        let position = position - position as u32 as f32;
        let mut next = 1;
        while next < GRADIENT.len() - 1 && GRADIENT[next].0 < position {
            next += 1;
        }
        let (from, a) = GRADIENT[next - 1];
        let (to, b) = GRADIENT[next];
        let t = (position - from) / (to - from);
        [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
    }

    /// The logarithm to base 2 of a positive number, to about three digits: the exponent, and a parabola through the mantissa.
    fn log2(x: f32) -> f32 {
        let bits = x.to_bits();
        let exponent = (bits >> 23) as i32 - 127;
        let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
        exponent as f32 + (2.0 - mantissa / 3.0) * mantissa - 5.0 / 3.0
    }

    /// A colour as `0xAABBGGRR`.
    fn pack(color: [f32; 3]) -> u32 {
        let byte = |channel: f32| (channel * 255.0 + 0.5) as u8 as u32;
        0xff00_0000 | byte(color[2]) << 16 | byte(color[1]) << 8 | byte(color[0])
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (width, height) = match arguments.as_slice() {
        [] => (1920, 1080),
        [width, height, ..] => (width.parse()?, height.parse()?),
        _ => return Err("usage: mandelbrot [WIDTH HEIGHT [FILE]]".into()),
    };
    let file = arguments.get(2).map_or("mandelbrot.png", String::as_str);
    let pixel_count = usize::try_from(u64::from(width) * u64::from(height))?;

    let device = Device::system_default()?;
    let mut pixels = device.buffer_zeroed::<u32>(pixel_count)?;
    let config = LaunchConfig::<256>::for_elements(pixel_count)?;
    let step = 2.5 / height as f32;
    let (left, top) = (-0.75 - step * width as f32 / 2.0, 1.25);

    let start = Instant::now();
    fractal::mandelbrot(&device, config, &mut pixels, width, left, top, step).wait()?;
    let elapsed = start.elapsed();

    let bytes: Vec<u8> = pixels.read().wait().iter().flat_map(|pixel| pixel.to_le_bytes()).collect();
    image::save_buffer(file, &bytes, width, height, image::ColorType::Rgba8)?;
    println!("{width}×{height} pixels on {} in {:.1} ms; wrote {file}", device.name(), elapsed.as_secs_f64() * 1e3);
    Ok(())
}
