//! Running a kernel over a grid: checks what a launch must satisfy, then spreads its threadgroups over the threads of the host.
//! Each threadgroup runs on one thread of the host, and its threads run in the order of their index.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::group::{self, Problem, ThreadCode};
use crate::{ExecError, Kernel, Library, launcher, undefined};

/// The memory that a kernel works on.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// The buffers, each at the index of its slot. An empty buffer may have any aligned address. Entries of other slots are ignored.
    pub buffers: &'a [*mut u8],
    /// The argument block, as long as the kernel's ABI says, and aligned to 16 bytes unless it is empty.
    pub args: &'a [u8],
    /// The failure record: 32 zeroed bytes, aligned to 4. May be null if the kernel has no failure slot.
    pub failure: *mut u8,
}

/// What the headers' `metal_oxide::launch` is.
#[repr(C)]
pub(crate) struct Launch {
    buffers: *const *mut u8,
    args: *const u8,
    failure: *mut u8,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
}

/// The function that the generated file has for a kernel.
#[derive(Clone, Copy)]
pub(crate) enum Code {
    /// Runs the threads of the threadgroups from the first number up to, but without, the second.
    Groups(unsafe extern "C" fn(*const Launch, u64, u64)),
    /// Runs one thread.
    Thread(ThreadCode),
}

/// The most threads that a threadgroup can have.
const MAX_THREADS: u64 = 1024;

/// The most coroutines at a time: their stacks take two mappings of memory each, and Linux allows a process some 65,000.
const MAX_COROUTINES: u64 = 16 * MAX_THREADS;

impl Kernel {
    /// Runs the kernel over a grid of `grid` threadgroups with `block` threads each, and returns when all have ended.
    ///
    /// The threadgroups are spread over the current rayon pool. A kernel that failed through its failure record has run: the caller reads
    /// the record.
    ///
    /// # Safety
    /// - Each buffer that the kernel's ABI lists is valid for the reads and writes that the kernel does there, for all of the call.
    /// - Nobody else accesses what the kernel writes during the call, and nobody writes what it reads.
    /// - `failure` is valid for the access to 32 bytes, unless the kernel has no failure slot.
    /// - The kernel may be run with these arguments: what its `requires` say holds, and if it is an `unsafe fn` so does its contract.
    pub unsafe fn run(&self, binding: &Binding<'_>, grid: [u32; 3], block: [u32; 3]) -> Result<(), ExecError> {
        self.check(binding, grid, block).map_err(|problem| ExecError::InvalidLaunch { entry: self.entry.to_string(), problem })?;
        let groups = grid.iter().fold(1u128, |product, &extent| product * u128::from(extent));
        let Ok(groups) = u64::try_from(groups) else {
            let problem = format!("its grid has {groups} blocks, more than can be counted in 64 bits");
            return Err(ExecError::InvalidLaunch { entry: self.entry.to_string(), problem });
        };
        let threads = block.iter().map(|&extent| u64::from(extent)).product::<u64>();
        if groups == 0 || threads == 0 {
            return Ok(());
        }
        let launch = Launch { buffers: binding.buffers.as_ptr(), args: binding.args.as_ptr(), failure: binding.failure, grid, block };
        let shared = Shared { launch: &launch, code: self.code, problem: OnceLock::new() };
        let workers = match self.code {
            Code::Groups(_) => u64::MAX,
            Code::Thread(_) => MAX_COROUTINES / threads,
        };
        spread(groups, threads, workers, |first, end| {
            // SAFETY: `check` has made sure that the launch is one the kernel can take; the rest the caller promises.
            unsafe { shared.run(first, end) };
        });
        // SAFETY: the record is the library's, and the launch has ended.
        let found = unsafe { undefined::take(self.finding) };
        if let Some(found) = found {
            return Err(ExecError::Undefined {
                entry: self.entry.to_string(),
                what: found.what,
                file: self.folder.join(found.file.strip_prefix(".").unwrap_or(&found.file)),
                line: found.line,
                column: found.column,
            });
        }
        match shared.problem.into_inner() {
            None => Ok(()),
            Some(Problem::Divergent { block, places }) => Err(ExecError::Divergent { entry: self.entry.to_string(), block, places }),
            Some(Problem::Stacks(source)) => Err(ExecError::Stacks { entry: self.entry.to_string(), source }),
        }
    }

    fn check(&self, binding: &Binding<'_>, grid: [u32; 3], block: [u32; 3]) -> Result<(), String> {
        let threads = block.iter().fold(1u128, |product, &extent| product * u128::from(extent));
        if threads > u128::from(MAX_THREADS) {
            return Err(format!("its blocks have {threads} threads, and the most that a threadgroup can have is {MAX_THREADS}"));
        }
        for ((axis, blocks), threads) in ["X", "Y", "Z"].into_iter().zip(grid).zip(block) {
            let extent = u64::from(blocks) * u64::from(threads);
            if extent > 1 << 32 {
                return Err(format!("its grid has {extent} threads along {axis}, and a position is a 32-bit number"));
            }
        }
        for slot in launcher::buffer_slots(&self.abi) {
            if binding.buffers.get(slot as usize).is_none_or(|buffer| buffer.is_null()) {
                return Err(format!("there is no buffer for slot {slot}"));
            }
        }
        if binding.args.len() != self.abi.args_size as usize {
            return Err(format!("its argument block has {} bytes and must have {}", binding.args.len(), self.abi.args_size));
        }
        if !binding.args.is_empty() && binding.args.as_ptr().align_offset(16) != 0 {
            return Err("its argument block is not aligned to 16 bytes".to_owned());
        }
        if self.abi.failure_slot.is_some() && (binding.failure.is_null() || binding.failure.align_offset(4) != 0) {
            return Err("its failure record is missing or not aligned to 4 bytes".to_owned());
        }
        Ok(())
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Kernel").field("entry", &self.entry).field("abi", &self.abi).finish_non_exhaustive()
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Library").finish_non_exhaustive()
    }
}

/// What the threads of the host share during a launch.
struct Shared<'a> {
    launch: &'a Launch,
    code: Code,
    problem: OnceLock<Problem>,
}

// SAFETY: the launch is not changed while it runs, and what its pointers lead to may be accessed by the kernel from any thread, which is
// part of the contract of `Kernel::run`.
unsafe impl Sync for Shared<'_> {}

impl Shared<'_> {
    /// # Safety
    /// As for [`Kernel::run`]; the numbers are of groups of the grid.
    unsafe fn run(&self, first: u64, end: u64) {
        match self.code {
            // SAFETY: the launch is valid during the call, and the caller promises the rest.
            Code::Groups(code) => unsafe { code(self.launch, first, end) },
            Code::Thread(_) if self.problem.get().is_some() => {}
            Code::Thread(code) => {
                // SAFETY: as above.
                if let Err(problem) = unsafe { group::run_groups(code, self.launch, first, end) } {
                    // Of several problems the first one is reported.
                    let _ = self.problem.set(problem);
                }
            }
        }
    }
}

/// Calls `run` with ranges that cover the numbers below `groups`, on at most `max_workers` threads of the current pool.
fn spread(groups: u64, threads_each: u64, max_workers: u64, run: impl Fn(u64, u64) + Sync) {
    let workers = max_workers.min(rayon::current_num_threads() as u64);
    // Enough pieces to even out groups of different cost, but none so small that taking it costs more than running it.
    let piece = (groups / (workers * 16)).max(64u64.div_ceil(threads_each)).max(1);
    if workers == 1 || piece >= groups {
        run(0, groups);
        return;
    }
    let next = AtomicU64::new(0);
    rayon::scope(|scope| {
        for _ in 0..workers.min(groups.div_ceil(piece)) {
            scope.spawn(|_| {
                loop {
                    let first = next.fetch_add(piece, Ordering::Relaxed);
                    if first >= groups {
                        break;
                    }
                    run(first, groups.min(first + piece));
                }
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::spread;

    #[test]
    fn every_group_runs_once() {
        for (groups, threads) in [(1, 1), (7, 1), (64, 1), (65, 1), (1000, 3), (1001, 1024), (100_003, 32)] {
            let ranges = Mutex::new(Vec::new());
            spread(groups, threads, u64::MAX, |first, end| ranges.lock().expect("no thread panicked").push((first, end)));
            let mut ranges = ranges.into_inner().expect("no thread panicked");
            ranges.sort_unstable();
            let mut expected = 0;
            for (first, end) in ranges {
                assert_eq!(first, expected);
                expected = end;
            }
            assert_eq!(expected, groups);
        }
    }
}
