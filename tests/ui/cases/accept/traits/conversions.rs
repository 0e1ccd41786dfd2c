use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Celsius(f32);
struct Fahrenheit(f32);

impl From<Celsius> for Fahrenheit {
    fn from(Celsius(degrees): Celsius) -> Self {
        Self(degrees * 9.0 / 5.0 + 32.0)
    }
}

impl TryFrom<Fahrenheit> for u8 {
    type Error = f32;
    fn try_from(Fahrenheit(degrees): Fahrenheit) -> Result<u8, f32> {
        if (0.0..256.0).contains(&degrees) { Ok(degrees as u8) } else { Err(degrees) }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let warm: Fahrenheit = Celsius(x).into();
        *out = match u8::try_from(warm) {
            Ok(byte) => byte.into(),
            Err(degrees) => degrees.to_bits(),
        };
    }
}
