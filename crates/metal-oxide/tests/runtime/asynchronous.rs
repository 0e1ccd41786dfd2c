//! Launches and host accesses as futures, awaited, dropped and forgotten at every stage.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};
use metal_oxide::{Device, Error, LaunchConfig, Operation, Result};

use crate::kernel;
use crate::support::{block_on, poll_once};

kernel! {
    fn increment(out as Out: DisjointBuffer<u32>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out += 1;
        }
    }
}

kernel! {
    fn copy(from as From: ReadBuffer<u32>, to as To: DisjointBuffer<u32>) {
        let index = thread_index();
        if let Some(to) = to.get_mut(&index) {
            *to = from.as_slice()[index.get()];
        }
    }
}

kernel! {
    fn slow_increment(out as Out: DisjointBuffer<u32>) {
        std::thread::sleep(Duration::from_millis(1));
        if let Some(out) = out.get_mut(&thread_index()) {
            *out += 1;
        }
    }
}

#[test]
fn launches_and_reads_are_awaited() -> Result<()> {
    block_on(async {
        let device = Device::cpu();
        let mut out = device.buffer_zeroed::<u32>(1000)?;
        let config = LaunchConfig::<64>::for_elements(1000)?;
        for _ in 0..10 {
            (out,) = increment(&device, config, out).await?;
        }
        out.write().await[0] = 99;
        let values = out.read().await;
        assert_eq!((values[0], &values[1..]), (99, &[10; 999][..]));
        Ok(())
    })
}

#[test]
fn a_launch_is_moved_into_a_task() -> Result<()> {
    fn is_task<F: Future + Send + 'static>(future: F) -> F {
        future
    }

    let device = Device::cpu();
    let out = device.buffer_zeroed::<u32>(5)?;
    let task = is_task(async move { increment(&device, LaunchConfig::<2>::for_elements(5)?, out).await });
    let (out,) = std::thread::spawn(|| block_on(task)).join().expect("the task does not panic")?;
    assert_eq!(out.read().wait(), [1; 5]);
    Ok(())
}

#[test]
fn polling_gives_the_work_away_and_does_not_do_it() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(64)?;
    let mut launch = slow_increment(&device, LaunchConfig::<32>::for_elements(64)?, &mut out).into_future();
    let before = Instant::now();
    assert!(poll_once(&mut launch).is_pending());
    assert!(before.elapsed() < Duration::from_millis(20), "the first poll did the work");
    block_on(launch)?;
    assert_eq!(out.read().wait(), [1; 64]);
    Ok(())
}

#[test]
fn work_that_was_dropped_or_forgotten_is_waited_for() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(16)?;
    let config = LaunchConfig::<4>::for_elements(16)?;
    for forget in [false, true] {
        let mut launch = slow_increment(&device, config, &mut out).into_future();
        assert!(poll_once(&mut launch).is_pending());
        if forget { mem::forget(launch) } else { drop(launch) }
    }
    assert_eq!(out.read().wait(), [2; 16], "a read waits");

    drop(poll_once(&mut slow_increment(&device, config, &mut out).into_future()));
    out.write().wait()[0] = 0;
    assert_eq!(out.read().wait()[..2], [0, 3], "a write waits");

    drop(poll_once(&mut slow_increment(&device, config, &mut out).into_future()));
    let mut other = device.buffer_zeroed::<u32>(16)?;
    copy(&device, config, &out, &mut other).wait()?;
    assert_eq!(other.read().wait()[..2], [1, 4], "a launch waits");

    drop(poll_once(&mut slow_increment(&device, config, &mut out).into_future()));
    drop(poll_once(&mut copy(&device, config, &out, &mut other).into_future()));
    drop(poll_once(&mut slow_increment(&device, config, &mut out).into_future()));
    assert_eq!(block_on(other.read())[..2], [2, 5], "launches wait for one another");
    assert_eq!(block_on(out.write())[..2], [3, 6]);
    Ok(())
}

#[test]
fn buffers_outlive_their_owners_while_work_needs_them() -> Result<()> {
    let device = Device::cpu();
    for _ in 0..50 {
        let out = device.buffer_zeroed::<u32>(64)?;
        drop(poll_once(&mut slow_increment(&device, LaunchConfig::<32>::for_elements(64)?, out).into_future()));
    }
    drop(device);
    Ok(())
}

#[test]
fn cancelled_before_the_first_poll_nothing_happens() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(4)?;
    drop(increment(&device, LaunchConfig::<4>::for_elements(4)?, &mut out).into_future());
    assert_eq!(out.read().wait(), [0; 4]);
    Ok(())
}

#[test]
fn refusals_reach_a_task() -> Result<()> {
    let mut out = Device::cpu().buffer_zeroed::<u32>(4)?;
    let device = Device::cpu();
    let launch = increment(&device, LaunchConfig::<2, 2>::grid(1)?, &mut out);
    assert!(matches!(block_on(launch), Err(Error::KernelFailed { .. })));
    Ok(())
}

#[test]
fn shared_reads_run_side_by_side() -> Result<()> {
    let device = Device::cpu();
    let from = Arc::new(device.buffer_from_slice(&[1_u32, 2, 3])?);
    let config = LaunchConfig::<4>::for_elements(3)?;
    let (mut running, mut done) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let mut launch = copy(&device, config, Arc::clone(&from), device.buffer_zeroed::<u32>(3)?).into_future();
        match poll_once(&mut launch) {
            Poll::Ready(result) => done.push(result?),
            Poll::Pending => running.push(launch),
        }
    }
    for launch in running {
        done.push(block_on(launch)?);
    }
    for (_, to) in &done {
        assert_eq!(to.read().wait(), [1, 2, 3]);
    }
    Ok(())
}

/// A waker that panics is somebody's mistake; it must not take the completion away from others.
#[test]
fn a_panicking_waker_harms_nobody_else() -> Result<()> {
    struct Panicking(AtomicBool);

    impl Wake for Panicking {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::SeqCst);
            panic!("this waker is broken");
        }
    }

    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(64)?;
    let config = LaunchConfig::<32>::for_elements(64)?;
    let broken = Arc::new(Panicking(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&broken));
    let mut launch = slow_increment(&device, config, &mut out).into_future();
    assert!(std::pin::Pin::new(&mut launch).poll(&mut Context::from_waker(&waker)).is_pending());
    mem::forget(launch);
    block_on(increment(&device, config, &mut out))?;
    assert!(broken.0.load(Ordering::SeqCst));
    for _ in 0..8 {
        block_on(increment(&device, config, &mut out))?;
    }
    assert_eq!(out.read().wait(), [10; 64]);
    Ok(())
}

#[test]
fn many_launches_that_nobody_awaits_do_not_block() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(8)?;
    let config = LaunchConfig::<8>::for_elements(8)?;
    for _ in 0..10_000 {
        drop(poll_once(&mut increment(&device, config, &mut out).into_future()));
    }
    assert_eq!(out.read().wait(), [10_000; 8]);
    Ok(())
}

/// Completions that come from another thread while a task is being polled are not lost.
#[test]
fn no_wake_is_lost() -> Result<()> {
    let started = Arc::new(AtomicUsize::new(0));
    let barrier = Arc::new(Barrier::new(4));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (started, barrier) = (Arc::clone(&started), Arc::clone(&barrier));
            std::thread::spawn(move || -> Result<()> {
                let device = Device::cpu();
                let mut out = device.buffer_zeroed::<u32>(3)?;
                barrier.wait();
                for _ in 0..2_000 {
                    block_on(increment(&device, LaunchConfig::<2>::for_elements(3)?, &mut out))?;
                    started.fetch_add(1, Ordering::Relaxed);
                }
                assert_eq!(out.read().wait(), [2_000; 3]);
                Ok(())
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no thread panics")?;
    }
    assert_eq!(started.load(Ordering::Relaxed), 8_000);
    Ok(())
}

#[test]
fn a_future_is_ready_once() -> Result<()> {
    let device = Device::cpu();
    let mut launch = increment(&device, LaunchConfig::<1>::grid(0)?, device.buffer_zeroed::<u32>(0)?).into_future();
    assert!(matches!(poll_once(&mut launch), Poll::Ready(Ok(_))));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| poll_once(&mut launch))).is_err());
    Ok(())
}
