use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut guess = x.max(1.0);
        for _ in 0..64 {
            let next = 0.5 * (guess + x / guess);
            if (next - guess).abs() <= f32::EPSILON * guess {
                break;
            }
            guess = next;
        }
        *out = guess;
    }
}
