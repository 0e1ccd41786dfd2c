use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
#[repr(u8)]
enum Direction {
    North,
    East,
    South,
    West,
}

impl Direction {
    fn turned(self) -> Self {
        // SAFETY: the remainder is one of the four discriminants.
        unsafe { core::mem::transmute((self as u8 + 1) % 4) }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut direction = Direction::West;
        for _ in 0..x % 9 {
            direction = direction.turned();
        }
        *out = match direction {
            Direction::North => 1,
            Direction::East => 10,
            Direction::South => 100,
            Direction::West => 1000,
        };
    }
}
