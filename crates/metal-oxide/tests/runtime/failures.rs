//! Kernels that fail, and that nothing else does.

use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_idx, thread_index, thread_position};
use metal_oxide::{Device, Error, FailureKind, LaunchConfig, Operation, Result};
use metal_oxide_artifact::Site;

use crate::kernel;
use crate::support::block_on;

kernel! {
    fn gather(indices as Indices: ReadBuffer<u32>, values as Values: ReadBuffer<i32>, out as Out: DisjointBuffer<i32>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = values.as_slice()[indices.as_slice()[index.get()] as usize];
            *out += 1;
        }
    }
}
/// Where `gather` indexes `values`.
const GATHER_LINE: u32 = line!() - 6;

#[test]
fn a_failure_tells_place_kind_and_thread_and_the_others_go_on() -> Result<()> {
    let device = Device::cpu();
    let indices = device.buffer_from_slice(&[0_u32, 1, 2, 0, 1, 9, 2, 1])?;
    let values = device.buffer_from_slice(&[10, 20, 30])?;
    let mut out = device.buffer_zeroed::<i32>(8)?;
    match gather(&device, LaunchConfig::<4>::for_elements(8)?, &indices, &values, &mut out).wait() {
        Err(Error::KernelFailed { kernel, file, line, column, kind, message, thread, block }) => {
            assert_eq!((kernel.as_str(), file.as_str(), line), ("gather", file!(), GATHER_LINE));
            assert!(column > 0);
            assert_eq!((kind, message.as_str()), (FailureKind::Bounds, "index out of bounds: the len is 3 but the index is 9"));
            assert_eq!((thread, block), ([1, 0, 0], [1, 0, 0]));
        }
        other => panic!("no failure: {other:?}"),
    }
    assert_eq!(out.read().wait(), [11, 21, 31, 11, 21, 0, 31, 21], "the thread that failed wrote nothing");
    Ok(())
}

kernel! {
    fn fail_everywhere(out as Out: DisjointBuffer<u32>) {
        let position = thread_position();
        assert!(position.x > 1_000_000, "thread {} of {}", position.x, out.len());
    }
}

#[test]
fn every_thread_may_fail_and_one_failure_is_told() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(1)?;
    for _ in 0..3 {
        match fail_everywhere(&device, LaunchConfig::<8, 4, 2>::grid((3, 2, 1))?, &mut out).wait() {
            Err(Error::KernelFailed { kind, message, thread, block, .. }) => {
                assert_eq!((kind, message), (FailureKind::Panic, format!("thread {} of 1", 8 * block[0] + thread[0])));
            }
            other => panic!("no failure: {other:?}"),
        }
    }
    Ok(())
}

kernel! {
    fn fail_in_last(out as Out: DisjointBuffer<u32>) {
        let (thread, position) = (thread_idx(), thread_position());
        // SAFETY: each position occurs once, and the buffer has an element for each.
        unsafe { out.store_unchecked((position.x + 4 * (position.y + 4 * position.z)) as usize, 1) }
        assert_ne!((thread.x, thread.y, thread.z), (1, 1, 1));
        assert_ne!((thread.x, thread.y, thread.z), (1, 0, 0));
    }
}

#[test]
fn the_threads_after_a_failure_run_in_three_dimensions() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(64)?;
    fail_in_last(&device, LaunchConfig::<2, 2, 2>::grid((2, 2, 2))?, &mut out).wait().expect_err("it fails");
    assert_eq!(out.read().wait(), [1; 64]);
    Ok(())
}

kernel! {
    #[entry(|entry| entry.sites = vec![Site { file: "src/lib.rs".into(), line: EXPECT_LINE, column: 38, kind: FailureKind::Unwrap, message: "a value".into() }])]
    fn expecting(out as Out: DisjointBuffer<u32>) {
        out.get_mut(&thread_index()).expect("a value");
    }
}
const EXPECT_LINE: u32 = line!() - 3;

#[test]
fn the_manifest_knows_what_the_message_does_not_tell() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(1)?;
    match expecting(&device, LaunchConfig::<2>::grid(1)?, &mut out).wait() {
        Err(Error::KernelFailed { kind, line, column, message, .. }) => {
            assert_eq!((line, column, message.as_str()), (EXPECT_LINE, 38, "a value"));
            assert_eq!(kind, FailureKind::Unwrap);
        }
        other => panic!("no failure: {other:?}"),
    }
    Ok(())
}

kernel! {
    fn throw() {
        std::panic::resume_unwind(Box::new(DropPanics));
    }
}

/// A payload that panics once more when it is dropped.
struct DropPanics;

impl Drop for DropPanics {
    fn drop(&mut self) {
        panic!("once more");
    }
}

#[test]
fn no_payload_upsets_the_device() -> Result<()> {
    let device = Device::cpu();
    for _ in 0..2 {
        let error = throw(&device, LaunchConfig::<2>::grid(4)?).wait().expect_err("it fails");
        assert!(matches!(&error, Error::KernelFailed { line: 0, .. }), "{error}");
    }
    Ok(())
}

#[test]
fn a_failure_reaches_a_task_and_hangs_nobody() -> Result<()> {
    let device = Device::cpu();
    for _ in 0..100 {
        let out = device.buffer_zeroed::<u32>(1)?;
        let launch = fail_everywhere(&device, LaunchConfig::<64>::grid(16)?, out);
        assert!(matches!(block_on(launch), Err(Error::KernelFailed { .. })));
    }
    Ok(())
}

#[test]
fn panics_outside_kernels_are_as_before() {
    let _ = throw(&Device::cpu(), LaunchConfig::<1>::grid(1).unwrap()).wait();
    let payload = std::panic::catch_unwind(|| panic!("{}", "outside")).expect_err("it panics");
    assert_eq!(payload.downcast_ref::<String>().map(String::as_str), Some("outside"));
    let outside = std::panic::catch_unwind(thread_idx).expect_err("there is no thread");
    assert!(outside.downcast_ref::<&str>().is_some_and(|message| message.starts_with("thread coordinates exist only while")));
    assert!(std::panic::catch_unwind(thread_index).is_err());
}

kernel! {
    fn index_in_a_plane(out as Out: DisjointBuffer<u32>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out += 1;
        }
    }
}

/// Even when a manifest says nothing of it, a token cannot be had where two threads would share an index.
#[test]
fn tokens_need_one_dimension() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(4)?;
    let error = index_in_a_plane(&device, LaunchConfig::<2, 2>::grid(1)?, &mut out).wait().expect_err("it fails");
    assert!(error.to_string().contains("`thread_index` needs a one-dimensional grid"), "{error}");
    assert_eq!(out.read().wait(), [0; 4]);
    Ok(())
}

mod smuggling {
    use std::cell::RefCell;

    use metal_oxide::device::ThreadIndex;

    use super::*;

    thread_local! {
        static KEPT: RefCell<Option<ThreadIndex>> = const { RefCell::new(None) };
    }

    kernel! {
        fn with_a_kept_token(out as Out: DisjointBuffer<u32>) {
            let own = thread_index();
            KEPT.with_borrow_mut(|kept| {
                let token = kept.get_or_insert(own);
                *out.get_mut(token).unwrap() += 1;
            });
        }
    }

    kernel! {
        fn in_a_plane_with_a_kept_token(out as Out: DisjointBuffer<u32>) {
            KEPT.with_borrow_mut(|kept| {
                if let Some(kept) = kept {
                    *out.get_mut(kept).unwrap() += 1;
                }
            });
        }
    }

    /// A token that one thread left in a thread-local serves the next one as its own: no element is written by two threads.
    #[test]
    fn a_kept_token_means_the_thread_that_uses_it() -> Result<()> {
        let device = Device::cpu();
        let mut out = device.buffer_zeroed::<u32>(1024)?;
        for _ in 0..2 {
            with_a_kept_token(&device, LaunchConfig::<32>::for_elements(1024)?, &mut out).wait()?;
        }
        assert_eq!(out.read().wait(), [2; 1024]);
        // Nor does it get around the one dimension.
        let result = in_a_plane_with_a_kept_token(&device, LaunchConfig::<8, 8>::grid((4, 4))?, &mut out).wait();
        assert!(matches!(result, Err(Error::KernelFailed { .. })), "{result:?}");
        assert_eq!(out.read().wait(), [2; 1024]);
        // Outside a launch it means nobody.
        let outside = std::panic::catch_unwind(|| KEPT.with_borrow(|kept| kept.as_ref().map(ThreadIndex::get)));
        assert!(!matches!(outside, Ok(Some(_))));
        Ok(())
    }
}
