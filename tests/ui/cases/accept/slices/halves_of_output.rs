use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<[u8; 8]>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let (a, b) = out.split_at_mut(4);
        a.copy_from_slice(&x.to_le_bytes());
        b.clone_from_slice(a);
        b.iter_mut().rev().zip(a.iter_mut()).for_each(|(p, q)| core::mem::swap(p, q));
    }
}
