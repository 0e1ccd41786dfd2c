use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Instruction {
    Push(i32),
    Add,
    Multiply,
    Jump { to: usize, if_zero: bool },
    Halt,
}

use Instruction::*;

static PROGRAM: &[Instruction] = &[Push(3), Push(4), Add, Jump { to: 5, if_zero: false }, Halt, Push(10), Multiply, Halt];

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<i32>, mut out: DisjointBuffer<i32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (mut stack, mut top, mut at) = ([x; 8], 1, 0);
        for _ in 0..20 {
            match PROGRAM[at] {
                Push(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Add | Multiply => {
                    top -= 1;
                    let by = stack[top];
                    stack[top - 1] = if matches!(PROGRAM[at], Add) { stack[top - 1] + by } else { stack[top - 1] * by };
                }
                Jump { to, if_zero } if !if_zero || stack[top - 1] == 0 => {
                    at = to;
                    continue;
                }
                Jump { .. } => {}
                Halt => break,
            }
            at += 1;
        }
        *out = stack[top - 1];
    }
}
