//! Blurs an image with a separable Gaussian.
//! Usage: `blur IMAGE [SIGMA [FILE]]`, where `IMAGE` is a PNG or JPEG.

use std::error::Error;
use std::time::Instant;

use metal_oxide::{Device, LaunchConfig, Operation};

#[metal_oxide::kernels]
mod gaussian {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    /// Blurs along the rows of an image of `width` columns; pixels beyond the border repeat the last one inside.
    #[kernel(requires(width * height == input.len(), input.len() == output.len()))]
    pub fn blur_rows(input: ReadBuffer<[f32; 4]>, weights: ReadBuffer<f32>, width: u32, height: u32, mut output: DisjointBuffer<[f32; 4]>) {
        let index = thread_index();
        if let Some(pixel) = output.get_mut(&index) {
            let width = width as usize;
            let column = index.get() % width;
            let row_start = index.get() - column;
            *pixel = weighted_sum(input.as_slice(), weights.as_slice(), column, width, row_start, 1);
        }
    }

    /// Blurs along the columns of an image of `width` columns; pixels beyond the border repeat the last one inside.
    #[kernel(requires(width * height == input.len(), input.len() == output.len()))]
    pub fn blur_columns(
        input: ReadBuffer<[f32; 4]>,
        weights: ReadBuffer<f32>,
        width: u32,
        height: u32,
        mut output: DisjointBuffer<[f32; 4]>,
    ) {
        let index = thread_index();
        if let Some(pixel) = output.get_mut(&index) {
            let (width, height) = (width as usize, height as usize);
            let column = index.get() % width;
            let row = index.get() / width;
            *pixel = weighted_sum(input.as_slice(), weights.as_slice(), row, height, column, width);
        }
    }

    /// The weighted sum of the pixels around `position` on a line of `length` pixels that starts at `start` and goes on every `stride`.
    fn weighted_sum(pixels: &[[f32; 4]], weights: &[f32], position: usize, length: usize, start: usize, stride: usize) -> [f32; 4] {
        let radius = weights.len() / 2;
        let mut sum = [0.0; 4];
        for (tap, weight) in weights.iter().enumerate() {
            let place = (position + tap).saturating_sub(radius).min(length - 1);
            for (sum, channel) in sum.iter_mut().zip(pixels[start + place * stride]) {
                *sum += channel * weight;
            }
        }
        sum
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, rest @ ..] = arguments.as_slice() else { return Err("usage: blur IMAGE [SIGMA [FILE]]".into()) };
    let sigma: f32 = rest.first().map_or(Ok(8.0), |text| text.parse())?;
    let file = rest.get(1).map_or("blurred.png", String::as_str);
    if !(sigma > 0.0 && sigma <= 1000.0) {
        return Err("SIGMA must be above 0 and at most 1000 pixels".into());
    }

    let source = image::open(path)?.to_rgba32f();
    let (width, height) = source.dimensions();
    let pixels: Vec<[f32; 4]> = source.pixels().map(|pixel| pixel.0).collect();

    let device = Device::system_default()?;
    let weights = device.buffer_from_slice(&gaussian_weights(sigma))?;
    let image = device.buffer_from_slice(&pixels)?;
    let mut rows = device.buffer_zeroed::<[f32; 4]>(pixels.len())?;
    let mut blurred = device.buffer_zeroed::<[f32; 4]>(pixels.len())?;
    let config = LaunchConfig::<256>::for_elements(pixels.len())?;

    let start = Instant::now();
    gaussian::blur_rows(&device, config, &image, &weights, width, height, &mut rows).wait()?;
    gaussian::blur_columns(&device, config, &rows, &weights, width, height, &mut blurred).wait()?;
    let elapsed = start.elapsed();

    let bytes: Vec<u8> = blurred.read().wait().iter().flatten().map(|channel| (channel * 255.0 + 0.5) as u8).collect();
    image::save_buffer(file, &bytes, width, height, image::ColorType::Rgba8)?;
    println!("{width}×{height} pixels on {} in {:.1} ms; wrote {file}", device.name(), elapsed.as_secs_f64() * 1e3);
    Ok(())
}

/// The weights of a Gaussian out to three standard deviations; they add up to one.
fn gaussian_weights(sigma: f32) -> Vec<f32> {
    let radius = (3.0 * sigma).ceil() as i32;
    let weights: Vec<f32> = (-radius..=radius).map(|distance| (-(distance * distance) as f32 / (2.0 * sigma * sigma)).exp()).collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}
