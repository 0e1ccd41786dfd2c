//! Threadgroups whose threads wait for one another: each thread is a coroutine with a stack of its own, all on one thread of the host.
//! A thread that reaches a barrier or exchanges values with its SIMD-group is suspended until all threads that have not ended arrive at
//! the same place. Threads that end early, such as after a failed check, are waited for by nobody.

use std::cell::Cell;
use std::io;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::launch::Launch;

/// The function that runs one thread: the launch, the position of its threadgroup in the grid, and its own in the threadgroup.
pub(crate) type ThreadCode = unsafe extern "C" fn(*const Launch, *const [u32; 3], *const [u32; 3]);

/// What the headers' `metal_oxide::engine` is.
#[repr(C)]
pub(crate) struct Engine {
    pub(crate) threadgroup_barrier: Option<unsafe extern "C" fn(u32)>,
    exchange: Option<unsafe extern "C" fn(*const u8, u32, *mut u32, u32) -> *const u8>,
    lane: Option<extern "C" fn() -> u32>,
}

/// The functions that every library calls.
pub(crate) const ENGINE: Engine = Engine { threadgroup_barrier: Some(threadgroup_barrier), exchange: Some(exchange), lane: Some(lane) };

/// The number of threads in a SIMD-group.
const LANES: usize = 32;

/// The most bytes that a lane can leave for the others; known to the headers as the distance between two lanes' values.
const VALUE_SIZE: usize = 64;

/// Room for the stack of a thread, of which memory is only taken as far as it is used.
const STACK_SIZE: usize = 256 * 1024;

/// Stacks that no thread is using now.
static STACKS: Mutex<Vec<DefaultStack>> = Mutex::new(Vec::new());

thread_local! {
    /// The threadgroup that this thread of the host is running.
    static RUNNING: Cell<*const Meeting> = const { Cell::new(ptr::null()) };
}

/// Where and for whom a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    Threadgroup { line: u32 },
    Simdgroup { line: u32 },
}

impl Wait {
    fn describe(self) -> String {
        match self {
            Self::Threadgroup { line } => format!("a barrier of the threadgroup in line {line}"),
            Self::Simdgroup { line } => format!("an operation of the SIMD-group in line {line}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    Waiting(Wait),
    Ended,
}

/// Why a cooperative launch was given up.
pub(crate) enum Problem {
    /// Threads of a group wait for one another in different places.
    Divergent { block: [u32; 3], places: String },
    /// There is no memory for the stacks.
    Stacks(io::Error),
}

/// What the threads of a group and their engine exchange. Only one of them runs at a time, so cells are enough.
struct Meeting {
    /// The running thread.
    current: Cell<usize>,
    yielders: Vec<Cell<*const Yielder<(), Wait>>>,
    /// For each SIMD-group two rounds of 32 values: a lane may start the next exchange while another has not yet read the last one.
    values: Vec<Cell<[u64; VALUE_SIZE / 8]>>,
    /// For each SIMD-group and round, the lanes that took part.
    active: Vec<Cell<u32>>,
    /// For each SIMD-group, the round that lanes contribute to.
    round: Vec<Cell<usize>>,
}

type Thread = Coroutine<(), Wait, (), DefaultStack>;

/// Runs the threadgroups from one number up to, but without, another.
///
/// # Safety
/// `code` and `launch` are fit for one another, and the numbers are of groups of the grid.
pub(crate) unsafe fn run_groups(code: ThreadCode, launch: &Launch, first: u64, end: u64) -> Result<(), Problem> {
    let [width, height, _] = launch.grid.map(u64::from);
    let threads = launch.block.iter().product::<u32>() as usize;
    let mut stacks = take_stacks(threads)?;
    let meeting = Meeting::new(threads);
    let mut result = Ok(());
    for index in first..end {
        let block = [index % width, index / width % height, index / width / height].map(|position| position as u32);
        // SAFETY: the caller promises what this asks for.
        result = unsafe { run_group(code, launch, block, &meeting, &mut stacks) };
        if result.is_err() {
            break;
        }
    }
    STACKS.lock().unwrap_or_else(PoisonError::into_inner).append(&mut stacks);
    result
}

fn take_stacks(count: usize) -> Result<Vec<DefaultStack>, Problem> {
    let mut stacks = {
        let mut idle = STACKS.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle.len().saturating_sub(count);
        idle.split_off(kept)
    };
    while stacks.len() < count {
        stacks.push(DefaultStack::new(STACK_SIZE).map_err(Problem::Stacks)?);
    }
    Ok(stacks)
}

/// # Safety
/// As for [`run_groups`]. `stacks` has one stack for each thread, before and after.
unsafe fn run_group(
    code: ThreadCode,
    launch: &Launch,
    block: [u32; 3],
    meeting: &Meeting,
    stacks: &mut Vec<DefaultStack>,
) -> Result<(), Problem> {
    let [width, height, _] = launch.block.map(|extent| extent as usize);
    let mut threads: Vec<Thread> = stacks
        .drain(..)
        .enumerate()
        .map(|(index, stack)| {
            let local = [index % width, index / width % height, index / width / height].map(|position| position as u32);
            let run = move |yielder: &Yielder<(), Wait>, ()| {
                meeting.yielders[index].set(yielder);
                // SAFETY: the caller of `run_group` promises it.
                unsafe { code(launch, &block, &local) };
            };
            // SAFETY: `run` borrows only what outlives this function, and below all coroutines are at their end before it returns.
            unsafe { Coroutine::with_stack_unchecked(stack, run) }
        })
        .collect();
    let outer = RUNNING.replace(meeting);
    let result = meeting.run(&mut threads);
    RUNNING.set(outer);
    for mut thread in threads {
        if !thread.done() {
            // SAFETY: a suspended thread stands in `suspend` below the kernel's C++ code; neither has anything on its stack to drop.
            unsafe { thread.force_reset() };
        }
        stacks.push(thread.into_stack());
    }
    result.map_err(|places| Problem::Divergent { block, places })
}

impl Meeting {
    fn new(threads: usize) -> Self {
        let simdgroups = threads.div_ceil(LANES);
        Self {
            current: Cell::new(0),
            yielders: vec![Cell::new(ptr::null()); threads],
            values: vec![Cell::new([0; VALUE_SIZE / 8]); simdgroups * 2 * LANES],
            active: vec![Cell::new(0); simdgroups * 2],
            round: vec![Cell::new(0); simdgroups],
        }
    }

    /// Runs all threads to their end. The error says where they wait for one another in vain.
    fn run(&self, threads: &mut [Thread]) -> Result<(), String> {
        let mut states = vec![State::Ready; threads.len()];
        loop {
            for (simdgroup, (threads, states)) in threads.chunks_mut(LANES).zip(states.chunks_mut(LANES)).enumerate() {
                self.run_simdgroup(simdgroup, threads, states)?;
            }
            // Now every thread has ended or waits for the threadgroup.
            if !release(&mut states)? {
                return Ok(());
            }
        }
    }

    /// Runs the threads of a SIMD-group until each has ended or waits for the threadgroup.
    fn run_simdgroup(&self, simdgroup: usize, threads: &mut [Thread], states: &mut [State]) -> Result<(), String> {
        loop {
            for (lane, (thread, state)) in threads.iter_mut().zip(states.iter_mut()).enumerate() {
                if *state == State::Ready {
                    self.current.set(simdgroup * LANES + lane);
                    *state = match thread.resume(()) {
                        CoroutineResult::Yield(wait) => State::Waiting(wait),
                        CoroutineResult::Return(()) => State::Ended,
                    };
                }
            }
            if !states.iter().any(|state| matches!(state, State::Waiting(Wait::Simdgroup { .. }))) {
                return Ok(());
            }
            let live = states.iter().enumerate().filter(|(_, state)| **state != State::Ended);
            let active = live.fold(0, |mask, (lane, _)| mask | 1 << lane);
            release(states)?;
            let round = self.round[simdgroup].get();
            self.active[simdgroup * 2 + round].set(active);
            self.round[simdgroup].set(1 - round);
        }
    }

    /// Suspends the running thread.
    fn suspend(&self, wait: Wait) {
        let index = self.current.get();
        // SAFETY: each thread stores its yielder when it starts, and the running thread has started and not ended.
        unsafe { &*self.yielders[index].get() }.suspend(wait);
    }
}

/// Makes threads ready that wait at the same place. `Ok(false)` if all have ended.
fn release(states: &mut [State]) -> Result<bool, String> {
    let mut places: Vec<Wait> = Vec::new();
    for state in states.iter_mut() {
        if let State::Waiting(wait) = *state {
            if !places.contains(&wait) {
                places.push(wait);
            }
            *state = State::Ready;
        }
    }
    if places.len() > 1 {
        return Err(places.into_iter().map(Wait::describe).collect::<Vec<_>>().join(" and "));
    }
    Ok(!places.is_empty())
}

fn running() -> &'static Meeting {
    let meeting = RUNNING.get();
    assert!(!meeting.is_null(), "a kernel waits for other threads although its text does not say so");
    // SAFETY: the pointer is set exactly while `Meeting::run` borrows the meeting, and only code that runs inside calls this. The
    // reference is not kept beyond the call.
    unsafe { &*meeting }
}

unsafe extern "C" fn threadgroup_barrier(line: u32) {
    running().suspend(Wait::Threadgroup { line });
}

/// # Safety
/// `size` bytes at `value` can be read, and `active` can be written.
unsafe extern "C" fn exchange(value: *const u8, size: u32, active: *mut u32, line: u32) -> *const u8 {
    let meeting = running();
    let (simdgroup, lane) = (meeting.current.get() / LANES, meeting.current.get() % LANES);
    let size = size as usize;
    assert!(size <= VALUE_SIZE, "a value of {size} bytes is exchanged in a SIMD-group, and there is room for {VALUE_SIZE}");
    let round = meeting.round[simdgroup].get();
    let values = &meeting.values[(simdgroup * 2 + round) * LANES..][..LANES];
    // SAFETY: the caller promises the bytes, the destination has room for them, and nobody else has access to it now.
    unsafe { ptr::copy_nonoverlapping(value, values[lane].as_ptr().cast::<u8>(), size) };
    meeting.suspend(Wait::Simdgroup { line });
    // SAFETY: the caller promises it.
    unsafe { *active = meeting.active[simdgroup * 2 + round].get() };
    values.as_ptr().cast()
}

extern "C" fn lane() -> u32 {
    (running().current.get() % LANES) as u32
}
