use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

trait Named {
    const ID: u32;
}

trait Animal: Named + Default {
    fn legs(&self) -> u32;
    fn code() -> u32 {
        Self::ID * 100 + Self::default().legs()
    }
}

#[derive(Default)]
struct Dog;

#[derive(Default)]
struct Bird;

impl Named for Dog {
    const ID: u32 = 1;
}

impl Named for Bird {
    const ID: u32 = 2;
}

impl Animal for Dog {
    fn legs(&self) -> u32 {
        4
    }
}

impl Animal for Bird {
    fn legs(&self) -> u32 {
        2
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = if x % 2 == 0 { Dog::code() } else { Bird::code() };
    }
}
