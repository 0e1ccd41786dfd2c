//! Kernels that draw random numbers: PCG through the traits of `rand_core`, and `oorandom`.
#![no_std]

use metal_oxide_device::{DisjointBuffer, ReadBuffer, kernel, thread_index};
use oorandom::Rand32;
use rand_core::{Rng, SeedableRng, TryRng};
use rand_pcg::Pcg32;
use witness_support::{mix, table};

/// Draws through the trait, whatever the generator is.
fn draw<R: Rng>(generator: &mut R, count: u32) -> u64 {
    (0..count).fold(0, |bits, _| mix(bits, generator.next_u32().into()))
}

/// A generator that counts what is drawn from another one.
struct Counted<R> {
    inner: R,
    drawn: u32,
}

impl<R: TryRng> TryRng for Counted<R> {
    type Error = R::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.drawn += 1;
        self.inner.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.drawn += 2;
        self.inner.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.drawn += bytes.len() as u32;
        self.inner.try_fill_bytes(bytes)
    }
}

/// Shuffles a small array.
fn shuffled<R: Rng>(generator: &mut R) -> [u8; 12] {
    let mut cards: [u8; 12] = core::array::from_fn(|index| index as u8);
    for last in (1..cards.len()).rev() {
        cards.swap(last, generator.next_u32() as usize % (last + 1));
    }
    cards
}

/// The share of points of the unit square that lie in the unit circle.
fn inside(generator: &mut Rand32, points: u32) -> u32 {
    (0..points).filter(|_| generator.rand_float().mul_self() + generator.rand_float().mul_self() < 1.0).count() as u32
}

trait Squared {
    fn mul_self(self) -> Self;
}

impl Squared for f32 {
    fn mul_self(self) -> Self {
        self * self
    }
}

table! {
    /// Functions of a seed and a stream.
    GENERATORS, generators(seed: u64, stream: u64) =
    pcg Pcg32::new(seed, stream).next_u32();
    pcg_many draw(&mut Pcg32::new(seed, stream), 20);
    pcg_wide (Pcg32::new(seed, stream).next_u64(), Pcg32::new(stream, seed).next_u64());
    pcg_of_seed draw(&mut Pcg32::seed_from_u64(seed), 3);
    pcg_of_bytes draw(&mut Pcg32::from_seed(core::array::from_fn(|index| (seed >> (index % 8 * 8)) as u8)), 3);
    pcg_advanced { let mut generator = Pcg32::new(seed, stream); generator.advance(stream % 1000); generator.next_u32() };
    pcg_bytes { let mut bytes = [0; 13]; Pcg32::new(seed, stream).fill_bytes(&mut bytes); bytes };
    pcg_fork { let mut generator = Pcg32::new(seed, stream); draw(&mut Pcg32::from_rng(&mut generator), 2) };
    counted { let mut generator = Counted { inner: Pcg32::new(seed, stream), drawn: 0 }; (draw(&mut generator, 5), generator.next_u64(), generator.drawn) };
    shuffled shuffled(&mut Pcg32::new(seed, stream));
    oorandom Rand32::new(seed).rand_u32();
    oorandom_stream { let mut generator = Rand32::new_inc(seed, stream); (generator.rand_u32(), generator.rand_i32(), generator.rand_u32()) };
    oorandom_float { let mut generator = Rand32::new(seed); [(); 4].map(|()| generator.rand_float()) };
    oorandom_range { let mut generator = Rand32::new(seed); [(); 4].map(|()| generator.rand_range(5..77)) };
    oorandom_state Rand32::from_state(Rand32::new_inc(seed, stream).state()).rand_u32();
    circle inside(&mut Rand32::new_inc(seed, stream), 30);
}

/// Writes what a function makes of each seed and stream.
#[kernel(requires(seeds.len() == out.len(), streams.len() == out.len()))]
pub fn run_generators(seeds: ReadBuffer<u64>, streams: ReadBuffer<u64>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = generators(function, seeds.as_slice()[index.get()], streams.as_slice()[index.get()]);
    }
}
