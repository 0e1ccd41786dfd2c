//! The host threads that the CPU device keeps. They sleep while there is nothing to do and end with the device.
//! Jobs queue; a thread joins the first that has room for it, so small jobs run side by side and a large one gets all threads.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::job::Job;

/// Bytes of stack of each thread: as many as a program's first thread usually has, since launches run on that too.
const STACK: usize = 8 << 20;

/// A job that takes no longer is done before others have woken up to help.
const SHORT: Duration = Duration::from_micros(20);

pub(super) struct Pool {
    shared: Arc<Shared>,
    size: usize,
}

struct Shared {
    queue: Mutex<Queue>,
    more: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Arc<Job>>,
    /// Threads that have been started. The first job starts them.
    threads: usize,
    sleeping: usize,
    closing: bool,
}

impl Pool {
    /// A pool with as many threads as the process can run at once.
    pub(super) fn new() -> Self {
        let size = thread::available_parallelism().map_or(1, usize::from);
        Self { shared: Arc::new(Shared { queue: Mutex::default(), more: Condvar::new() }), size }
    }

    /// The number of threads.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Runs a job on this thread, with the help of the pool's, until it is done.
    pub(super) fn run(&self, job: Arc<Job>) {
        let joined = job.join();
        debug_assert!(joined, "a new job has a place for its own thread");
        let started = Instant::now();
        let mut is_shared = false;
        // Without helpers, if none can be started, this thread does it alone.
        let mut share = || is_shared = is_shared || self.shared.push(&job, self.size).is_ok();
        let is_short = job.expected_duration().is_some_and(|duration| duration <= SHORT);
        if job.is_divisible() && !is_short {
            share();
        }
        let blocks = job.work(|| {
            if is_short && started.elapsed() > SHORT {
                share();
            }
        });
        if blocks > 0 {
            job.note_duration(blocks, started.elapsed());
        }
        if is_shared {
            self.shared.remove(&job);
        }
        job.completion().wait();
    }

    /// Gives a job to the pool's threads.
    pub(super) fn start(&self, job: &Arc<Job>) -> io::Result<()> {
        self.shared.push(job, self.size)
    }
}

impl Drop for Pool {
    /// Lets the threads end once the queue is empty. It waits for none: it may run on one of them, or on an executor's thread.
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.more.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a job and wakes a thread for it, which wakes the next. Fails if there are no threads at all.
    fn push(self: &Arc<Self>, job: &Arc<Job>, size: usize) -> io::Result<()> {
        let mut queue = self.lock();
        while queue.threads < size {
            let shared = Arc::clone(self);
            let spawned = thread::Builder::new().name("metal-oxide-cpu".into()).stack_size(STACK).spawn(move || shared.serve());
            match spawned {
                Ok(_) => queue.threads += 1,
                Err(error) if queue.threads == 0 => return Err(error),
                Err(_) => break,
            }
        }
        queue.jobs.push_back(Arc::clone(job));
        let wake = queue.sleeping > 0;
        drop(queue);
        if wake {
            self.more.notify_one();
        }
        Ok(())
    }

    /// Takes a job out of the queue, with all that it keeps alive.
    fn remove(&self, job: &Arc<Job>) {
        let mut queue = self.lock();
        let removed = queue.jobs.iter().position(|other| Arc::ptr_eq(other, job)).and_then(|index| queue.jobs.remove(index));
        drop(queue);
        drop(removed);
    }

    /// What each thread of the pool does.
    fn serve(&self) {
        while let Some(job) = self.next() {
            // Kernels' panics are caught where they run. What is caught here could come from a waker, and must not cost a thread.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                job.work(|| ());
                self.remove(&job);
            }));
        }
    }

    /// The next job to join; `None` when the thread should end.
    fn next(&self) -> Option<Arc<Job>> {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.jobs.iter().find(|job| job.join()) {
                let job = Arc::clone(job);
                let wake = queue.sleeping > 0 && (queue.jobs.len() > 1 || job.is_divisible());
                drop(queue);
                if wake {
                    self.more.notify_one();
                }
                return Some(job);
            }
            if queue.closing {
                queue.threads -= 1;
                return None;
            }
            queue.sleeping += 1;
            queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.sleeping -= 1;
        }
    }
}
