use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Debug, PartialEq)]
struct Size {
    width: u32,
    height: u32,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let size = Size { width: x, height: 2 };
        assert!(size.width > 0, "the width of {size:?} is zero");
        assert_eq!(size, Size { width: x, height: 2 }, "sizes differ at {}", index.get());
        assert_ne!(size.width, 13);
        debug_assert!(size.height == 3, "not checked in release code");
        *out = size.width * size.height;
    }
}
