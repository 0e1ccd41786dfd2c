use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[track_caller]
fn line() -> u32 {
    core::panic::Location::caller().line()
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        *out = line() + line!() + x + file!().len() as u32 * 0 + module_path!().len() as u32 * 0 + stringify!(a + b).len() as u32;
    }
}
