use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

struct Token(u32);

fn once(f: impl FnOnce() -> u32) -> u32 {
    f()
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let token = Token(x);
        let name = [1u32, 2, 3];
        let consume = move || {
            let Token(value) = token;
            value + name.iter().sum::<u32>()
        };
        *out = once(consume);
    }
}
