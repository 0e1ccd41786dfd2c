//! Buffers on the host: what they hold, how they are viewed, and what is refused.

use metal_oxide::device::{DisjointBuffer, thread_index};
use metal_oxide::{Buffer, Device, Error, GpuValue, LaunchConfig, Operation, Result};

use crate::kernel;

fn round_trip<T: GpuValue + PartialEq + std::fmt::Debug>(values: &[T]) {
    let buffer = Device::cpu().buffer_from_slice(values).unwrap();
    assert_eq!(buffer.len(), values.len());
    assert_eq!(buffer.read().wait(), values);
}

#[test]
fn buffers_hold_every_kind_of_value() {
    round_trip(&[1_u8, 2, 3]);
    round_trip(&[true, false, true]);
    round_trip(&[-1.5_f32, f32::INFINITY]);
    round_trip(&[[1_u16, 2, 3], [4, 5, 6]]);
    round_trip(&[(1_u8, -2_i64, true), (3, 4, false)]);
    round_trip(&[[0_u32; 0]; 5]);
    round_trip::<u64>(&[]);
}

#[test]
fn zeroed_buffers_hold_zeros() -> Result<()> {
    let device = Device::cpu();
    assert_eq!(device.buffer_zeroed::<(u8, f32, bool)>(3)?.read().wait(), [(0, 0.0, false); 3]);
    Ok(())
}

#[test]
fn guards_are_slices() -> Result<()> {
    let mut buffer = Device::cpu().buffer_from_slice(&[3, 1, 2])?;
    buffer.write().wait().sort_unstable();
    let values = buffer.read().wait();
    assert_eq!(values, [1, 2, 3]);
    assert_eq!(values, vec![1, 2, 3]);
    assert_eq!(values, buffer.read().wait());
    assert_eq!(values, &[1, 2, 3][..]);
    assert_eq!(format!("{values:?}"), "[1, 2, 3]");
    assert_eq!(values.iter().sum::<i32>(), 6);
    Ok(())
}

#[test]
fn buffers_can_be_shown_and_sent() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Buffer<f32>>();
    is_shared::<Device>();
    is_shared::<Error>();
    let buffer = Device::cpu().buffer_zeroed::<f32>(7).unwrap();
    assert_eq!(format!("{buffer:?}"), "Buffer<f32>(7 elements on CPU)");
}

#[test]
fn buffers_beyond_memory_are_refused() {
    for length in [usize::MAX, usize::MAX / 4, isize::MAX as usize / 4] {
        let error = Device::cpu().buffer_zeroed::<u32>(length).expect_err("no machine has so much");
        assert!(matches!(&error, Error::InvalidBuffer { .. }) && error.to_string().contains("use fewer elements"), "{error}");
    }
}

kernel! {
    fn toggle(out as Out: DisjointBuffer<(bool, u32)>) {
        if let Some((flag, count)) = out.get_mut(&thread_index()) {
            *flag = !*flag;
            *count += 1;
        }
    }
}

#[test]
fn kernels_use_elements_of_several_fields() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_from_slice(&[(true, 1), (false, 2)])?;
    toggle(&device, LaunchConfig::<2>::grid(1)?, &mut out).wait()?;
    assert_eq!(out.read().wait(), [(false, 2), (true, 3)]);
    Ok(())
}
