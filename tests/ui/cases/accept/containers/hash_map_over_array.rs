use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Slot {
    Empty,
    Full { key: u32, value: u32 },
}

struct Map([Slot; 16]);

impl Map {
    fn slot(&mut self, key: u32) -> Option<&mut Slot> {
        let start = key.wrapping_mul(0x9e37_79b9) as usize >> 28;
        let at = (0..16).map(|step| (start + step) % 16).find(|&at| match self.0[at] {
            Slot::Empty => true,
            Slot::Full { key: known, .. } => known == key,
        })?;
        Some(&mut self.0[at])
    }
    fn add(&mut self, key: u32) {
        if let Some(slot) = self.slot(key) {
            *slot = match *slot {
                Slot::Empty => Slot::Full { key, value: 1 },
                Slot::Full { key, value } => Slot::Full { key, value: value + 1 },
            };
        }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut map = Map([Slot::Empty; 16]);
        input.as_slice().iter().for_each(|value| map.add(value % 10));
        *out = match map.slot(x % 10) {
            Some(Slot::Full { value, .. }) => *value,
            _ => 0,
        };
    }
}
