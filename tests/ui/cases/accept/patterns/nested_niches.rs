use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, PartialEq)]
enum Deep {
    A(Option<Option<bool>>),
    B,
    C(char),
    D(core::cmp::Ordering),
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let all = [
            Deep::A(None),
            Deep::A(Some(None)),
            Deep::A(Some(Some(x > 3))),
            Deep::B,
            Deep::C(char::from_u32(x).unwrap_or('z')),
            Deep::D(x.cmp(&5)),
        ];
        *out = all.iter().position(|deep| *deep == all[x as usize % 6]).unwrap() as u32
            + all
                .map(|deep| match deep {
                    Deep::A(Some(Some(true))) => 1,
                    Deep::A(_) => 2,
                    Deep::B => 3,
                    Deep::C(c) => c as u32,
                    Deep::D(o) => o as i32 as u32,
                })
                .iter()
                .sum::<u32>();
    }
}
