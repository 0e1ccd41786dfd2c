//! Random programs of launches and host accesses against a model that does one thing after another.
//! Launches are waited for, awaited, or left behind; whatever is left behind must still come in the program's order.

use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};
use metal_oxide::{Buffer, Device, LaunchConfig, Operation, Result};

use crate::kernel;
use crate::support::{block_on, poll_once};

const ELEMENTS: usize = 70;
const BUFFERS: usize = 4;

kernel! {
    fn mix(from as From: ReadBuffer<u32>, to as To: DisjointBuffer<u32>) {
        let index = thread_index();
        if let Some(to) = to.get_mut(&index) {
            // Now and then a thread takes its time, so that work overlaps in every order.
            if index.get().is_multiple_of(32) {
                std::thread::yield_now();
            }
            *to = to.wrapping_mul(31).wrapping_add(from.as_slice()[index.get()]);
        }
    }
}

fn mixed(from: &[u32], to: &mut [u32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = to.wrapping_mul(31).wrapping_add(*from);
    }
}

/// A small generator of numbers (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    /// Two different buffers.
    fn pair(&mut self) -> [usize; 2] {
        let first = self.below(BUFFERS);
        [first, (first + 1 + self.below(BUFFERS - 1)) % BUFFERS]
    }
}

fn run(seed: u64) -> Result<()> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let device = Device::cpu();
    let config = LaunchConfig::<16>::for_elements(ELEMENTS)?;
    let mut model: Vec<Vec<u32>> = (0..BUFFERS).map(|buffer| (0..ELEMENTS).map(|index| (buffer * 1000 + index) as u32).collect()).collect();
    let mut buffers: Vec<Buffer<u32>> = model.iter().map(|values| device.buffer_from_slice(values)).collect::<Result<_>>()?;
    for _ in 0..40 {
        let [from, to] = random.pair();
        let action = random.below(8);
        if action < 6 {
            let [from_buffer, to_buffer] = buffers.get_disjoint_mut([from, to]).expect("they are different");
            let launch = mix(&device, config, &*from_buffer, to_buffer);
            match action {
                0 => launch.wait().map(|_| ())?,
                1 => block_on(launch).map(|_| ())?,
                _ => drop(poll_once(&mut launch.into_future())),
            }
            let [from_values, to_values] = model.get_disjoint_mut([from, to]).expect("they are different");
            mixed(from_values, to_values);
        } else if action == 6 {
            assert_eq!(buffers[from].read().wait(), model[from], "seed {seed}");
        } else {
            buffers[to].write().wait()[3] += 1;
            model[to][3] += 1;
        }
    }
    for (buffer, values) in buffers.iter().zip(&model) {
        assert_eq!(block_on(buffer.read()), *values, "seed {seed}");
    }
    Ok(())
}

#[test]
fn random_programs_do_what_the_model_does() -> Result<()> {
    (0..500).try_for_each(run)
}
