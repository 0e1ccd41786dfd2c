use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Countdown {
    low: u32,
    high: u32,
}

impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        (self.low < self.high).then(|| {
            self.low += 1;
            self.low - 1
        })
    }
}

impl DoubleEndedIterator for Countdown {
    fn next_back(&mut self) -> Option<u32> {
        (self.low < self.high).then(|| {
            self.high -= 1;
            self.high
        })
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = Countdown { low: 0, high: x % 50 }.rev().zip(Countdown { low: 3, high: 20 }).map(|(a, b)| a * b).sum();
    }
}
