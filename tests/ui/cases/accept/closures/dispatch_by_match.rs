use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Operation {
    Add,
    Multiply,
    Subtract,
}

impl Operation {
    fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Self::Add => a.wrapping_add(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::Subtract => a.wrapping_sub(b),
        }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        const PROGRAM: [(Operation, u32); 4] =
            [(Operation::Add, 3), (Operation::Multiply, 5), (Operation::Subtract, 7), (Operation::Multiply, 11)];
        *out = PROGRAM.iter().fold(x, |value, (operation, with)| operation.apply(value, *with));
    }
}
