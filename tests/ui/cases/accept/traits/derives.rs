use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Version {
    major: u8,
    minor: u8,
    tag: Option<u32>,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let version = Version { major: x as u8, minor: (x >> 8) as u8, tag: x.checked_sub(500) };
        let base = Version { major: 1, ..Default::default() };
        *out = u32::from(version > base) + u32::from(version.max(base) == base) * 2 + u32::from(version.clone() != version) * 4;
    }
}
