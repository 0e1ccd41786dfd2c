//! When work on a device is done, and how it ended: a fact that many can wait for, on a thread or in a task.
//! Nobody polls. Whoever completes the work wakes the waiting threads and tasks and starts the work that waited for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::{Error, Result};

/// A handle on work that ends once. Clones speak of the same work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Completion {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Set before the waiters are taken, so that most questions need no lock.
    done: AtomicBool,
    waiters: Mutex<Waiters>,
    ended: Condvar,
}

#[derive(Default)]
struct Waiters {
    tasks: Vec<(u64, Waker)>,
    next_task: u64,
    successors: Vec<Box<dyn FnOnce() + Send>>,
    threads: usize,
    failure: Option<Error>,
}

impl std::fmt::Debug for Waiters {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tasks, successors, threads, .. } = self;
        write!(formatter, "{} tasks, {} successors, {threads} threads", tasks.len(), successors.len())
    }
}

impl Completion {
    /// Work that has not ended.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.shared.done.load(Ordering::Acquire)
    }

    /// Ends it and wakes everybody. What happened before this call is visible to whoever has seen that the work is done.
    pub(crate) fn complete(&self, outcome: Result<()>) {
        let mut waiters = self.waiters();
        waiters.failure = outcome.err();
        self.shared.done.store(true, Ordering::Release);
        let tasks = std::mem::take(&mut waiters.tasks);
        let successors = std::mem::take(&mut waiters.successors);
        if waiters.threads > 0 {
            self.shared.ended.notify_all();
        }
        // Wakers and successors are code from elsewhere: they may come back here, so they run without the lock.
        drop(waiters);
        // One that panics is broken, which must not keep the others waiting.
        for (_, waker) in tasks {
            let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
        }
        for successor in successors {
            let _ = catch_unwind(AssertUnwindSafe(successor));
        }
    }

    /// How the work, which is done, ended. The failure is given to the first who asks: that is the work's owner, while all others only
    /// want to know when its accesses are over.
    pub(crate) fn take_outcome(&self) -> Result<()> {
        debug_assert!(self.is_done(), "the outcome is known at the end");
        self.waiters().failure.take().map_or(Ok(()), Err)
    }

    /// Blocks the thread until it is done.
    pub(crate) fn wait(&self) {
        if self.is_done() {
            return;
        }
        let mut waiters = self.waiters();
        waiters.threads += 1;
        while !self.is_done() {
            waiters = self.shared.ended.wait(waiters).unwrap_or_else(PoisonError::into_inner);
        }
        waiters.threads -= 1;
    }

    /// Calls `successor` when it is done: now, on this thread, if it is already.
    pub(crate) fn then(&self, successor: impl FnOnce() + Send + 'static) {
        let mut waiters = self.waiters();
        if self.is_done() {
            drop(waiters);
            successor();
        } else {
            waiters.successors.push(Box::new(successor));
        }
    }

    fn waiters(&self) -> MutexGuard<'_, Waiters> {
        self.shared.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task's place among those that wait for a completion. It is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct WaitingTask {
    completion: Completion,
    place: Option<u64>,
}

impl WaitingTask {
    pub(crate) fn new(completion: Completion) -> Self {
        Self { completion, place: None }
    }

    /// Whether it is done; if not, the task will be woken when it is.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.completion.is_done() {
            return Poll::Ready(());
        }
        // Cloning and dropping a waker is an executor's code, so neither happens under the lock.
        let mut waker = context.waker().clone();
        let mut waiters = self.completion.waiters();
        if self.completion.is_done() {
            return Poll::Ready(());
        }
        let place = *self.place.get_or_insert_with(|| {
            waiters.next_task += 1;
            waiters.next_task
        });
        match waiters.tasks.iter_mut().find(|(other, _)| *other == place) {
            Some((_, registered)) => std::mem::swap(registered, &mut waker),
            None => {
                waiters.tasks.push((place, waker));
                return Poll::Pending;
            }
        }
        drop(waiters);
        drop(waker);
        Poll::Pending
    }
}

impl Drop for WaitingTask {
    fn drop(&mut self) {
        if let Some(place) = self.place
            && !self.completion.is_done()
        {
            let mut waiters = self.completion.waiters();
            let registered = waiters.tasks.iter().position(|(other, _)| *other == place);
            let removed = registered.map(|index| waiters.tasks.swap_remove(index));
            drop(waiters);
            drop(removed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::task::Wake;
    use std::thread;

    use super::*;

    #[derive(Default)]
    struct CountingWaker(AtomicUsize);

    impl Wake for CountingWaker {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn many_threads_and_tasks_wait_for_one_completion() {
        let completion = Completion::new();
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let completion = completion.clone();
                thread::spawn(move || completion.wait())
            })
            .collect();
        let counter = Arc::new(CountingWaker::default());
        let waker = Waker::from(Arc::clone(&counter));
        let mut tasks: Vec<_> = (0..8).map(|_| WaitingTask::new(completion.clone())).collect();
        for task in &mut tasks {
            assert!(task.poll(&mut Context::from_waker(&waker)).is_pending());
        }
        completion.complete(Ok(()));
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(counter.0.load(Ordering::Relaxed), 8);
        for task in &mut tasks {
            assert!(task.poll(&mut Context::from_waker(&waker)).is_ready());
        }
    }

    #[test]
    fn a_task_that_is_polled_again_is_woken_once_and_by_its_last_waker() {
        let completion = Completion::new();
        let mut task = WaitingTask::new(completion.clone());
        let counters: [Arc<CountingWaker>; 2] = Default::default();
        for counter in &counters {
            let waker = Waker::from(Arc::clone(counter));
            assert!(task.poll(&mut Context::from_waker(&waker)).is_pending());
        }
        completion.complete(Ok(()));
        assert_eq!(counters.map(|counter| counter.0.load(Ordering::Relaxed)), [0, 1]);
    }

    #[test]
    fn a_dropped_task_is_forgotten() {
        let completion = Completion::new();
        let counter = Arc::new(CountingWaker::default());
        let waker = Waker::from(Arc::clone(&counter));
        let mut task = WaitingTask::new(completion.clone());
        assert!(task.poll(&mut Context::from_waker(&waker)).is_pending());
        drop(task);
        completion.complete(Ok(()));
        assert_eq!(counter.0.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn successors_run_on_completion_and_at_once_after_it() {
        let completion = Completion::new();
        let count = Arc::new(AtomicUsize::new(0));
        for expected in [0, 2] {
            let count_of_successor = Arc::clone(&count);
            completion.then(move || {
                count_of_successor.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(count.load(Ordering::Relaxed), expected);
            completion.complete(Ok(()));
        }
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }
}
