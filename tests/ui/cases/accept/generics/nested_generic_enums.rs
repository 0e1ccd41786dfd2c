use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy)]
enum Either<A, B> {
    Left(A),
    Right(B),
}

impl<A, B> Either<A, B> {
    fn swap(self) -> Either<B, A> {
        match self {
            Self::Left(a) => Either::Right(a),
            Self::Right(b) => Either::Left(b),
        }
    }
    fn fold<T>(self, left: impl FnOnce(A) -> T, right: impl FnOnce(B) -> T) -> T {
        match self {
            Self::Left(a) => left(a),
            Self::Right(b) => right(b),
        }
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u32>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let value: Either<u32, Either<f32, [u8; 2]>> = match x % 3 {
            0 => Either::Left(x),
            1 => Either::Right(Either::Left(1.5)),
            _ => Either::Right(Either::Right([x as u8, 7])),
        };
        *out = value.swap().fold(|inner| inner.fold(|float| float as u32, |[a, b]| u32::from(a) * u32::from(b)), |n| n + 1);
    }
}
