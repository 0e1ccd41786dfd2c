use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::hash::{Hash, Hasher};

struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

#[derive(Hash)]
enum Key {
    Number(u32),
    Pair(u8, i16),
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        Key::Number(x).hash(&mut hasher);
        Key::Pair(3, -4).hash(&mut hasher);
        *out = hasher.finish();
    }
}
