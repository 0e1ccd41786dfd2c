use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Button {
    action: fn(u32) -> u32,
}

fn press(button: &Button, value: u32) -> u32 {
    (button.action)(value)
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let up = Button { action: |value| value + 1 };
        let down = Button { action: |value| value - 1 };
        *out = press(if x > 5 { &up } else { &down }, x);
    }
}
