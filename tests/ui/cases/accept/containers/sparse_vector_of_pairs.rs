use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, Default)]
struct Sparse {
    entries: [(u16, f32); 4],
    length: u8,
}

impl Sparse {
    fn entries(&self) -> &[(u16, f32)] {
        &self.entries[..self.length.into()]
    }
    fn dot(&self, other: &Self) -> f32 {
        let (mut a, mut b) = (self.entries(), other.entries());
        let mut sum = 0.0;
        while let ([(i, left), rest_a @ ..], [(j, right), rest_b @ ..]) = (a, b) {
            match i.cmp(j) {
                core::cmp::Ordering::Less => a = rest_a,
                core::cmp::Ordering::Greater => b = rest_b,
                core::cmp::Ordering::Equal => {
                    sum += left * right;
                    (a, b) = (rest_a, rest_b);
                }
            }
        }
        sum
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<f32>, mut out: DisjointBuffer<f32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let a = Sparse { entries: [(1, x), (4, 2.0), (9, x), (0, 0.0)], length: 3 };
        let b = Sparse { entries: [(4, x), (9, 0.5), (0, 0.0), (0, 0.0)], length: 2 };
        *out = a.dot(&b);
    }
}
