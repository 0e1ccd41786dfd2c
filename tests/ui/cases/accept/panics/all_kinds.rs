use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>, n: u32) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let value = input.as_slice()[index.get()];
        assert!(value < 100, "the value {value} is too large");
        assert_eq!(value % 2, 0);
        let quotient = 1000 / value;
        let third = input.as_slice().get(3).expect("a third element");
        let first = input.as_slice().first().unwrap();
        if n == 7 {
            panic!("seven");
        }
        if n == 8 {
            unreachable!("eight: {}", n);
        }
        if n == 9 {
            todo!();
        }
        *out = quotient + third + first;
    }
}
