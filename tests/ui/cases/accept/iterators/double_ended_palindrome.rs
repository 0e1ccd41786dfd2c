use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let bytes = input.as_slice();
        let mut ends = bytes.iter();
        let mut palindrome = true;
        while let (Some(front), Some(back)) = (ends.next(), ends.next_back()) {
            palindrome &= front == back;
        }
        *out = palindrome.into();
    }
}
