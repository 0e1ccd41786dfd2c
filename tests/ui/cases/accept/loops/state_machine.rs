use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

#[derive(Clone, Copy, PartialEq)]
enum State {
    Start,
    Word { length: u32 },
    Number(u32),
    Done,
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<u8>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let mut state = State::Start;
        let mut result = 0;
        let mut bytes = input.as_slice().iter();
        while state != State::Done {
            let next = bytes.next().copied();
            state = match (state, next) {
                (_, None) => State::Done,
                (State::Start, Some(b'a'..=b'z')) => State::Word { length: 1 },
                (State::Start, Some(digit @ b'0'..=b'9')) => State::Number(u32::from(digit - b'0')),
                (State::Word { length }, Some(b'a'..=b'z')) => State::Word { length: length + 1 },
                (State::Number(n), Some(digit @ b'0'..=b'9')) => State::Number(n * 10 + u32::from(digit - b'0')),
                (State::Word { length }, Some(_)) => {
                    result += length;
                    State::Start
                }
                (State::Number(n), Some(_)) => {
                    result ^= n;
                    State::Start
                }
                (State::Start | State::Done, Some(_)) => State::Start,
            };
        }
        *out = result;
    }
}
