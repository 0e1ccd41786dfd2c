use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Pixel,
    Percent(u8),
}

#[derive(Clone, Copy, PartialEq)]
enum Length {
    Auto,
    Fixed(u32, Unit),
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let length = match x % 4 {
            0 => Length::Auto,
            1 => Length::Fixed(x, Unit::Pixel),
            n => Length::Fixed(x, Unit::Percent(n as u8 * 10)),
        };
        *out = match length {
            Length::Auto => 0,
            Length::Fixed(value, Unit::Pixel) => value,
            Length::Fixed(value, Unit::Percent(percent @ ..=20)) => value * u32::from(percent) / 100,
            Length::Fixed(..) => 1,
        };
    }
}
