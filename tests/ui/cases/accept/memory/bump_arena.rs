use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Arena<'a> {
    free: &'a mut [f32],
}

impl<'a> Arena<'a> {
    fn take(&mut self, length: usize) -> Option<&'a mut [f32]> {
        let (taken, rest) = core::mem::take(&mut self.free).split_at_mut_checked(length)?;
        self.free = rest;
        Some(taken)
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut memory = [0.0; 32];
        let mut arena = Arena { free: &mut memory };
        let (Some(a), Some(b)) = (arena.take(4), arena.take(8)) else { return };
        a.fill(x);
        b[..4].copy_from_slice(a);
        *out = b.iter().sum::<f32>() + arena.take(100).map_or(0.5, |rest| rest[0]);
    }
}
